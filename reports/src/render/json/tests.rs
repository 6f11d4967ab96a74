#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::{comparison_json, json};
use crate::check::Form;
use crate::journal::{Event, Journal, StopReason};
use crate::model::Report;
use crate::sample::{KNOWN, clean, eventful, fold, known, second_target, today};

fn violations(report: &Value) -> Vec<String> {
    violations_of(Form::Report.schema(), report)
}

fn violations_of(schema: &str, report: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn parsed(report: &Report) -> Value {
    serde_json::from_str(&json(report)).unwrap()
}

#[test]
fn an_eventful_run() {
    insta::assert_snapshot!(json(&fold(&eventful(), KNOWN)));
}

/// The eventful run with another failure of the same symptom, a missing capability and a note.
fn grouped() -> Journal {
    let mut journal = eventful();
    let first = &mut journal.findings[0];
    first.symptom = "unknown keys stay".to_owned();
    first.lacks = Some("pruning".to_owned());
    first.failure.between = Some(Box::new(["the answer to POST", "the answer to GET"].map(str::to_owned)));
    let mut other = first.clone();
    other.failure.signature.check = "other".to_owned();
    journal.findings.push(other);
    journal.events.push(Event::about("prune-deep", Event::SKIPPED, "pruning"));
    journal.events.push(Event::new(Event::NOTE, "the target rejects Protobuf"));
    journal
}

#[test]
fn grouped_failures_and_missing_capabilities_are_in_the_json() {
    let report = parsed(&fold(&grouped(), ""));
    assert_eq!(report["counts"]["findings"], 3);
    assert_eq!(report["lacks"], json!([{"capability": "pruning", "properties": ["prune-deep"], "failure": 1}]));
    assert_eq!(report["notes"], json!(["the target rejects Protobuf"]));
    let entry = &report["failures"][0];
    assert_eq!(entry["symptom"], "unknown keys stay");
    assert_eq!(entry["between"], json!(["the answer to POST", "the answer to GET"]));
    let also = json!([{
        "signature": "prune-undeclared:other:content:unexpected",
        "symptom": "unknown keys stay",
        "requirements": ["PRUNE-001", "PRUNE-001/e1"],
        "summary": "the field /spec/a/x was returned although no schema declares it",
        "evidence": "confirmed",
        "occurrences": 1,
        "replay": "crdible replay crdible-failures/f3.json",
    }]);
    assert_eq!(entry["also"], also);
    assert!(report["events"].as_array().unwrap().iter().any(|event| event["kind"] == "skipped"), "{report}");
}

#[test]
fn every_report_is_valid_under_the_published_schema() {
    let mut killed = eventful();
    killed.footer = None;
    killed.findings.clear();
    let grouped = grouped();
    let mut unusable = Journal::new(crate::sample::header());
    unusable.footer =
        Some(crate::journal::Footer { stop_reason: StopReason::TargetUnusable, ..crate::sample::footer() });
    for journal in [clean(), eventful(), grouped, killed, unusable] {
        for known in ["", KNOWN] {
            let report = fold(&journal, known);
            assert_eq!(violations(&parsed(&report)), Vec::<String>::new());
            assert_eq!(json(&report), json(&fold(&journal, known)), "the same bytes each time");
            assert_eq!(serde_json::from_str::<Report>(&json(&report)).unwrap(), report, "a report is read back");
        }
    }
}

#[test]
fn the_schema_rejects_invalid_reports() {
    let good = parsed(&fold(&eventful(), KNOWN));
    for (pointer, bad) in [
        ("/format", json!("crdible-report/2")),
        ("/verdict", json!("fine")),
        ("/seed", json!(-1)),
        ("/counts/cases", json!("7")),
        ("/requirements/0/level", json!("must")),
        ("/requirements/0/status", json!("xfail")),
        ("/failures/0/occurrences", json!(0)),
        ("/failures/0/replay/command", json!(null)),
        ("/known_entries/0/state", json!("gone")),
        ("/target/kind", json!(1)),
    ] {
        let mut report = good.clone();
        *report.pointer_mut(pointer).unwrap() = bad;
        assert_eq!(violations(&report).len(), 1, "{pointer}");
    }
}

/// The schema, with no field allowed that it does not describe.
fn strict(schema: &str) -> String {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(fields) => {
                if fields.contains_key("properties") {
                    fields.insert("additionalProperties".to_owned(), json!(false));
                }
                fields.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    close(&mut schema);
    schema.to_string()
}

// Minor versions add fields, so the published schemas allow unknown ones; these tests do not.

#[test]
fn the_schema_describes_every_field_of_a_report() {
    for journal in [eventful(), grouped()] {
        let report = parsed(&fold(&journal, KNOWN));
        assert_eq!(violations_of(&strict(Form::Report.schema()), &report), Vec::<String>::new());
    }
}

#[test]
fn the_schema_describes_every_field_of_a_comparison() {
    let mut journal = eventful();
    journal.header.second_target = Some(second_target());
    journal.findings[0].failure.between = Some(Box::new(["one answer", "another"].map(str::to_owned)));
    journal.findings[0].second_requests = journal.findings[0].minimal.requests.clone();
    for footer in [journal.footer.clone(), None] {
        journal.footer = footer;
        let comparison = crate::compare(&journal, &known(KNOWN), today());
        let text = comparison_json(&comparison);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(violations_of(&strict(Form::Comparison.schema()), &value), Vec::<String>::new());
        assert_eq!(serde_json::from_str::<crate::Comparison>(&text).unwrap(), comparison, "it can be read back");
    }
}

#[test]
fn the_fields_that_scripts_rely_on_exist() {
    let report = parsed(&fold(&eventful(), KNOWN));
    for pointer in [
        "/verdict",
        "/seed",
        "/target",
        "/counts",
        "/requirements/0/id",
        "/requirements/0/level",
        "/requirements/0/status",
        "/requirements/0/cases",
        "/requirements/0/failures",
        "/failures/0/property",
        "/failures/0/requirements/0",
        "/failures/0/signature",
        "/failures/0/summary",
        "/failures/0/replay",
    ] {
        assert!(report.pointer(pointer).is_some_and(|value| !value.is_null()), "{pointer}");
    }
}
