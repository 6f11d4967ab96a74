//! SUB-015, where kube-apiserver violates it: requests for a subresource while it is switched on and off.

use super::scaled::{Paths, subresources};
use crate::prelude::*;
use crate::shared::{
    accepted_or_refused_as,
    definitions::{condition, create, read},
};

const ASSERTS: &[&str] = &["SUB-015", "SUB-015/e1"];

pub(super) const PROPERTY: Property = Property::new("sub-015-defect-switched", plan)
    .title("while /status or /scale is switched on or off, requests for it are answered as before or after")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Status, Capability::Scale, Capability::DefinitionUpdates]);

const PATHS: Paths = Paths { wanted: ".spec.n", present: ".status.n", selector: None };

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (name, setting) = if choices.draw(1) == 0 {
        ("status", json!({ "status": {} }))
    } else {
        ("scale", subresources(PATHS, false)["subresources"].clone())
    };
    let number = || object_of(json!({ "n": { "type": "integer" } }));
    let schema = object_of(json!({ "spec": number(), "status": number() }));
    let further = Map::from_iter([("subresources".to_owned(), setting.clone())]);
    let version = Version { further, ..Version::only(schema) };
    let definition = plan.define(Definition::with_versions(vec![version]).owned());
    let established = read(plan, definition);
    plan.repeat_until(established, condition("Established", Some("True")));
    let created = create(plan, definition, "v1", json!({ "spec": { "n": 1 } }));
    plan.assume(created, Expectation::Accepted);
    let target = plan.object_of(created).subresource(name);
    // A server learns of a change a moment after it has answered it: the reads of the next round meet that moment.
    let (rounds, readers) = (choices.between(6, 10), choices.between(6, 10));
    let mut reads = Vec::new();
    for round in 0..rounds {
        let value = if round % 2 == 0 { json!({}) } else { setting.clone() };
        let operations = json!([{ "op": "add", "path": "/spec/versions/0/subresources", "value": value }]);
        let change = Request::json_patch(Resource::Definition { definition }, Body::json(operations));
        let sent = plan.together([change].into_iter().chain((0..readers).map(|_| Request::get(target.clone()))));
        plan.assume(sent[0], Expectation::Accepted);
        for &read in &sent[1..] {
            plan.varies(read);
            plan.check("answered", ASSERTS, read, accepted_or_refused_as(404, "NotFound"));
        }
        reads.extend_from_slice(&sent[1..]);
    }
    plan.count_case();
    let after = plan.get(created);
    plan.check("at-once", ASSERTS, after, Expectation::AnsweredAtOnce(reads));
}
