//! DEFAULT-012: a read at a version other than the stored one does not fill in that version's own defaults.

use super::shared::Fields;
use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("default-012-no-defaulting-with-the-version-of-a-read", plan)
    .title("a read at another version does not fill in that version's own defaults")
    .asserts(&["DEFAULT-012"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let fields = Fields::draw(choices, ["default"]);
    let schema = |default: Option<usize>| {
        let q = json!({ "q": { "type": "string" } });
        place.schema(object_of(extended(fields.properties(default), &q)))
    };
    let definition = plan.define_versions(two_versions(schema(None), schema(Some(0))));
    let content = place.content(json!({}));
    let created = plan.create(definition, content.clone());
    let read = plan.get_at(created, "v2");
    plan.check("read-without", &["DEFAULT-012"], read, Expectation::Content(content.clone()));
    let list = plan.list(definition, "v2");
    plan.check("listed-without", &["DEFAULT-012"], list, at("/items/0/spec", content["spec"].clone()));
    // A write at this version, even of another field, fills in the defaults and stores them.
    let full = place.content(extended(fields.holding(0), &json!({ "q": "" })));
    let patch = json!([{ "op": "add", "path": format!("{}/q", place.pointer()), "value": "" }]);
    let patched = plan.patch(read, Method::JsonPatch, patch);
    plan.check("written-with", &["DEFAULT-012"], patched, Expectation::Content(full.clone()));
    let stored = plan.get(created);
    plan.check("stored-with", &["DEFAULT-012"], stored, Expectation::Content(full));
    fields.count(plan);
}
