//! What a discovery document lists for a group.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::json;

use super::mismatch::{Mismatch, shown, summary};
use crate::transcript::{Answer, GroupListing};

/// The group lists these versions, in any order.
pub(super) fn versions(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    let listing = listing(expected, answer)?;
    let (mut left, mut right) = (expected.to_vec(), listing.to_vec());
    left.sort();
    right.sort();
    if left == right {
        return Ok(());
    }
    let summary = "the group lists other versions".to_owned();
    Err(Mismatch::new(json!(left), json!(right), "", "other-versions", summary))
}

/// The group lists these versions in this order, and prefers the first.
pub(super) fn order(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    versions(expected, answer)?;
    let actual = listing(expected, answer)?;
    if expected != actual {
        let summary = "the group lists its versions in another order".to_owned();
        return Err(Mismatch::new(json!(expected), json!(actual), "", "order", summary));
    }
    match &answer.group {
        Some(listing) => prefers(expected.first(), listing),
        None => Ok(()),
    }
}

/// A plain discovery document names the preferred version; the aggregated form has no such field.
pub(super) fn prefers(first: Option<&String>, listing: &GroupListing) -> Result<(), Mismatch> {
    if listing.is_aggregated || listing.preferred.as_ref() == first {
        return Ok(());
    }
    let summary = "the preferred version is not the first one".to_owned();
    Err(Mismatch::new(json!(first), json!(listing.preferred), "", "preferred", summary))
}

fn listing<'a>(expected: &[String], answer: &'a Answer) -> Result<&'a [String], Mismatch> {
    match &answer.group {
        Some(listing) => Ok(&listing.versions),
        None => {
            let summary = format!("the group is not listed; got {}", summary(answer));
            Err(Mismatch::new(json!(expected), shown(answer), "", "no-group", summary))
        }
    }
}
