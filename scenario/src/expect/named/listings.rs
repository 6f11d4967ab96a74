//! Checks about discovery documents: which versions of a group they list, and in which order.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::json;

use super::{
    super::{Mismatch, groups::prefers},
    Given,
};
use crate::transcript::{Answer, GroupListing};

pub(super) fn aggregated(given: &Given<'_>) -> Result<(), Mismatch> {
    if listing(given.answer)?.is_aggregated {
        return Ok(());
    }
    let summary = "the document does not have the requested aggregated form".to_owned();
    Err(Mismatch::new(json!("APIGroupDiscoveryList"), json!("another kind"), "", "form", summary))
}

pub(super) fn same(given: &Given<'_>) -> Result<(), Mismatch> {
    let (expected, actual) = (listing(given.looked_at()?)?, listing(given.answer)?);
    if expected.versions == actual.versions {
        prefers(expected.versions.first(), expected)?;
        return prefers(actual.versions.first(), actual);
    }
    let summary = "two lists of the same versions differ in their order".to_owned();
    Err(Mismatch::new(json!(expected), json!(actual), "", "order", summary))
}

pub(super) fn within(given: &Given<'_>) -> Result<(), Mismatch> {
    let (whole, part) = (listing(given.looked_at()?)?, listing(given.answer)?);
    let restricted: Vec<&String> = whole.versions.iter().filter(|version| part.versions.contains(version)).collect();
    if restricted.iter().copied().eq(&part.versions) {
        return Ok(());
    }
    let summary = "two versions change their order when others are added".to_owned();
    Err(Mismatch::new(json!(restricted), json!(part.versions), "", "order", summary))
}

pub(super) fn in_classes(given: &Given<'_>, classes: &[Vec<String>]) -> Result<(), Mismatch> {
    let actual = listing(given.answer)?;
    let mut rest = actual.versions.as_slice();
    for class in classes {
        let (head, tail) = rest.split_at(class.len().min(rest.len()));
        if head.len() != class.len() || !class.iter().all(|version| head.contains(version)) {
            let summary = "the versions are in another order".to_owned();
            return Err(Mismatch::new(json!(classes), json!(actual.versions), "", "order", summary));
        }
        rest = tail;
    }
    if rest.is_empty() {
        return Ok(());
    }
    let summary = "other versions are listed, too".to_owned();
    Err(Mismatch::new(json!(classes), json!(actual.versions), "", "unexpected-version", summary))
}

pub(super) fn not_listed(given: &Given<'_>) -> Result<(), Mismatch> {
    match &given.answer.group {
        None if given.answer.is_accepted() => Ok(()),
        None => {
            let summary = format!("the request for the list of groups is answered with code {}", given.answer.status);
            Err(Mismatch::new(json!("2xx"), json!(given.answer.status), "", "refused", summary))
        }
        Some(listing) => {
            let summary = "the group is listed".to_owned();
            Err(Mismatch::new(json!("no such group"), json!(listing), "", "listed", summary))
        }
    }
}

fn listing(answer: &Answer) -> Result<&GroupListing, Mismatch> {
    answer.group.as_ref().ok_or_else(|| {
        let summary = format!("the group is not listed; the code is {}", answer.status);
        Mismatch::new(json!("a group"), answer.body.clone(), "", "no-group", summary)
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{super::evaluate, Given};
    use crate::{
        scenario::NamedCheck,
        transcript::{Answer, GroupListing},
    };

    #[rstest]
    #[case::not_there(None, true)]
    #[case::there(Some(GroupListing::default()), false)]
    fn groups_are_listed_or_not(#[case] group: Option<GroupListing>, #[case] holds: bool) {
        let answer = Answer { status: 200, group, ..Answer::default() };
        assert_eq!(evaluate(&NamedCheck::NotListed, &Given::of(&answer)).is_ok(), holds);
    }
}
