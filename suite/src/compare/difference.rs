//! Where two transcripts of one scenario differ.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::normal::Normaliser;
use crate::{
    judge::{Failure, equal, signature_of},
    scenario::{Action, Method, Request, Resource, Scenario, Step},
    transcript::Transcript,
};

/// One place at which the answers to a step differ.
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

/// Where and how two answers differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `status`, `warnings`, `group`, `reason`, `causes`, `ended`, or a JSON pointer into the body.
    pub path: String,
    /// How, in a word: `missing` and `unexpected` are told of the second target.
    pub kind: String,
}

/// At most so many places of one step: more of them say nothing new.
const PLACES: usize = 8;

/// Compares two transcripts of a scenario; `runs` are the IDs of the runs in which they were made. A difference that stands
/// on an earlier one (an object is read back that was stored differently) is its consequence, and is not told.
pub fn differences(scenario: &Scenario, transcripts: [&Transcript; 2], runs: [&str; 2]) -> Vec<StepDifference> {
    let first = Normaliser::transcript(runs[0], scenario, transcripts[0]);
    let second = Normaliser::transcript(runs[1], scenario, transcripts[1]);
    let mut found = Vec::new();
    let mut differing = BTreeSet::new();
    for (step, (first, second)) in first.iter().zip(&second).enumerate() {
        let (first, second) = (first.clone().unwrap_or_default(), second.clone().unwrap_or_default());
        let places = places(&first, &second);
        if places.is_empty() || scenario.basis_of(step).iter().any(|basis| differing.contains(basis)) {
            continue;
        }
        differing.insert(step);
        let at = |place| StepDifference { step, place, first: first.clone(), second: second.clone() };
        found.extend(places.into_iter().map(at));
    }
    if found.is_empty() && first.len() != second.len() {
        let step = first.len().min(second.len()).saturating_sub(1);
        let place = Place { path: "ended".to_owned(), kind: "assumption".to_owned() };
        let went_on = |answers: &Vec<Option<Value>>| json!({ "goes on": answers.len() > step + 1 });
        found.push(StepDifference { step, place, first: went_on(&first), second: went_on(&second) });
    }
    found
}

impl StepDifference {
    /// The difference as a failure of the step: *expected* is the answer of the first target, *actual* that of the second. Its
    /// requirements are those of the checks on the step; none if there is no check on it.
    pub fn into_failure(self, scenario: &Scenario) -> Failure {
        let doing = scenario.steps.get(self.step).map_or_else(String::new, kind_of_step);
        let mut requirements: Vec<String> = Vec::new();
        for check in scenario.checks.iter().filter(|check| check.step == self.step) {
            for asserted in &check.asserts {
                if !requirements.contains(asserted) {
                    requirements.push(asserted.clone());
                }
            }
        }
        let Place { path, kind } = &self.place;
        let is_part_of_answer = !path.starts_with('/') && !kind.contains("-cause-");
        let signature =
            if is_part_of_answer { format!("{doing}:{path}:{kind}") } else { signature_of(&doing, path, kind) };
        Failure {
            check: scenario.checks.iter().position(|check| check.step == self.step).unwrap_or(usize::MAX),
            step: Some(self.step),
            name: doing.clone(),
            requirements,
            summary: format!("the answers to step {} ({doing}) differ: {kind} at {path}", self.step),
            signature,
            expected: self.first,
            actual: self.second,
        }
    }
}

/// The places at which two normalised answers differ. Codes first: where they differ, the rest only follows.
fn places(first: &Value, second: &Value) -> Vec<Place> {
    let place = |path: &str, kind: &str| Place { path: path.to_owned(), kind: kind.to_owned() };
    let (Some(one), Some(other)) = (first.as_object(), second.as_object()) else {
        return if first == second { Vec::new() } else { vec![place("ended", "one-sided")] };
    };
    if one.get("status") != other.get("status") {
        let code = |answer: &Map<String, Value>| answer.get("status").map_or_else(String::new, Value::to_string);
        return vec![place("status", &format!("{}-{}", code(one), code(other)))];
    }
    let mut found: Vec<Place> = ["reason", "warnings", "group"]
        .into_iter()
        .filter(|key| one.get(*key) != other.get(*key))
        .map(|key| place(key, "changed"))
        .collect();
    found.extend(causes(one.get("causes"), other.get("causes")));
    bodies(
        one.get("body").unwrap_or(&Value::Null),
        other.get("body").unwrap_or(&Value::Null),
        &mut String::new(),
        &mut found,
    );
    found.truncate(PLACES);
    found
}

/// The causes that only one of two multisets holds.
fn causes(first: Option<&Value>, second: Option<&Value>) -> Vec<Place> {
    let list = |causes: Option<&Value>| causes.and_then(Value::as_array).cloned().unwrap_or_default();
    let (mut missing, mut unexpected) = (list(first), Vec::new());
    for cause in list(second) {
        match missing.iter().position(|other| *other == cause) {
            Some(at) => drop(missing.remove(at)),
            None => unexpected.push(cause),
        }
    }
    let place = |cause: &Value, word: &str| {
        let text = |key: &str| cause.get(key).and_then(Value::as_str).unwrap_or("");
        Place { path: text("field").to_owned(), kind: format!("{word}-cause-{}", text("reason")) }
    };
    let missing = missing.iter().map(|cause| place(cause, "missing"));
    missing.chain(unexpected.iter().map(|cause| place(cause, "unexpected"))).collect()
}

fn bodies(first: &Value, second: &Value, pointer: &mut String, found: &mut Vec<Place>) {
    let length = pointer.len();
    let mut tell = |pointer: &str, kind: &str| {
        let place = Place { path: if pointer.is_empty() { "/" } else { pointer }.to_owned(), kind: kind.to_owned() };
        found.push(place);
    };
    match (first, second) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                match (one.get(key), other.get(key)) {
                    (Some(value), Some(same)) => bodies(value, same, pointer, found),
                    (Some(_), None) => found.push(Place { path: pointer.clone(), kind: "missing".to_owned() }),
                    _ => found.push(Place { path: pointer.clone(), kind: "unexpected".to_owned() }),
                }
                pointer.truncate(length);
                if found.len() >= PLACES {
                    return;
                }
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (value, same)) in one.iter().zip(other).enumerate() {
                pointer.push_str(&format!("/{index}"));
                bodies(value, same, pointer, found);
                pointer.truncate(length);
                if found.len() >= PLACES {
                    return;
                }
            }
        }
        (Value::Array(_), Value::Array(_)) => tell(pointer, "length"),
        (Value::Number(one), Value::Number(other)) if one.to_string() != other.to_string() => {
            // `1` and `1.0` are one number, and yet the one server writes what the other does not.
            let kind = if equal(first, second) { "number-form" } else { "changed" };
            tell(pointer, kind);
        }
        (Value::Null, Value::Null) => {}
        (Value::Null, _) => tell(pointer, "value-instead-of-null"),
        (_, Value::Null) => tell(pointer, "null-instead"),
        _ if first == second => {}
        _ => tell(pointer, "changed"),
    }
}

/// What a step does, in a word: part of the signature, so without anything generated.
fn kind_of_step(step: &Step) -> String {
    let Action::Send(request) = &step.action else { return "install".to_owned() };
    let Request { method, resource, dry_run, query, .. } = request.as_ref();
    let about = match resource {
        Resource::Objects { .. } | Resource::Object { .. } => "",
        Resource::Part { .. } => "-part",
        Resource::Path { .. } => "-path",
        Resource::Definitions | Resource::Definition { .. } => "-definition",
        Resource::Groups { .. } => "-groups",
        Resource::Group { .. } => "-group",
        Resource::GroupVersion { .. } => "-group-version",
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
    };
    let mode = query.iter().find(|(name, _)| name == "fieldValidation").map(|(_, mode)| mode.to_ascii_lowercase());
    let mode = mode.map_or_else(String::new, |mode| format!("-{mode}"));
    format!("{}{verb}{about}{mode}", if *dry_run { "dry-" } else { "" })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Place, places};

    fn accepted(body: Value) -> Value {
        json!({ "status": 200, "body": body })
    }

    fn refused(causes: Value) -> Value {
        json!({ "status": 422, "reason": "Invalid", "causes": causes })
    }

    #[rstest]
    #[case::alike(accepted(json!({"a": 1, "b": [null]})), accepted(json!({"b": [null], "a": 1})), &[])]
    #[case::code(accepted(json!({"a": 1})), refused(json!([])), &[("status", "200-422")])]
    #[case::two_places(accepted(json!({"a": 1, "b": {"c": 1}})), accepted(json!({"b": {"c": 2}, "d": 1})),
        &[("/a", "missing"), ("/b/c", "changed"), ("/d", "unexpected")])]
    #[case::null(accepted(json!({"a": null})), accepted(json!({})), &[("/a", "missing")])]
    #[case::number(accepted(json!({"a": 1})), accepted(json!({"a": 1.0})), &[("/a", "number-form")])]
    #[case::length(accepted(json!({"a": [1]})), accepted(json!({"a": []})), &[("/a", "length")])]
    #[case::cause(refused(json!([{"field": "a", "reason": "Invalid"}, {"field": "a", "reason": "Invalid"}])),
        refused(json!([{"field": "a", "reason": "Invalid"}, {"field": "b", "reason": "Required"}])),
        &[("a", "missing-cause-Invalid"), ("b", "unexpected-cause-Required")])]
    #[case::warnings(json!({"status": 200, "warnings": ["x"]}), json!({"status": 200}), &[("warnings", "changed")])]
    fn places_of_differences(#[case] first: Value, #[case] second: Value, #[case] expected: &[(&str, &str)]) {
        let place = |(path, kind): &(&str, &str)| Place { path: (*path).to_owned(), kind: (*kind).to_owned() };
        assert_eq!(places(&first, &second), expected.iter().map(place).collect::<Vec<_>>());
    }
}
