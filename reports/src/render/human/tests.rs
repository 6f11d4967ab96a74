#![allow(clippy::unwrap_used)]

use crate::journal::{Body, Case, Event, Journal, Outcome, RecordedFinding, Reproduced, StopReason};
use crate::model::{RequirementResult, Status};
use crate::render::{Style, human};
use crate::sample::{KNOWN, case, catalogue, clean, eventful, failing, finding, fold, planned, signature, unsupported};

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
    journal.plan.unsupported = (100..120).map(|number| unsupported(&format!("TABLE-{number}"), "tables")).collect();
    insta::assert_snapshot!(rendered(&journal, ""));
}

/// As many as a run that ends early leaves.
#[test]
fn many_requirements_that_were_not_judged_are_one_line() {
    let mut report = fold(&clean(), "");
    let one = report.requirements[0].clone();
    report.requirements.extend((100..120).map(|number| RequirementResult {
        id: format!("TABLE-{number}"),
        status: Status::Inconclusive,
        ..one.clone()
    }));
    let text = human(&report, &catalogue(), Style::default());
    assert!(text.contains(" of 24 requirements were not judged\n"), "{text}");
    assert!(text.contains("\ninconclusive     TABLE-100 ") && text.contains(" TABLE-111 and 8 more\n"), "{text}");
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
        "the field /spec/a/x was returned although no schema declares it\n",
        "PRUNE-001/e1 — undeclared fields (MUST): also below `additionalProperties`.\n\
         PRUNE-001 — undeclared fields (MUST)\n",
        "kind: CustomResourceDefinition",
        "kind: Thing",
        "curl -sS -X POST",
        "- expected",
        "crdible replay crdible-failures/f3.json\nsignature prune-undeclared:body-equal:content:unexpected\n",
    ];
    let places: Vec<usize> =
        parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
}

/// The clean run with errors: the property, the number of scenarios, and their text.
fn with_errors(errors: &[(&str, u64, &str)]) -> Journal {
    let mut journal = clean();
    for &(property, count, text) in errors {
        journal.plan.properties.push(planned(property, &["PRUNE-002"], 0));
        let error = |index| Case { detail: Some(text.to_owned()), ..case(property, index, Outcome::Error, &[]) };
        journal.cases.extend((0..count).map(error));
    }
    journal
}

#[test]
fn errors_with_the_same_text_are_one_line() {
    let text = rendered(
        &with_errors(&[
            ("a", 1, "late"),
            ("b", 2, "reset"),
            ("c", 1, "reset"),
            ("d", 1, "reset"),
            ("e", 1, "no"),
            ("f", 1, "no"),
        ]),
        "",
    );
    let lines = "4 errors, such as: reset (b, scenario 0, and 2 more properties)\n\
                 2 errors: no (e, scenario 0, and 1 more property)\n\
                 1 error: late (a, scenario 0)\n";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn only_some_texts_of_errors_are_shown() {
    let texts: Vec<String> = (0..7).map(|number| format!("text {number}")).collect();
    let errors: Vec<(&str, u64, &str)> = texts.iter().map(|text| (text.as_str(), 1, text.as_str())).collect();
    let text = rendered(&with_errors(&errors), "");
    assert!(text.contains("1 error: text 4 (") && !text.contains("1 error: text 5 ("), "{text}");
    assert!(text.contains("\nand 2 other kinds of error\n"), "{text}");
}

/// A failure of its own property.
fn failure(number: u32, requirement: &str, symptom: &str) -> RecordedFinding {
    let property = format!("prune-{number:02}");
    let mut finding = finding(&property, 3, &[requirement], &signature(&property, "get", "content", "unexpected"));
    symptom.clone_into(&mut finding.symptom);
    finding.failure.summary = format!("the field /spec/{number} was returned");
    finding.replay.path = Some(format!("crdible-failures/f{number}.json"));
    finding
}

/// From the first of these words on.
fn from<'a>(text: &'a str, words: &str) -> &'a str {
    &text[text.find(words).unwrap_or_else(|| panic!("no {words:?} in {text}"))..]
}

#[test]
fn ten_failures_are_shown_in_full_and_the_others_in_a_line() {
    let mut journal = clean();
    journal.findings.extend((0..10).map(|number| failure(number, "PRUNE-001", "")));
    journal.findings.extend((10..13).map(|number| failure(number, "PRUNE-003", "warnings are missing")));
    let mut flaky = failure(13, "PRUNE-003", "");
    flaky.reproduced.times = 1;
    flaky.replay.path = None;
    journal.findings.push(flaky);
    journal.cases.push(failing("prune-undeclared", 3, &[0, 1], &signature("prune-undeclared", "late", "", "x")));
    let text = rendered(&journal, "");
    assert!(text.contains("── failure 10 of 12 ──") && !text.contains("── failure 11"), "{text}");
    insta::assert_snapshot!(from(&text, "── 2 more failures"));
}

#[test]
fn an_entry_lists_where_else_it_was_seen() {
    let mut journal = clean();
    journal.findings.extend((0..9).map(|number| failure(number, "PRUNE-001", "unknown keys stay")));
    // Two failures of one property are one line if they look the same.
    for number in [1, 2] {
        let mut same = failure(0, "PRUNE-001", "unknown keys stay");
        same.failure.signature.reason = number.to_string();
        journal.findings.push(same);
    }
    journal.findings[1].reproduced.times = 1;
    let text = rendered(&journal, "");
    assert!(text.contains("reproduced 3 of 3 times; also seen as 10 other failures (below)\n"), "{text}");
    insta::assert_snapshot!(from(&text, "replay\n"));
}

#[test]
fn failures_that_only_share_an_area_are_not_reported_as_one_cause() {
    let mut journal = clean();
    for (number, place) in
        ["a / enum / 1", "a / enum / 2", "c / d / 1", "e / f / 1", "g / h / 1"].into_iter().enumerate()
    {
        journal.findings.push(failure(u32::try_from(number).unwrap(), "PRUNE-001", place));
    }
    journal.findings[1].failure.requirements = ["PRUNE-001", "PRUNE-001/e1"].map(str::to_owned).to_vec();
    let text = rendered(&journal, "");
    assert!(text.contains("reproduced 3 of 3 times; 1 other failure of a (below)\n"), "{text}");
    let list = "\nother failures of a (they may have other causes)\n\
                PRUNE-001/e1 prune-01: the field /spec/1 was returned\n";
    assert!(text.contains(list), "{text}");
}

#[test]
fn an_entry_counts_what_it_is_about_and_lists_one_of_each_first() {
    let mut journal = clean();
    let of = |requirement: &str| format!("11.3 Update and patch / {requirement}");
    let about = ["REST-034", "REST-034", "REST-035", "REST-034", "REST-028"];
    journal.findings.extend((0..).zip(about).map(|(number, about)| failure(number, "PRUNE-001", &of(about))));
    // More areas than are separate by requirement.
    journal.findings.extend((5..17).map(|number| failure(number, "PRUNE-001", &format!("area {number} / x"))));
    journal.findings[0].promise = "a merge patch follows RFC 7386".to_owned();
    let text = rendered(&journal, "");
    let entry = from(&text, "── failure 1 of");
    assert!(entry.contains("\nthe field /spec/0 was returned\npromised: a merge patch follows RFC 7386\n"), "{entry}");
    let list = "other failures of 11.3 Update and patch (they may have other causes)\n\
                REST-034 3, REST-028 1, REST-035 1\n\
                PRUNE-001 prune-02: the field /spec/2 was returned\n\
                PRUNE-001 prune-04: the field /spec/4 was returned\n\
                PRUNE-001 prune-01: the field /spec/1 was returned\n";
    assert!(entry.contains(list), "{entry}");
}

/// Its scenario is known, and so is what came.
#[test]
fn a_failure_that_the_run_ended_before_it_was_confirmed_says_what_was_expected() {
    let mut journal = clean();
    let mut seen = failure(0, "PRUNE-001", "");
    seen.unconfirmed = true;
    seen.reproduced = Reproduced::default();
    journal.findings.push(seen);
    let text = rendered(&journal, "");
    assert!(text.starts_with("verdict: incomplete: 1 failure could not be confirmed"), "{text}");
    assert!(text.contains("PRUNE-001 — undeclared fields (MUST)"), "{text}");
    assert!(text.contains("; not confirmed\n") && text.contains("\nexpected and actual\n"), "{text}");
}

#[test]
fn a_document_says_what_is_meant_by_it() {
    let mut journal = eventful();
    let definition = journal.findings[0].minimal.definitions[0].clone();
    let request = &mut journal.findings[0].minimal.requests[0];
    request.body = Some(Body::Text(definition.to_string()));
    request.about = Some("without a scope".to_owned());
    let text = rendered(&journal, "");
    assert!(text.contains("\nsmallest definition\n# without a scope\napiVersion: "), "{text}");
    assert!(text.contains("\n# without a scope\n# response: 201\ncurl -sS -X POST"), "{text}");
}

#[test]
fn a_capability_test_is_not_called_a_property() {
    let mut journal = clean();
    let mut missing = failure(0, "PRUNE-001", "");
    missing.failure.signature = signature("capability-pruning", "nothing-stored", "", "unable");
    journal.findings.push(missing.clone());
    let text = rendered(&journal, "");
    assert!(text.contains("\ncapability test capability-pruning, check nothing-stored; "), "{text}");

    journal.findings.clear();
    journal.cases.push(failing("prune-undeclared", 3, &[0], &missing.failure.signature));
    let text = rendered(&journal, "");
    let seen = "── 1 failure seen, but not confirmed before the run ended ──\n\ncrdible run --seed 42\n";
    assert!(text.contains(seen), "{text}");
}

#[test]
fn only_files_that_there_are_can_be_replayed() {
    let mut journal = clean();
    journal.findings.extend((0..11).map(|number| failure(number, "PRUNE-001", "")));
    assert!(rendered(&journal, "").contains("each failure in full; `crdible replay FILE` runs one of these"));
    journal.findings.iter_mut().for_each(|finding| finding.replay.path = None);
    assert!(rendered(&journal, "").contains("each failure in full\n"));
}

#[test]
fn answers_that_disagree_are_named() {
    let mut journal = clean();
    let mut found = failure(0, "PRUNE-001", "");
    found.failure.between = Some(Box::new(["the answer to POST", "the answer to GET"].map(str::to_owned)));
    journal.findings.push(found);
    let text = rendered(&journal, "");
    assert!(!text.contains("expected and actual"), "{text}");
    insta::assert_snapshot!(from(&text, "two answers"));
}

#[test]
fn missing_capabilities_are_ordered_by_what_they_keep_from_being_judged() {
    let mut journal = clean();
    let mut missing = failure(0, "PRUNE-001", "");
    missing.failure.signature = signature("capability-pruning", "capability", "", "unable");
    missing.lacks = Some("pruning".to_owned());
    journal.findings.push(missing);
    let skipped = [("a", "defaulting"), ("b", "pruning"), ("c", "pruning")];
    journal.events.extend(skipped.map(|(property, capability)| Event::about(property, Event::SKIPPED, capability)));
    journal
        .events
        .extend([1, 2].map(|_| Event::new(Event::NOTE, "the target rejects Protobuf with 400 instead of 406")));
    journal.events.push(Event::new("http-429", "waited 1 s"));
    journal.footer.as_mut().unwrap().stop_reason = StopReason::Interrupted;
    let text = rendered(&journal, "");
    let end = text.find("── failure").unwrap();
    insta::assert_snapshot!(&text[..end]);
}

#[test]
fn a_known_failure_is_one_sentence() {
    let known = KNOWN.replace("are missing\"", "are missing. Others are not.\"");
    let expected = "known failure DEFAULT-001: defaults of the root are missing. Others are not \
                    (https://issues.example/7); seen as default-missing:body-equal:content:missing in 1 scenario\n";
    assert!(rendered(&eventful(), &known).contains(expected), "{}", rendered(&eventful(), &known));
}

#[test]
fn many_reasons_are_cut_short() {
    let mut journal = clean();
    journal.findings.push(failure(0, "PRUNE-001", ""));
    for number in 0..8 {
        journal.plan.properties.push(planned(&format!("p{number}"), &["PRUNE-002"], 5));
    }
    let text = rendered(&journal, "");
    assert!(text.contains("\nalso: p4 judged 0 of at least 5 cases\nalso: 3 more reasons\n"), "{text}");
}
