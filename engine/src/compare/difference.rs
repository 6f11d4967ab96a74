//! Where two transcripts of one scenario differ, as failures.

use std::collections::BTreeSet;

use crdible_journal::{Failure, Signature};
use crdible_scenario::{
    Action, Method, Request, Resource, Scenario, Step,
    judge::{FailedCheck, kind_of_place, was_left_out},
    transcript::Transcript,
};
use serde_json::{Value, json};

use super::{
    normal::{Messages, Normaliser},
    places::{Place, places},
};

/// One place where the answers to a step differ.
#[derive(Clone, Debug, PartialEq)]
pub struct StepDifference {
    /// The step.
    pub step: usize,
    /// The place and the kind of the difference.
    pub place: Place,
    /// The normalised answer of the first target; null if it has none.
    pub first: Value,
    /// That of the second.
    pub second: Value,
}

/// Compares two transcripts of a scenario of this property; `runs` are the IDs of their runs. *Expected* is the answer
/// of the first target, *actual* that of the second.
pub fn compare(
    property: &str,
    scenario: &Scenario,
    transcripts: [&Transcript; 2],
    runs: [&str; 2],
    messages: Messages,
) -> Vec<FailedCheck> {
    let steps = differences(scenario, transcripts, runs, messages).into_iter();
    let mut failed: Vec<FailedCheck> = steps.map(|difference| difference.into_failed(property, scenario)).collect();
    failed.extend(refusals(property, scenario, transcripts, runs, messages));
    failed
}

/// The steps at which two transcripts of a scenario differ. A difference that follows from an earlier one (an object
/// that was stored differently is read back) is not listed.
pub fn differences(
    scenario: &Scenario,
    transcripts: [&Transcript; 2],
    runs: [&str; 2],
    messages: Messages,
) -> Vec<StepDifference> {
    let [first, second] = [0, 1].map(|at| Normaliser::transcript(runs[at], scenario, transcripts[at], messages));
    let mut found = Vec::new();
    let mut differing = BTreeSet::new();
    for (step, (first, second)) in first.iter().zip(&second).enumerate() {
        if was_left_out(scenario, transcripts[0], step) != was_left_out(scenario, transcripts[1], step) {
            // A rejection before it, or dry runs that one ignores, are the difference.
            differing.insert(step);
            continue;
        }
        let (first, second) = (first.clone().unwrap_or_default(), second.clone().unwrap_or_default());
        let places = places(&first, &second);
        if places.is_empty() || scenario.basis_of(step).iter().any(|basis| differing.contains(basis)) {
            continue;
        }
        differing.insert(step);
        let at = |place| StepDifference { step, place, first: first.clone(), second: second.clone() };
        found.extend(places.into_iter().map(at));
    }
    let is_refused = transcripts.iter().any(|transcript| transcript.refusal.is_some());
    if found.is_empty() && !is_refused && first.len() != second.len() {
        let step = first.len().min(second.len()).saturating_sub(1);
        let place = Place { path: "ended".to_owned(), kind: "assumption".to_owned() };
        let went_on = |answers: &Vec<Option<Value>>| json!({ "goes on": answers.len() > step + 1 });
        found.push(StepDifference { step, place, first: went_on(&first), second: went_on(&second) });
    }
    found
}

/// The difference between the installations of a definition, if one target rejected it and the other did not, or
/// rejected it differently.
fn refusals(
    property: &str,
    scenario: &Scenario,
    transcripts: [&Transcript; 2],
    runs: [&str; 2],
    messages: Messages,
) -> Option<FailedCheck> {
    let refused = transcripts.iter().filter_map(|transcript| transcript.refusal.as_ref());
    // Only the first: the rest follow from it.
    let step = refused.map(|refusal| refusal.step).min()?;
    let installation = |target: usize| {
        let transcript = transcripts[target];
        match &transcript.refusal {
            Some(refusal) if refusal.step == step => {
                Some(Normaliser::new(runs[target], scenario, messages).answer(&refusal.answer, false))
            }
            // It is unknown whether it would have been installed if an assumption ended the scenario earlier.
            _ if step.is_some_and(|step| transcript.answers.len() <= step) => None,
            _ => Some(json!({ "status": "2xx" })),
        }
    };
    let (first, second) = (installation(0)?, installation(1)?);
    (first != second).then(|| installation_difference(property, step, first, second))
}

/// The failure for two different answers to a definition, at least one of which is a rejection.
fn installation_difference(property: &str, step: Option<usize>, first: Value, second: Value) -> FailedCheck {
    let status = |side: &Value| side["status"].to_string().replace('"', "");
    let cause = [&first, &second].iter().find_map(|side| side.pointer("/causes/0").cloned()).unwrap_or_default();
    let text = |key: &str| cause.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let kind = format!("{}-{}-{}", status(&first), status(&second), text("reason"));
    let summary = format!("a definition of the scenario: {} and {} {}", status(&first), status(&second), text("field"));
    let failure = Failure {
        signature: Signature::new(property, "definition", kind_of_place(&text("field")), kind),
        requirements: Vec::new(),
        summary: summary.trim_end().to_owned(),
        expected: first,
        actual: second,
        between: None,
    };
    FailedCheck { check: None, step, place: String::new(), failure }
}

impl StepDifference {
    /// The difference as a failure of the step. Its requirements are those of the checks
    /// on the step; none if there is no check on it.
    fn into_failed(self, property: &str, scenario: &Scenario) -> FailedCheck {
        let name = scenario.steps.get(self.step).map_or_else(String::new, step_name);
        let mut requirements: Vec<String> = Vec::new();
        for check in scenario.checks.iter().filter(|check| check.step == self.step) {
            for asserted in &check.asserts {
                if !requirements.contains(asserted) {
                    requirements.push(asserted.clone());
                }
            }
        }
        let place = if self.place.is_generated() { kind_of_place(&self.place.path) } else { self.place.path.clone() };
        let Place { path, kind } = self.place;
        let failure = Failure {
            summary: format!("the answers to step {} ({name}) differ: {kind} at {path}", self.step),
            signature: Signature::new(property, name, place, kind),
            requirements,
            expected: self.first,
            actual: self.second,
            between: None,
        };
        let check = scenario.checks.iter().position(|check| check.step == self.step);
        FailedCheck { check, step: Some(self.step), place: String::new(), failure }
    }
}

/// What a step does, in one word. It is part of the signature, so it contains nothing generated.
fn step_name(step: &Step) -> String {
    let Action::Send(request) = &step.action else { return "install".to_owned() };
    let Request { method, resource, dry_run, query, .. } = request.as_ref();
    let about = match resource {
        Resource::Objects { .. } | Resource::Object { .. } => "",
        Resource::Subresource { .. } => "-subresource",
        Resource::Path { .. } => "-path",
        Resource::Definitions | Resource::Definition { .. } => "-definition",
        Resource::Groups { .. } => "-groups",
        Resource::Group { .. } => "-group",
        Resource::GroupVersion { .. } => "-group-version",
        Resource::Published { .. } => "-openapi",
    };
    let verb = match (method, resource) {
        _ if query.iter().any(|(name, _)| name == "watch") => "watch",
        (Method::Get, Resource::Objects { .. } | Resource::Definitions) => "list",
        (Method::Get, _) => "get",
        (Method::Post, _) => "create",
        (Method::Put, _) => "replace",
        (Method::Delete, _) => "delete",
        (Method::MergePatch, _) => "merge-patch",
        (Method::JsonPatch, _) => "json-patch",
        (Method::Apply, _) => "apply",
    };
    let mode = query.iter().find(|(name, _)| name == "fieldValidation").map(|(_, mode)| mode.to_ascii_lowercase());
    let mode = mode.map_or_else(String::new, |mode| format!("-{mode}"));
    format!("{}{verb}{about}{mode}", if *dry_run { "dry-" } else { "" })
}

#[cfg(test)]
mod tests {
    use crdible_scenario::{
        Definition, Plan, Scenario, Version,
        transcript::{Answer, Refusal, Transcript},
    };
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Messages, compare};

    const SCHEMA: &str = "openAPIV3Schema.properties[a].pattern";

    fn answer(status: u16, field: &str) -> Answer {
        let causes = json!([{ "field": field, "reason": "FieldValueInvalid" }]);
        let body = match status {
            200..300 => json!({ "kind": "X" }),
            _ => json!({ "kind": "Status", "reason": "Invalid", "details": { "causes": causes } }),
        };
        Answer { status, body, ..Answer::default() }
    }

    fn refusal(step: Option<usize>) -> Refusal {
        Refusal { step, document: Value::Null, answer: answer(422, SCHEMA) }
    }

    /// A create, a changed schema, a create.
    fn scenario() -> Scenario {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        plan.create(definition, json!({}));
        plan.install_versions(definition, vec![Version::only(json!({}))]);
        plan.create(definition, json!({}));
        plan.finish()
    }

    fn signatures(first: &Transcript, second: &Transcript) -> Vec<String> {
        let failed = compare("p", &scenario(), [first, second], ["r1", "r2"], Messages::Free);
        failed.iter().map(|failed| failed.failure.signature.to_string()).collect()
    }

    /// A transcript of these answers to the first steps.
    fn transcript(statuses: &[u16], refusal: Option<Refusal>) -> Transcript {
        let mut answers: Vec<Option<Answer>> = statuses.iter().map(|&status| Some(answer(status, "spec.a"))).collect();
        if answers.len() > 1 {
            answers.insert(1, None);
        }
        Transcript { answers, refusal, ..Transcript::default() }
    }

    #[rstest]
    #[case::none(transcript(&[201, 201], None), &[])]
    #[case::before_the_first_step(transcript(&[], Some(refusal(None))), &["p:definition:pattern:2xx-422-Invalid"])]
    #[case::later(transcript(&[201], Some(refusal(Some(1)))), &["p:definition:pattern:2xx-422-Invalid"])]
    #[case::later_and_a_step(transcript(&[409], Some(refusal(Some(1)))),
        &["p:create:status:201-409", "p:definition:pattern:2xx-422-Invalid"])]
    fn a_definition_that_one_rejects_is_a_difference(#[case] second: Transcript, #[case] expected: &[&str]) {
        assert_eq!(signatures(&transcript(&[201, 201], None), &second), expected);
    }

    #[rstest]
    #[case::before_the_first_step(&[], None)]
    #[case::later(&[201], Some(1))]
    fn a_definition_that_both_reject_is_no_difference(#[case] statuses: &[u16], #[case] step: Option<usize>) {
        let refused = transcript(statuses, Some(refusal(step)));
        assert_eq!(signatures(&refused, &refused), Vec::<String>::new());
    }

    #[test]
    fn an_installation_that_was_not_reached_is_no_difference() {
        let ended = transcript(&[409], None);
        assert_eq!(signatures(&ended, &transcript(&[201], Some(refusal(Some(1))))), ["p:create:status:409-201"]);
    }
}
