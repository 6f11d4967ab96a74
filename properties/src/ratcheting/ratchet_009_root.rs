//! RATCHET-009: keywords of the root are enforced on every update. A quirk.

use crate::prelude::*;

const ASSERTS: &[&str] = &["RATCHET-009"];

pub(super) const PROPERTY: Property = Property::new("ratchet-009-root", plan)
    .title("keywords of the root are never ratcheted, not even in an update that changes nothing")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (keywords, causes) = match choices.draw(2) {
        0 => (json!({ "required": ["needed"] }), vec![Cause::new("needed", "Required")]),
        1 => (json!({ "minProperties": 20 }), vec![Cause::new("<nil>", "Invalid")]),
        _ => (
            json!({ "anyOf": [{ "required": ["needed"] }] }),
            vec![Cause::new("needed", "Required"), Cause::new("<nil>", "Invalid")],
        ),
    };
    let root = object_of(json!({
        "spec": object_of(json!({ "q": { "type": "integer" } })),
        "needed": { "type": "string" },
    }));
    let definition = plan.define_schema(root.clone());
    let created = plan.create(definition, json!({ "spec": { "q": 0 } }));
    plan.install_schema(definition, extended(root, &keywords));
    let edits = choices.cases("update", |choices, _| match choices.draw(2) {
        0 => vec![],
        1 => vec![Edit::Set("/spec/q".into(), json!(1))],
        _ => vec![Edit::Set("/metadata/labels".into(), json!({ "l": "x" }))],
    });
    for edits in edits {
        let put = plan.try_put_back(created, edits);
        plan.check("enforced", ASSERTS, put, Expectation::Causes(causes.clone()));
        plan.count_case();
    }
}
