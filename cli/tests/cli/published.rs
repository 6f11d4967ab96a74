//! Everything that the command writes is valid under the published schemas, which describe every field of it.
//!
//! [`document`] and [`file`] are called for each JSON document that a test reads,
//! and for each file that is left in its folder.

use std::{path::Path, sync::LazyLock};

use jsonschema::Validator;
use serde_json::{Value, json};

/// The schemas of journals, reports, comparisons and sums of soaks by the names of their formats.
static SCHEMAS: LazyLock<[(&str, Validator); 4]> = LazyLock::new(|| {
    [
        ("crdible-journal/2", strict(include_str!("../../../reports/schema/journal-2.schema.json"))),
        ("crdible-report/1", strict(include_str!("../../../reports/schema/report-1.schema.json"))),
        ("crdible-comparison/1", strict(include_str!("../../../reports/schema/comparison-1.schema.json"))),
        ("crdible-soak/1", strict(include_str!("../../../reports/schema/soak-1.schema.json"))),
    ]
});

/// The schema, with no field allowed that it does not describe: minor versions
/// add fields, so the published ones allow others.
fn strict(text: &str) -> Validator {
    let mut schema: Value = serde_json::from_str(text).unwrap();
    match schema["allOf"].is_array() {
        // A line is of one of the forms below.
        true => close(&mut schema["$defs"]),
        false => close(&mut schema),
    }
    jsonschema::validator_for(&schema).unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            // A property may have the name `properties`, too.
            if fields.get("properties").is_some_and(Value::is_object) && fields.get("type").is_some() {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Asserts that a value is valid under the schema of this format.
fn assert_valid(format: &str, value: &Value, place: &str) {
    let (_, validator) = SCHEMAS.iter().find(|(of, _)| *of == format).unwrap();
    let violations: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {}", error.instance_path(), error.masked())).collect();
    assert!(violations.is_empty(), "{place} is not valid under the schema of {format}: {violations:#?}");
}

/// If this is a report, a comparison or the sum of a soak, it is valid.
pub(crate) fn document(value: &Value, place: &str) {
    let format = value["format"].as_str().unwrap_or_default();
    if ["crdible-report/1", "crdible-comparison/1", "crdible-soak/1"].contains(&format) {
        assert_valid(format, value, place);
    }
}

/// If this is a journal, a report or a comparison, it is valid. A line that is no JSON was cut off, by the test.
pub(crate) fn file(path: &Path, text: &str) {
    let place = path.display().to_string();
    if text.starts_with("{\"k\":\"header\",\"format\":\"crdible-journal/2\"") {
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            assert_valid("crdible-journal/2", &line, &format!("{place}: {line}"));
        }
    } else if let Ok(value) = serde_json::from_str::<Value>(text) {
        document(&value, &place);
    }
}

#[test]
#[should_panic(expected = "Additional properties are not allowed")]
fn an_unknown_field_of_a_line_would_be_found() {
    let line = json!({ "k": "event", "kind": "note", "detail": "", "new": 1 });
    assert_valid("crdible-journal/2", &line, "here");
}

#[test]
#[should_panic(expected = "is a required property")]
fn a_missing_field_of_a_line_would_be_found() {
    assert_valid("crdible-journal/2", &json!({ "k": "event", "kind": "note" }), "here");
}
