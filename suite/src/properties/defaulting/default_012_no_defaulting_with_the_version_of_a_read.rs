//! DEFAULT-012: a read at another version than the stored one shows none of that version's own defaults.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Frame, Sample, at, define, object_of, two_versions, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Method, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-012-no-defaulting-with-the-version-of-a-read",
    title: "a default of a version that is only served shows when an object is written at it, not when it is read",
    asserts: &["DEFAULT-012"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let default = sample.value(choices, "default");
    let text = json!({ "type": "string" });
    let stored = frame.schema(object_of(&json!({ "p": sample.json(), "q": text })));
    let served = frame.schema(object_of(&json!({ "p": with_default(&sample.json(), &default), "q": text })));
    let mut plan = Plan::new();
    let definition = define(&mut plan, two_versions(stored, served));
    let content = frame.content(json!({}));
    let created = plan.create(definition, content.clone());
    let read = plan.get_at(created, "v2");
    plan.check("read-without", &["DEFAULT-012"], read, Expectation::Content(content.clone()));
    let list = plan.read(Resource::Objects { definition, version: "v2".to_owned() });
    plan.check("listed-without", &["DEFAULT-012"], list, at("/items/0/spec", content.get("spec")));
    // A write at the version, even of another field, brings it in and stores it.
    let full = frame.content(json!({ "p": default, "q": "" }));
    let patch = json!([{ "op": "add", "path": format!("{}/q", frame.pointer()), "value": "" }]);
    let patched = plan.patch(read, Method::JsonPatch, patch);
    plan.check("written-with", &["DEFAULT-012"], patched, Expectation::Content(full.clone()));
    let stored = plan.get(created);
    plan.check("stored-with", &["DEFAULT-012"], stored, Expectation::Content(full));
    plan.count_case();
    plan.finish()
}
