//! PRUNE-026: `DeleteOptions` are not an object of the definition.

use super::shared::delete;
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-026", "REST-047"];

pub(super) const PROPERTY: Property = Property::new("prune-026-delete-options", plan)
    .title("DeleteOptions are not pruned, even if they carry the group of the definition")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing]);

/// No object has these UIDs. A `resourceVersion` would not work: it is opaque, so any value could match.
const UIDS: [&str; 2] = ["00000000-0000-0000-0000-000000000000", "x"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(spec_of(json!({})));
    let object = json!({ "spec": {} });
    let uids = choices.cases("deletion", |choices, _| *choices.pick(&UIDS));
    for uid in uids {
        let created = plan.create(definition, object.clone());
        let options = json!({ "kind": "DeleteOptions", "preconditions": { "uid": uid } });
        // A server that ignores all preconditions does not prune the options.
        let mut plain = options.clone();
        plain["apiVersion"] = json!("v1");
        let resource = plan.object_of(created);
        let refused = plan.send(Request::delete_with(resource, Body::Json(plain.into())));
        plan.check("precondition", &["REST-047"], refused, Expectation::Status(409));
        let kept = delete(plan, created, options);
        plan.check("of-the-group", &["PRUNE-026"], kept, Expectation::Status(409));
        let read = plan.get(created);
        plan.check("still-there", &["REST-047"], read, Expectation::Accepted);
        plan.count_case();
    }
}
