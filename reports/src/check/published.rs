//! The published schemas of journals, reports, comparisons and sums of soaks.

use std::sync::LazyLock;

use serde_json::Value;

use super::{Form, Problem};
use crate::render;
use crate::schema::Schema;

static JOURNAL: LazyLock<Schema> = LazyLock::new(|| parsed(render::journal_schema()));
static REPORT: LazyLock<Schema> = LazyLock::new(|| parsed(render::schema()));
static COMPARISON: LazyLock<Schema> = LazyLock::new(|| parsed(render::comparison_schema()));
static SOAK: LazyLock<Schema> = LazyLock::new(|| parsed(render::soak_schema()));

#[allow(clippy::expect_used, reason = "the schemas are part of the program, and a test reads each")]
fn parsed(text: &str) -> Schema {
    let schema: Value = serde_json::from_str(text).expect("a published schema is JSON");
    Schema::parse(&schema).expect("a published schema is valid")
}

/// Where and how a value violates the schema of this form; in a journal, the value is one line.
pub(super) fn violations(form: Form, value: &Value) -> Vec<Problem> {
    let schema = match form {
        Form::Journal => &JOURNAL,
        Form::Report => &REPORT,
        Form::Comparison => &COMPARISON,
        Form::Soak => &SOAK,
    };
    let violations = schema.violations(value).into_iter();
    violations.map(|violation| Problem { line: None, place: violation.place, what: violation.what }).collect()
}
