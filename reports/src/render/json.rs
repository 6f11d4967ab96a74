//! Reports, comparisons and sums of soaks as JSON.

use serde::Serialize;
use serde_json::Value;

use crate::comparison::Comparison;
use crate::journal::digest;
use crate::model::Report;
use crate::soak::Soak;

/// The report as pretty JSON with a final newline: the same report always has the same bytes.
/// [`Form::schema`](crate::check::Form::schema) describes its form.
pub fn json(report: &Report) -> String {
    pretty(report)
}

/// The comparison as pretty JSON with a final newline.
pub fn comparison_json(comparison: &Comparison) -> String {
    pretty(comparison)
}

/// The sum of a soak as pretty JSON with a final newline.
pub fn soak_json(soak: &Soak) -> String {
    pretty(soak)
}

fn pretty(document: &impl Serialize) -> String {
    // These fail only for maps whose keys are not strings; neither document has one.
    let value = serde_json::to_value(document).unwrap_or(Value::Null);
    let sealed = digest::Sealed { content: document, digest: digest::of_document(&value) };
    let mut text = serde_json::to_string_pretty(&sealed).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
