#![allow(clippy::unwrap_used)]

use crate::journal::{Journal, Outcome, StopReason};
use crate::render::{Style, human};
use crate::sample::{KNOWN, case, catalogue, clean, eventful, failing, finding, fold, signature, unsupported};

fn rendered(journal: &Journal, known: &str) -> String {
    human(&fold(journal, known), &catalogue(), Style::default())
}

#[test]
fn a_clean_run() {
    insta::assert_snapshot!(rendered(&clean(), ""));
}

#[test]
fn an_eventful_run() {
    insta::assert_snapshot!(rendered(&eventful(), KNOWN));
}

#[test]
fn an_eventful_run_in_colour() {
    let text = human(&fold(&eventful(), KNOWN), &catalogue(), Style { color: true });
    insta::assert_snapshot!(text.replace('\u{1b}', "␛"));
}

#[test]
fn a_killed_run() {
    let mut journal = eventful();
    journal.footer = None;
    journal.findings.clear();
    journal.plan.properties[1].minimum = 100;
    insta::assert_snapshot!(rendered(&journal, ""));
}

#[test]
fn flaky_and_weak_failures_and_many_unsupported_requirements() {
    let mut journal = clean();
    for (index, requirement, times) in [(3, "PRUNE-001/e2", 3), (4, "PRUNE-002", 1)] {
        let signature = signature("prune-undeclared", &index.to_string(), "", "");
        journal.cases.push(failing("prune-undeclared", index, &[0], &signature));
        let mut finding = finding("prune-undeclared", index, &[requirement, "PRUNE-999"], &signature);
        finding.failure.requirements.truncate(1);
        finding.reproduced.times = times;
        journal.findings.push(finding);
    }
    journal.plan.unsupported = (100..120).map(|number| unsupported(&format!("TABLE-{number}"), "no tables")).collect();
    insta::assert_snapshot!(rendered(&journal, ""));
}

#[test]
fn an_unusable_target() {
    let mut journal = clean();
    journal.cases.clear();
    journal.plan.properties.clear();
    journal.plan.unsupported.clear();
    journal.footer.as_mut().unwrap().stop_reason = StopReason::TargetUnusable;
    insta::assert_snapshot!(rendered(&journal, ""));
}

#[test]
fn a_failure_is_shown_in_the_order_in_which_a_reader_asks() {
    let text = rendered(&eventful(), KNOWN);
    let parts = [
        "verdict: ",
        "requirements by chapter",
        "seed 42",
        "PRUNE-001 — undeclared fields (MUST): The server MUST drop fields that no schema declares.\n",
        "kind: CustomResourceDefinition",
        "kind: Thing",
        "curl -sS -X POST",
        "- expected",
        "crdible replay crdible-failures/f3.json\n",
    ];
    let places: Vec<usize> =
        parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn only_some_properties_with_errors_show_an_example() {
    let mut journal = clean();
    for number in 0..7 {
        let id = format!("p{number}");
        journal.plan.properties.push(crate::sample::planned(&id, &["PRUNE-002"], 0));
        journal.cases.push(case(&id, 0, Outcome::Error, &[]));
    }
    let text = rendered(&journal, "");
    assert!(text.contains("p4: 1 error; error, scenario 0: no reason given") && !text.contains("p5:"), "{text}");
    assert!(text.contains("and errors in 2 more properties"), "{text}");
}
