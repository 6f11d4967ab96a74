//! The published JSON Schemas, ready to be asked.

use crdible_reports::{
    check::{Form, Problem, Schemas},
    render,
};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// One validator for each form.
pub(super) struct Published {
    journal: Validator,
    report: Validator,
    comparison: Validator,
    soak: Validator,
}

impl Published {
    pub(super) fn new() -> Self {
        Self {
            journal: compiled(render::journal_schema()),
            report: compiled(render::schema()),
            comparison: compiled(render::comparison_schema()),
            soak: compiled(render::soak_schema()),
        }
    }
}

/// A schema that is part of the program, and a test compiles each.
#[allow(clippy::expect_used, reason = "the schemas are fixed")]
fn compiled(schema: &str) -> Validator {
    let schema: Value = serde_json::from_str(schema).expect("a published schema is JSON");
    jsonschema::validator_for(&schema).expect("a published schema is valid")
}

impl Schemas for Published {
    fn violations(&self, form: Form, value: &Value) -> Vec<Problem> {
        let validator = match form {
            Form::Journal => &self.journal,
            Form::Report => &self.report,
            Form::Comparison => &self.comparison,
            Form::Soak => &self.soak,
        };
        // Nearly everything is valid.
        if validator.is_valid(value) {
            return Vec::new();
        }
        validator.iter_errors(value).map(|error| problem(&error)).collect()
    }
}

fn problem(error: &ValidationError<'_>) -> Problem {
    // A value may be as large as a file.
    let what = match error.to_string() {
        long if long.len() > 300 => error.masked().to_string(),
        short => short,
    };
    Problem { line: None, place: error.instance_path().to_string(), what }
}
