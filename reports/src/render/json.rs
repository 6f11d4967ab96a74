//! The report as JSON.

use crate::model::Report;

/// The report as pretty JSON with a final line end: the same report always gives the same bytes. Its form is told by
/// [`schema`].
pub fn json(report: &Report) -> String {
    // Fails for maps with keys that are no strings only; a report has none.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

/// The JSON Schema (draft 2020-12) of what [`json`] writes. Minor versions of the format add fields and change none.
pub fn schema() -> &'static str {
    include_str!("../../schema/report-1.schema.json")
}

#[cfg(test)]
mod tests;
