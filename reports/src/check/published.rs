//! The published schemas of journals, reports, comparisons and sums of soaks.

use std::sync::LazyLock;

use serde_json::Value;

use super::{Form, Problem};
use crate::schema::Schema;

/// In the order of the forms.
static SCHEMAS: LazyLock<[Schema; 4]> =
    LazyLock::new(|| [Form::Journal, Form::Report, Form::Comparison, Form::Soak].map(|form| parsed(form.schema())));

impl Form {
    /// The JSON Schema (draft 2020-12) of such a file, or of each line of a journal. Minor versions of a format add
    /// fields and kinds of lines and change none.
    pub fn schema(self) -> &'static str {
        match self {
            Self::Journal => include_str!("../../schema/journal-2.schema.json"),
            Self::Report => include_str!("../../schema/report-1.schema.json"),
            Self::Comparison => include_str!("../../schema/comparison-1.schema.json"),
            Self::Soak => include_str!("../../schema/soak-1.schema.json"),
        }
    }
}

#[allow(clippy::expect_used, reason = "the schemas are part of the program, and a test reads each")]
fn parsed(text: &str) -> Schema {
    let schema: Value = serde_json::from_str(text).expect("a published schema is JSON");
    Schema::parse(&schema).expect("a published schema is valid")
}

/// Where and how a value violates the schema of this form; in a journal, the value is one line.
pub(super) fn violations(form: Form, value: &Value) -> Vec<Problem> {
    let schema = &SCHEMAS[form as usize];
    let violations = schema.violations(value).into_iter();
    violations.map(|violation| Problem { line: None, place: violation.place, what: violation.what }).collect()
}
