//! INV-103, LIFE-006/e1: definitions of different groups may have the same names.

use super::shared::{condition_for, delete, gone, make, schema};
use crate::prelude::*;
use crate::shared::{all, definitions::read};

pub(super) const PROPERTY: Property = Property::new("inv-103-independent-groups", plan)
    .title("definitions in different groups may share all names, and keep separate objects")
    .asserts(&["INV-103", "LIFE-006/e1"])
    .needs(&[Capability::Storing, Capability::Conditions]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definitions = [plan.uninstalled(), plan.uninstalled()];
    let mut names = vec![Edit::Set("/spec/names/categories".into(), json!(["all"]))];
    for (field, value) in [("shortNames", json!(["t", "u"])), ("singular", json!("lone"))] {
        if choices.chance(1, 2) {
            names.push(Edit::Set(format!("/spec/names/{field}"), value));
        }
    }
    for definition in definitions {
        plan.count_case();
        let made = make(plan, definition, vec![Version::only(schema(&[]))], names.clone());
        plan.check("made", &["INV-103"], made, Expectation::Accepted);
    }
    for definition in definitions {
        let settled = read(plan, definition);
        let established = condition_for("Established", "True", "InitialNamesAccepted");
        let accepted = condition_for("NamesAccepted", "True", "NoConflicts");
        plan.repeat_until(settled, all([accepted.clone(), established.clone()]));
        plan.check("accepted", &["INV-103", "LIFE-006/e1"], settled, accepted);
        plan.check("established", &["INV-103", "LIFE-006/e1"], settled, established);
    }
    // The first create under a new definition may take seconds.
    if choices.chance(1, 2) {
        objects(choices, plan, definitions);
    }
}

/// Writes objects with the same names under both, and deletes one of the definitions.
fn objects(choices: &mut Choices, plan: &mut Plan, [one, other]: [usize; 2]) {
    let object = plan.next_object();
    let first = create_as(plan, one, object);
    let second = create_as(plan, other, object);
    let more: Vec<StepId> = choices.many("object", 0, 2, |choices, _| {
        let definition = *choices.pick(&[one, other]);
        plan.create(definition, json!({ "spec": { "a": 2 } }))
    });
    for definition in [one, other] {
        let objects = [first, second].iter().chain(&more).filter_map(|&step| number(plan, step, definition)).collect();
        let list = plan.list(definition, "v1");
        plan.check("disjoint", &["INV-103"], list, NamedCheck::Lists { objects });
    }
    let patched = plan.patch(first, Method::MergePatch, json!({ "spec": { "a": 3 } }));
    plan.check("patched", &["INV-103"], patched, Expectation::Accepted);
    let read = plan.get(second);
    plan.check("untouched", &["INV-103"], read, Expectation::same_revision(second));
    delete(plan, one, None);
    gone(plan, one, &["INV-103"]);
    let read = plan.get(second);
    plan.check("outlives", &["INV-103"], read, Expectation::same_revision(second));
}

/// POST of an object with this number, which objects of other definitions may have, too.
fn create_as(plan: &mut Plan, definition: usize, object: usize) -> StepId {
    let version = || "v1".to_owned();
    let fields = json!({ "spec": { "a": 1 } }).into();
    let body = Body::Object { definition, version: version(), object, fields };
    let created = plan.send(Request::post(Resource::Objects { definition, version: version() }, body));
    plan.repeat_until(created, Expectation::Accepted);
    plan.check("created", &["INV-103"], created, Expectation::Accepted);
    created
}

/// The number of the object that a step is about, if it is of this definition.
fn number(plan: &Plan, step: StepId, of: usize) -> Option<usize> {
    match plan.object_of(step) {
        Resource::Object { definition, object, .. } if definition == of => Some(object),
        _ => None,
    }
}
