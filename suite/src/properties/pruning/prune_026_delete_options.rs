//! PRUNE-026: options of a deletion are no object of the definition.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{delete, spec_of};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-026"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-026-delete-options",
    title: "a precondition in DeleteOptions counts, also when they bear the group of the definition",
    asserts: ASSERTS,
    needs: &[Capability::Storing],
    edges: &[],
    plan,
};

/// None is that of an object. A resourceVersion would not do: it is opaque, so any could be right.
const UIDS: [&str; 2] = ["00000000-0000-0000-0000-000000000000", "x"];

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.definition(&spec_of(&json!({})));
    let object = json!({ "spec": {} });
    let uids = choices.many("deletion", 1, 4, |choices, _| *choices.pick(&UIDS));
    for (number, uid) in uids.into_iter().enumerate() {
        let created = plan.create(definition, object.clone());
        let is_known = json!({ "kind": "DeleteOptions", "preconditions": { "uid": uid } });
        let kept = plan.send(delete(definition, number, is_known));
        plan.check("precondition", ASSERTS, kept, Expectation::Status(409));
        let read = plan.get(created);
        plan.check("still-there", ASSERTS, read, Expectation::Accepted);
        plan.count_case();
    }
    plan.finish()
}
