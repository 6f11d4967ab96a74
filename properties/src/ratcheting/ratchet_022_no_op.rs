//! RATCHET-022: an object that became invalid can be read, written back, labelled and deleted.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-022-no-op", plan)
    .title("an object that became invalid below the root accepts updates of its metadata alone")
    .asserts(&["RATCHET-002", "RATCHET-022", "RATCHET-022/e1", "INV-080"])
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let tightened = TightenedSchema::draw(choices, &TightenedShape::default());
    let definition = plan.define_schema(tightened.loose());
    let stored = choices.case_parts("object", |choices, _| {
        let old = tightened.object(choices);
        (plan.create(definition, old.clone()), old, choices.chance(1, 2))
    });
    plan.install_schema(definition, tightened.tight());
    for (created, old, is_patched) in stored {
        let read = plan.get(created);
        plan.check("read", &["RATCHET-022"], read, Expectation::Content(old.clone()));
        let put = plan.put_back(read, vec![]);
        plan.check("no-op", &["RATCHET-002", "RATCHET-022", "RATCHET-022/e1"], put, Expectation::Content(old.clone()));
        if tightened.keeps_types() {
            plan.check("no-op-revision", &["RATCHET-022/e1"], put, Expectation::same_revision(read));
        }
        let labels = json!({ "l": "x" });
        let labelled = if is_patched {
            plan.patch(created, Method::MergePatch, json!({ "metadata": { "labels": labels } }))
        } else {
            plan.put_back(put, vec![Edit::Set("/metadata/labels".into(), labels)])
        };
        plan.check("labelled", &["RATCHET-022", "INV-080"], labelled, Expectation::Content(old));
        let resource = plan.object_of(created);
        let deleted = plan.send(Request::delete(resource));
        plan.check("deleted", &["RATCHET-022/e1"], deleted, Expectation::Accepted);
        plan.count_case();
    }
}
