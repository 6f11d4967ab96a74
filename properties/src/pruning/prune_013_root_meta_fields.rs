//! PRUNE-013: `apiVersion`, `kind` and `metadata` of the root are never pruned.

use super::shared::object_meta;
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-013"];

pub(super) const PROPERTY: Property = Property::new("prune-013-root-meta-fields", plan)
    .title("apiVersion, kind and metadata of an object are kept, whatever the schema declares for them")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Pruning, Capability::DefinitionUpdates]);

const OBJECTS: usize = 4;
const STORED_OBJECTS: usize = 2;

/// How a schema can declare the meta fields.
const DECLARATIONS: [fn(&mut Value); 5] = [
    |_| {},
    |properties| properties["metadata"] = json!({ "type": "object" }),
    |properties| properties["metadata"] = json!({ "type": "object", "properties": { "name": { "type": "string" } } }),
    |properties| properties["kind"] = json!({ "type": "string" }),
    |properties| properties["apiVersion"] = json!({ "type": "string" }),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(declaring(choices));
    choices.many("object", 1, OBJECTS, |choices, _| {
        let metadata = object_meta::kept(choices);
        let created = plan.try_create(definition, object(&metadata));
        check_kept(plan, created, metadata);
        plan.count_case();
    });
    let stored = choices.many("stored object", 1, STORED_OBJECTS, |choices, _| {
        let metadata = object_meta::stored(choices);
        (plan.create(definition, object(&metadata)), metadata)
    });
    for (created, metadata) in &stored {
        let read = plan.get(*created);
        let put = plan.put_back(read, vec![Edit::Set("/spec/a".into(), json!(1)), Edit::Set("/u".into(), json!(1))]);
        for step in [*created, read, put] {
            check_kept(plan, step, metadata.clone());
        }
        plan.count_case();
    }
    // One in two: installing another schema takes time on a real server.
    if choices.chance(1, 2) {
        plan.install_schema(definition, declaring(choices));
        for (created, metadata) in stored {
            let read = plan.get(created);
            check_kept(plan, read, metadata);
        }
    }
}

/// A schema that declares some of the meta fields.
fn declaring(choices: &mut Choices) -> Value {
    let mut properties = json!({ "spec": { "type": "object" } });
    choices.many("declaration", 0, 3, |choices, _| (choices.pick(&DECLARATIONS))(&mut properties));
    object_of(properties)
}

fn object(metadata: &Map<String, Value>) -> Value {
    json!({ "metadata": metadata, "spec": {}, "u": 1 })
}

fn check_kept(plan: &mut Plan, step: StepId, metadata: Map<String, Value>) {
    plan.check("content", ASSERTS, step, Expectation::Content(json!({ "spec": {} })));
    let fields = metadata.into_iter().map(|(key, value)| (format!("/metadata/{key}"), value));
    let types = [("/apiVersion".to_owned(), json!("$group/v1")), ("/kind".to_owned(), json!("$kind"))];
    for (pointer, value) in types.into_iter().chain(fields) {
        plan.check("kept", ASSERTS, step, at(pointer, value));
    }
}
