//! SUB-031, SUB-019: scales of one object at several versions.

use super::scaled::{Paths, scale_of, subresources};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("sub-031-paths-of-versions", plan)
    .title("/scale uses the scale paths of the request version, whichever version is stored")
    .asserts(&["SUB-027", "SUB-031"])
    .needs(&[Capability::Storing, Capability::Scale, Capability::Versions]);

const VERSIONS: [&str; 2] = ["v1", "v2"];
const WANTED: [&str; 2] = [".spec.a", ".spec.b"];
const PRESENT: [&str; 2] = [".status.a", ".status.b"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let numbers = || object_of(json!({ "a": { "type": "integer" }, "b": { "type": "integer" } }));
    let schema = object_of(json!({ "spec": numbers(), "status": numbers() }));
    let stored = choices.up_to(1);
    let version = |at: usize| {
        let paths = Paths { wanted: WANTED[at], present: PRESENT[at], selector: None };
        let further = subresources(paths, false);
        Version { further, ..Version::named(VERSIONS[at], schema.clone()).stored_if(at == stored) }
    };
    let definition = plan.define(Definition::with_versions(vec![version(0), version(1)]));
    plan.case_parts(choices, "object", |plan, choices| {
        let mut numbers = [1, 2];
        let present = json!({ "a": 3, "b": 4 });
        let content = |[a, b]: [i64; 2]| -> Value { json!({ "spec": { "a": a, "b": b }, "status": present }) };
        let created = plan.create_at(definition, choices.pick::<&str>(&VERSIONS), content(numbers));
        choices.many_average("request", 1, 5, 2, |choices, _| {
            let at_version = choices.up_to(1);
            let target = scale_of(plan, created, VERSIONS[at_version]);
            if choices.draw(1) == 0 {
                numbers[at_version] = 1 + (numbers[at_version] - 1 + choices.between(1, 8)) % 9;
                let patch = Body::json(json!({ "spec": { "replicas": numbers[at_version] } }));
                let patched = plan.send(Request::merge_patch(target, patch));
                plan.check("scaled", &["SUB-031"], patched, at("/spec/replicas", numbers[at_version]));
                plan.check("present", &["SUB-031"], patched, at("/status/replicas", 3 + at_version));
                for version in VERSIONS {
                    let read = plan.get_at(created, version);
                    plan.check("object", &["SUB-027", "SUB-031"], read, Expectation::Content(content(numbers)));
                }
            } else {
                let read = plan.read(target);
                plan.check("scale", &["SUB-031"], read, at("/spec/replicas", numbers[at_version]));
                plan.check("present", &["SUB-031"], read, at("/status/replicas", 3 + at_version));
            }
        });
    });
}
