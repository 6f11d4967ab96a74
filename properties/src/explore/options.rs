//! Query parameters and options: valid ones, invalid ones, and ones without effect.

use crdible_scenario::QueryFromAnswer;

use crate::prelude::*;

/// A parameter with a value from an earlier answer.
pub(super) fn from_answer(name: &str, step: StepId, pointer: &str) -> QueryFromAnswer {
    QueryFromAnswer { name: name.to_owned(), step, pointer: pointer.to_owned() }
}

/// Parameters of a create, update or patch.
pub(super) fn of_write(choices: &mut Choices) -> Vec<(String, String)> {
    let mut query = Vec::new();
    if choices.chance(1, 3) {
        query.push(one(choices, "fieldValidation", &["Strict", "Warn", "Ignore", "", "strict", "Bogus"]));
    }
    if choices.chance(1, 6) {
        query.push(one(choices, "dryRun", &["All", "", "all", "None"]));
    }
    if choices.chance(1, 6) {
        let long = "m".repeat(129);
        query.push(one(choices, "fieldManager", &["me", "", "a b", "a\nb", long.as_str(), &long[1..]]));
    }
    if choices.chance(1, 12) {
        query.push(one(choices, "force", &["true", "false", "x"]));
    }
    query.extend(without_effect(choices));
    query
}

/// Parameters of a GET of one object.
pub(super) fn of_get(choices: &mut Choices) -> Vec<(String, String)> {
    let mut query = Vec::new();
    // At `0` a server may show an older state, and for a value that is not a number kube-apiserver returns 500.
    if choices.chance(1, 12) {
        query.push(one(choices, "resourceVersion", &[""]));
    }
    query.extend(without_effect(choices));
    query
}

/// Parameters of a list, except selectors and values from earlier answers.
pub(super) fn of_list(choices: &mut Choices) -> Vec<(String, String)> {
    let mut query = Vec::new();
    if choices.chance(1, 2) {
        query.push(one(choices, "limit", &["1", "2", "0", "500", "-1", "x", ""]));
    }
    if choices.chance(1, 12) {
        query.push(one(choices, "continue", &["abc", "", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ"]));
    }
    if choices.chance(1, 6) {
        query.push(one(choices, "resourceVersion", &["", "abc", "-1"]));
    }
    if choices.chance(1, 8) {
        query.push(one(choices, "resourceVersionMatch", &["NotOlderThan", "Exact", "", "Bogus"]));
    }
    if choices.chance(1, 16) {
        query.push(one(choices, "timeoutSeconds", &["5", "0", "-1", "x"]));
    }
    if choices.chance(1, 16) {
        query.push(one(choices, "sendInitialEvents", &["true", "false", "x"]));
    }
    query.extend(without_effect(choices));
    query
}

/// The body of a DELETE; `None` for no body.
pub(super) fn of_deletion(choices: &mut Choices) -> Option<Value> {
    if choices.chance(1, 3) {
        return None;
    }
    let mut options = json!({});
    if choices.chance(1, 2) {
        options["kind"] = json!(*choices.pick(&["DeleteOptions", "Bogus"]));
        options["apiVersion"] = json!(*choices.pick(&["v1", "meta.k8s.io/v1", "example.com/v1", "apps/v1"]));
    }
    if choices.chance(1, 3) {
        options["propagationPolicy"] =
            json!(*choices.pick(&["Background", "Foreground", "Orphan", "background", "Bogus", ""]));
    }
    if choices.chance(1, 6) {
        options["orphanDependents"] = json!(choices.chance(1, 2));
    }
    if choices.chance(1, 4) {
        options["gracePeriodSeconds"] = json!(*choices.pick(&[0, 1, 30, -1]));
    }
    if choices.chance(1, 6) {
        options["dryRun"] = choices.pick(&[json!(["All"]), json!([]), json!(["None"]), json!("All")]).clone();
    }
    if choices.chance(1, 4) {
        options["preconditions"] = choices
            .pick(&[
                json!({}),
                json!({ "uid": "00000000-0000-0000-0000-000000000000" }),
                json!({ "uid": "" }),
                json!({ "resourceVersion": "1" }),
                json!({ "resourceVersion": "abc" }),
            ])
            .clone();
    }
    if choices.chance(1, 12) {
        options["unknown"] = json!(1);
    }
    Some(options)
}

/// Query parameters of a DELETE.
pub(super) fn of_delete(choices: &mut Choices) -> Vec<(String, String)> {
    let mut query = Vec::new();
    if choices.chance(1, 8) {
        query.push(one(choices, "propagationPolicy", &["Background", "Foreground", "Orphan", "Bogus", ""]));
    }
    if choices.chance(1, 8) {
        query.push(one(choices, "gracePeriodSeconds", &["0", "5", "-1", "x"]));
    }
    if choices.chance(1, 8) {
        query.push(one(choices, "dryRun", &["All", "all"]));
    }
    query
}

/// Parameters without effect.
fn without_effect(choices: &mut Choices) -> Vec<(String, String)> {
    if choices.chance(1, 12) { vec![one(choices, "unknown", &["1", ""])] } else { Vec::new() }
}

/// This parameter with one of these values.
pub(super) fn one(choices: &mut Choices, name: &str, values: &[&str]) -> (String, String) {
    (name.to_owned(), (*choices.pick(values)).to_owned())
}

/// Selectors of a list or of a deletion.
pub(super) fn selectors(choices: &mut Choices) -> Vec<(String, String)> {
    let mut query = Vec::new();
    if choices.chance(1, 3) {
        query.push(one(choices, "labelSelector", LABELS));
    }
    if choices.chance(1, 3) {
        query.push(one(choices, "fieldSelector", FIELDS));
    }
    query
}

const LABELS: &[&str] = &[
    "tier=a",
    "tier==b",
    "tier!=a",
    "tier",
    "!tier",
    "tier in (a,b)",
    "tier notin (a)",
    "tier in ()",
    "tier in (a,)",
    "app=x,tier=a",
    " app = x , tier",
    "app>1",
    "tier=",
    "",
    ",",
    "a b",
    "tier=a=b",
    "-bad=no",
    "tier in a",
    "tier=ä",
];

const FIELDS: &[&str] = &[
    "metadata.name=other",
    "metadata.name!=other",
    "metadata.namespace=default",
    "metadata.namespace!=default",
    "spec.text=a",
    "spec.text!=a",
    "spec.text==b",
    "spec.text=",
    "spec.number=1",
    "spec.number=01",
    "spec.number=3",
    "spec.flag=true",
    "spec.flag!=true",
    "spec.filled=in",
    "spec.text=a,spec.number=1",
    "spec.text=\\,",
    "spec.text=a\\",
    "spec.moment=never",
    "spec",
    "=",
    "",
    ",",
    "metadata.labels=a",
    "spec.text in (a)",
    " spec.text=a",
    "spec.text=a ",
];
