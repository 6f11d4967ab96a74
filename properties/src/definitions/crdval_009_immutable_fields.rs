//! CRDVAL-009, CRDVAL-010: the immutable fields of an established definition.

use super::shared::UPDATING;
use crate::prelude::*;
use crate::shared::definitions::{check_causes, established, put, read, try_merge, try_patch};

pub(super) const PROPERTY: Property = Property::new("crdval-009-immutable-fields", plan)
    .title("group, plural, scope and kind of an established definition are immutable")
    .asserts(&["CRDVAL-009", "CRDVAL-009/e1", "CRDVAL-010"])
    .needs(UPDATING)
    .edges(&[Edge { name: "all-at-once", plan: all_at_once }]);

/// A field, another value for it, and the requirement that makes it immutable.
const FIELDS: &[(&str, &str, &str)] = &[
    ("/spec/group", "other.crdible.dev", "CRDVAL-009"),
    ("/spec/names/plural", "others", "CRDVAL-009"),
    ("/spec/scope", "Namespaced", "CRDVAL-010"),
    ("/spec/names/kind", "Other", "CRDVAL-010"),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &[]);
    choices.cases("update", |choices, _| {
        if choices.chance(1, 5) {
            let name = json!("others.crdible.dev");
            let renamed = if choices.chance(1, 2) {
                try_patch(plan, definition, json!([{ "op": "replace", "path": "/metadata/name", "value": name }]))
            } else {
                let before = read(plan, definition);
                put(plan, definition, before, true, vec![Edit::Set("/metadata/name".into(), name)])
            };
            plan.count_case();
            return plan.check("other-name", &["CRDVAL-009/e1"], renamed, Expectation::BadRequest);
        }
        let mut changed: Vec<_> = FIELDS.iter().filter(|_| choices.chance(1, 3)).collect();
        if changed.is_empty() {
            changed.push(choices.pick(FIELDS));
        }
        try_change(choices, plan, definition, &changed);
    });
}

fn all_at_once(plan: &mut Plan) {
    let (definition, _) = established(plan, &[]);
    for changed in FIELDS.iter().map(|field| vec![field]).chain([FIELDS.iter().collect()]) {
        try_change(&mut Choices::bytes(&[]), plan, definition, &changed);
    }
}

fn try_change(
    choices: &mut Choices,
    plan: &mut Plan,
    definition: usize,
    changed: &[&(&'static str, &'static str, &'static str)],
) {
    let update = match choices.draw(2) {
        0 => {
            let replace =
                |(path, value, _): &&(&str, &str, &str)| json!({ "op": "replace", "path": path, "value": value });
            try_patch(plan, definition, Value::Array(changed.iter().map(replace).collect()))
        }
        1 => {
            let set = |(path, value, _): &&(&str, &str, &str)| Edit::Set((*path).to_owned(), json!(value));
            // A server may write once more after the definition is established; only the current revision can be
            // replaced.
            let before = read(plan, definition);
            put(plan, definition, before, true, changed.iter().map(set).collect())
        }
        _ => {
            let mut merged = json!({ "spec": { "names": {} } });
            for (path, value, _) in changed {
                if let Some(name) = path.strip_prefix("/spec/names/") {
                    merged["spec"]["names"][name] = json!(value);
                } else if let Some(field) = path.strip_prefix("/spec/") {
                    merged["spec"][field] = json!(value);
                }
            }
            try_merge(plan, definition, merged)
        }
    };
    let mut asserts: Vec<&str> = changed.iter().map(|(_, _, requirement)| *requirement).collect();
    asserts.dedup();
    let causes: Vec<_> =
        changed.iter().map(|(path, _, _)| (path.trim_start_matches('/').replace('/', "."), Reason::Invalid)).collect();
    check_causes(plan, "changed", &asserts, update, &causes);
    plan.count_case();
}
