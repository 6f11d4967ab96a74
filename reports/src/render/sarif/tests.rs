#![allow(clippy::unwrap_used)]

use serde_json::Value;

use super::{sarif, uri};
use crate::journal::Journal;
use crate::sample::{KNOWN, catalogue, clean, eventful, fold};

fn log(journal: &Journal, known: &str) -> Value {
    serde_json::from_str(&sarif(&fold(journal, known), &catalogue())).unwrap()
}

/// What SARIF 2.1.0 requires of the parts that are used here.
pub(in crate::render) fn check(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].as_str().is_some_and(|name| !name.is_empty()));
    let levels = ["none", "note", "warning", "error"];
    let rules = driver["rules"].as_array().unwrap();
    let mut ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    for rule in rules {
        assert!(levels.contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
        assert!(rule["shortDescription"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
    }
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(levels.contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        assert!(result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string));
        for location in result["locations"].as_array().unwrap() {
            assert!(location["logicalLocations"][0]["name"].is_string());
            if let Some(file) = location.get("physicalLocation") {
                let address = file["artifactLocation"]["uri"].as_str().unwrap();
                assert!(address.bytes().all(|byte| byte.is_ascii_graphic()), "{address}");
                assert!(file["region"]["startLine"].as_u64() >= Some(1));
            }
        }
        for suppression in result["suppressions"].as_array().into_iter().flatten() {
            assert!(["inSource", "external"].contains(&suppression["kind"].as_str().unwrap()));
        }
    }
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "each rule once");
}

#[test]
fn an_eventful_run() {
    let log = log(&eventful(), KNOWN);
    check(&log);
    insta::assert_snapshot!(format!("{log:#}"));
}

#[test]
fn a_known_failure_is_suppressed_and_a_killed_run_not_successful() {
    let known = log(&eventful(), KNOWN);
    let results = known["runs"][0]["results"].as_array().unwrap().clone();
    let suppressed: Vec<&Value> = results.iter().filter(|result| result.get("suppressions").is_some()).collect();
    assert_eq!(suppressed.len(), 1);
    assert_eq!(suppressed[0]["ruleId"], "DEFAULT-001");
    let killed = log(&Journal { footer: None, ..clean() }, "");
    check(&killed);
    let invocation = &killed["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert!(invocation.get("endTimeUtc").is_none());
    assert!(invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap().contains("killed"));
}

#[test]
fn what_is_reported_together_with_another_failure_is_a_result() {
    let mut journal = eventful();
    journal.findings[0].symptom = "unknown keys stay".to_owned();
    let mut other = journal.findings[0].clone();
    other.failure.signature.check = "other".to_owned();
    journal.findings.push(other);
    let log = log(&journal, KNOWN);
    check(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let listed =
        results.iter().filter(|result| result["message"]["text"].as_str().unwrap().contains("reported together"));
    assert_eq!(listed.count(), 1);
}

#[test]
fn paths_become_uris() {
    assert_eq!(uri("a b\\f1.json"), "a%20b/f1.json");
}
