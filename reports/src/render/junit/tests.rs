#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::junit;
use crate::journal::{Journal, Outcome};
use crate::sample::{KNOWN, case, catalogue, clean, eventful, failing, finding, fold, signature};

fn rendered(journal: &Journal, known: &str) -> String {
    junit(&fold(journal, known), &catalogue())
}

/// What an element may contain and which attributes it may have, by the schema that CI servers
/// publish; `*` after an attribute: it is required.
const ELEMENTS: [(&str, &[&str], &[&str]); 8] = [
    ("testsuites", &["testsuite"], &["name", "time", "tests", "failures", "errors"]),
    (
        "testsuite",
        &["properties", "testcase", "system-out", "system-err"],
        &["name*", "tests*", "failures", "errors", "time", "skipped"],
    ),
    ("properties", &["property"], &[]),
    ("property", &[], &["name*", "value*"]),
    (
        "testcase",
        &["skipped", "error", "failure", "system-out", "system-err"],
        &["name*", "classname*", "time", "assertions"],
    ),
    ("skipped", &[], &["message"]),
    ("failure", &[], &["type", "message"]),
    ("error", &[], &["type", "message"]),
];

/// Names of elements, from the root, with their attributes.
pub(in crate::render) type Element = (Vec<String>, BTreeMap<String, String>);

/// The elements of an XML document in their order.
pub(in crate::render) fn elements(document: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(document);
    let (mut path, mut found): (Vec<String>, Vec<Element>) = (Vec::new(), Vec::new());
    let attributes = |start: &BytesStart<'_>| -> BTreeMap<String, String> {
        let text = |attribute: quick_xml::events::attributes::Attribute<'_>| {
            let value = String::from_utf8(attribute.value.into_owned()).unwrap();
            let value = quick_xml::escape::unescape(&value).unwrap().into_owned();
            (String::from_utf8(attribute.key.as_ref().to_vec()).unwrap(), value)
        };
        start.attributes().map(|attribute| text(attribute.unwrap())).collect()
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                path.push(String::from_utf8(start.name().as_ref().to_vec()).unwrap());
                found.push((path.clone(), attributes(&start)));
            }
            Event::Empty(start) => {
                let mut path = path.clone();
                path.push(String::from_utf8(start.name().as_ref().to_vec()).unwrap());
                found.push((path, attributes(&start)));
            }
            Event::End(_) => {
                path.pop();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(path.is_empty(), "every element ends");
    found
}

/// Checks a document against [`ELEMENTS`].
pub(in crate::render) fn check(document: &str) -> Vec<Element> {
    let found = elements(document);
    let mut counts: Vec<[u64; 4]> = Vec::new();
    for (path, attributes) in &found {
        let name = path.last().unwrap().as_str();
        if let Some(parent) = path.iter().rev().nth(1) {
            let (_, children, _) = ELEMENTS.iter().find(|(element, _, _)| element == parent).unwrap();
            assert!(children.contains(&name), "{name} in {parent}");
        }
        if name.starts_with("system-") {
            continue;
        }
        let (_, _, allowed) = ELEMENTS.iter().find(|(element, _, _)| *element == name).unwrap();
        for attribute in attributes.keys() {
            assert!(allowed.iter().any(|known| known.trim_end_matches('*') == attribute), "{attribute} of {name}");
        }
        for required in allowed.iter().filter_map(|known| known.strip_suffix('*')) {
            assert!(attributes.contains_key(required), "{name} without {required}");
        }
        match name {
            "testsuite" => counts.push([0; 4]),
            "testcase" => counts.last_mut().unwrap()[0] += 1,
            "failure" => counts.last_mut().unwrap()[1] += 1,
            "error" => counts.last_mut().unwrap()[2] += 1,
            "skipped" => counts.last_mut().unwrap()[3] += 1,
            _ => {}
        }
    }
    let suites = found.iter().filter(|(path, _)| path.last().unwrap() == "testsuite");
    for ((_, attributes), counted) in suites.zip(&counts) {
        let stated = ["tests", "failures", "errors", "skipped"].map(|name| attributes[name].parse::<u64>().unwrap());
        assert_eq!(&stated, counted);
    }
    found
}

/// The outcome of each test.
fn results(document: &str) -> BTreeMap<String, String> {
    let mut results = BTreeMap::new();
    let mut test = String::new();
    for (path, attributes) in check(document) {
        match path.last().unwrap().as_str() {
            "testcase" => {
                test.clone_from(&attributes["name"]);
                results.insert(test.clone(), "passed".to_owned());
            }
            result @ ("failure" | "error" | "skipped") => {
                results.insert(test.clone(), format!("{result}: {}", attributes["message"]));
            }
            _ => {}
        }
    }
    results
}

#[test]
fn an_eventful_run() {
    insta::assert_snapshot!(rendered(&eventful(), KNOWN));
}

#[test]
fn each_status_is_a_result_that_ci_servers_know() {
    let found = results(&rendered(&eventful(), KNOWN));
    assert!(found["PRUNE-001"].starts_with("failure: PRUNE-001/e1 — undeclared fields: the field"), "{found:?}");
    assert_eq!(found["PRUNE-002"], "passed", "an unexpected pass");
    assert_eq!(
        found["DEFAULT-001"],
        "skipped: known failure DEFAULT-001: defaults of the root are missing (https://issues.example/7)"
    );
    assert_eq!(found["DEFAULT-002"], "skipped: the target does not support nulls");
    assert_eq!(found["complete"], "passed", "a nonconformant run has failures, not errors");
}

#[test]
fn an_incomplete_run_has_an_error() {
    let mut killed = clean();
    killed.footer = None;
    killed.cases.retain(|case| case.property != "default-missing");
    killed.cases.push(case("default-missing", 0, Outcome::Error, &[]));
    let found = results(&rendered(&killed, ""));
    assert!(found["complete"].starts_with("error: incomplete: the run was killed"), "{found:?}");
    assert!(found["DEFAULT-001"].starts_with("error: too few cases"), "{found:?}");
}

/// CI must be red exactly if `crdible run` exits with something else than 0.
#[test]
fn a_conformant_run_has_neither_failures_nor_errors() {
    let mut weak = clean();
    let other = signature("prune-undeclared", "warning", "", "missing");
    weak.cases.push(failing("prune-undeclared", 5, &[0], &other));
    weak.findings.push(finding("prune-undeclared", 5, &["PRUNE-003"], &other));
    for journal in [clean(), weak] {
        assert_eq!(fold(&journal, "").exit_code(), 0);
        let found = results(&rendered(&journal, ""));
        assert!(found.values().all(|result| result == "passed" || result.starts_with("skipped")), "{found:?}");
    }
}

#[test]
fn an_unconfirmed_failure_is_an_error() {
    let mut journal = clean();
    journal.cases.push(failing("prune-undeclared", 7, &[3], &signature("prune-undeclared", "new", "", "x")));
    let found = results(&rendered(&journal, ""));
    assert!(found["complete"].starts_with("error: "), "{found:?}");
    assert!(found["PRUNE-002"].starts_with("error: "), "{found:?}");
}

#[test]
fn what_is_reported_together_with_another_failure_fails_too() {
    let mut journal = eventful();
    journal.findings[0].symptom = "unknown keys stay".to_owned();
    let mut other = journal.findings[0].clone();
    other.failure.signature.check = "other".to_owned();
    other.failure.requirements = vec!["PRUNE-002".to_owned()];
    journal.findings.push(other);
    let found = results(&rendered(&journal, ""));
    assert!(found["PRUNE-002"].starts_with("failure: PRUNE-002 — arrays: "), "{found:?}");
}
