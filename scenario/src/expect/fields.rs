//! How answers report unknown and duplicate fields (REST-050..057).
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    mismatch::Mismatch,
    outcome::{accepted, bad_request},
};
use crate::transcript::Answer;

/// Accepted, and the warnings about unknown fields name these, in this order.
pub(super) fn unknown(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    accepted(answer)?;
    let actual: Vec<&str> = answer.warnings.iter().filter_map(|warning| unknown_field(warning)).collect();
    same_paths(expected, &actual, "warning")
}

/// Accepted, with or without a warning about a duplicate field.
pub(super) fn duplicate(expected: bool, answer: &Answer) -> Result<(), Mismatch> {
    accepted(answer)?;
    let actual: Vec<&String> =
        answer.warnings.iter().filter(|warning| warning.starts_with("duplicate field \"")).collect();
    if actual.is_empty() != expected {
        return Ok(());
    }
    let (reason, summary) = match expected {
        true => ("not-reported", "no warning reports the duplicate field"),
        false => ("wrongly-reported", "a warning reports a duplicate field, but there is none"),
    };
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, summary.to_owned()))
}

/// 400, and the message names these unknown fields, in this order.
pub(super) fn strict_refusal(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    bad_request(answer)?;
    let message = answer.body.get("message").and_then(Value::as_str).unwrap_or("");
    let actual: Vec<&str> =
        message.match_indices("unknown field \"").filter_map(|(at, _)| unknown_field(&message[at..])).collect();
    same_paths(expected, &actual, "refusal")
}

/// The path in `unknown field "<path>"`.
fn unknown_field(text: &str) -> Option<&str> {
    let path = text.strip_prefix("unknown field \"")?;
    path.split('"').next()
}

fn same_paths(expected: &[String], actual: &[&str], what: &str) -> Result<(), Mismatch> {
    if expected.iter().map(String::as_str).eq(actual.iter().copied()) {
        return Ok(());
    }
    let (left, right): (BTreeSet<&str>, BTreeSet<&str>) =
        (expected.iter().map(String::as_str).collect(), actual.iter().copied().collect());
    let (reason, path) = match (left.difference(&right).next(), right.difference(&left).next()) {
        (Some(path), _) => ("not-reported", *path),
        (None, Some(path)) => ("wrongly-reported", *path),
        (None, None) => ("order", ""),
    };
    let summary =
        format!("the {what} lists other unknown fields than expected: {path} is {}", reason.replace('-', " "));
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, summary.trim_end().to_owned()))
}
