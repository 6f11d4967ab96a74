//! PRUNE-026: `DeleteOptions` are not an object of the definition.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::delete;
use crate::{
    properties::{Capability, Property, shared::spec_of},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-026"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-026-delete-options",
    title: "a precondition in DeleteOptions is honoured, even if the options carry the group of the definition",
    asserts: ASSERTS,
    needs: &[Capability::Storing],
    edges: &[],
    plan,
};

/// No object has these UIDs. A `resourceVersion` would not work: it is opaque, so any value could match.
const UIDS: [&str; 2] = ["00000000-0000-0000-0000-000000000000", "x"];

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define_schema(spec_of(json!({})));
    let object = json!({ "spec": {} });
    let uids = choices.cases("deletion", |choices, _| *choices.pick(&UIDS));
    for uid in uids {
        let created = plan.create(definition, object.clone());
        let is_known = json!({ "kind": "DeleteOptions", "preconditions": { "uid": uid } });
        let kept = delete(&mut plan, created, is_known);
        plan.check("precondition", ASSERTS, kept, Expectation::Status(409));
        let read = plan.get(created);
        plan.check("still-there", ASSERTS, read, Expectation::Accepted);
        plan.count_case();
    }
    plan.finish()
}
