//! RATCHET-019: a write of the status is forgiven the failing rules of the rest of the object, which it cannot change,
//! and the other way round.

use super::forgiveness::{Verdict, Written, changed, member};
use crate::prelude::*;

const ASSERTS: &[&str] = &["RATCHET-019/e2"];

pub(super) const PROPERTY: Property = Property::new("ratchet-019-status", plan)
    .title("a write of the status is forgiven failing rules of the rest of the object, with warnings")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules, Capability::Status]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let [of_spec, of_status] = choices.span("node", |choices| [0; 2].map(|_| Written::draw(choices)));
    let (specs, statuses) = (of_spec.nodes(&json!({})), of_status.nodes(&json!({})));
    let version = |index: usize| Version {
        further: Map::from_iter([("subresources".to_owned(), json!({ "status": {} }))]),
        ..Version::only(object_of(json!({ "spec": specs[index], "status": statuses[index] })))
    };
    let definition = plan.define(Definition::with_versions(vec![version(0)]));
    let objects = choices.many_parts("object", 1, 3, |choices, _| {
        let spec = member(choices);
        let status = member(choices);
        let created = plan.create(definition, json!({ "spec": spec }));
        let target = plan.object_of(created).subresource("status");
        let written = plan.send(Request::merge_patch(target, Body::json(json!({ "status": status }))));
        let content = json!({ "spec": spec, "status": status });
        plan.assume(written, Expectation::Content(content.clone()));
        let writes = choices.many_parts("write", 1, 4, |choices, _| {
            let is_of_status = choices.chance(2, 3);
            let part = if is_of_status { &content["status"] } else { &content["spec"] };
            (is_of_status, changed(choices, part), choices.chance(1, 3))
        });
        (created, written, content, writes)
    });
    plan.install_versions(definition, vec![version(1)]);
    for (created, last, content, writes) in objects {
        for (is_of_status, value, is_patch) in writes {
            let part = if is_of_status { "status" } else { "spec" };
            let mut new = content.clone();
            new[part] = value.clone();
            let mut verdict = Verdict::default();
            for (field, written) in [("spec", of_spec), ("status", of_status)] {
                verdict.judge(field, written, &new[field], Ok(&content[field]));
            }
            let object = plan.object_of(created);
            let target = if is_of_status { object.subresource("status") } else { object };
            let request = if is_patch {
                let patch = json!([{ "op": "replace", "path": format!("/{part}"), "value": value }]);
                Request::json_patch(target, Body::json(patch))
            } else {
                let edits = vec![Edit::Set(format!("/{part}"), value)];
                Request::put(target, Body::Answer { step: last, edits })
            };
            let written = plan.send(request.as_dry_run());
            verdict.check(plan, part, ASSERTS, written, new);
        }
    }
}
