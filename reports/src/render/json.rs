//! Reports, comparisons and sums of soaks as JSON.

use serde::Serialize;
use serde_json::Value;

use crate::comparison::Comparison;
use crate::journal::digest;
use crate::model::Report;
use crate::soak::Soak;

/// The report as pretty JSON with a final newline: the same report always has the same bytes. [`schema`] describes its
/// form.
pub fn json(report: &Report) -> String {
    pretty(report)
}

/// The comparison as pretty JSON with a final newline. [`comparison_schema`] describes its form.
pub fn comparison_json(comparison: &Comparison) -> String {
    pretty(comparison)
}

/// The sum of a soak as pretty JSON with a final newline. [`soak_schema`] describes its form.
pub fn soak_json(soak: &Soak) -> String {
    pretty(soak)
}

/// The JSON Schema (draft 2020-12) of each line of a [journal](crate::journal). Minor versions of the format
/// add fields and kinds of lines and change none.
pub fn journal_schema() -> &'static str {
    include_str!("../../schema/journal-2.schema.json")
}

/// The JSON Schema (draft 2020-12) of what [`json`] writes. Minor versions of the format add fields and change none.
pub fn schema() -> &'static str {
    include_str!("../../schema/report-1.schema.json")
}

/// The JSON Schema (draft 2020-12) of what [`comparison_json`] writes. Minor
/// versions of the format add fields and change none.
pub fn comparison_schema() -> &'static str {
    include_str!("../../schema/comparison-1.schema.json")
}

/// The JSON Schema (draft 2020-12) of what [`soak_json`] writes. Minor
/// versions of the format add fields and change none.
pub fn soak_schema() -> &'static str {
    include_str!("../../schema/soak-1.schema.json")
}

/// A document as it is written.
#[derive(Serialize)]
struct Sealed<'a, T> {
    #[serde(flatten)]
    document: &'a T,
    /// The digest of the document.
    digest: String,
}

fn pretty(document: &impl Serialize) -> String {
    // These fail only for maps whose keys are not strings; neither document has one.
    let value = serde_json::to_value(document).unwrap_or(Value::Null);
    let sealed = Sealed { document, digest: digest::of_document(&value) };
    let mut text = serde_json::to_string_pretty(&sealed).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
