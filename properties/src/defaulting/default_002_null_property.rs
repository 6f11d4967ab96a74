//! DEFAULT-002: a null is replaced by the default if the node is not nullable, and kept if it is.

use super::planted::{Gap, Planted};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-002-null-property", plan)
    .title("a null at a node with a default becomes the default, unless the node is nullable")
    .asserts(&["DEFAULT-002", "DEFAULT-002/e1"])
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[Edge { name: "nodes-without-type", plan: nodes_without_type }]);

/// Nulls at properties, elements and map values that have a default; complete objects have nulls at nullable nodes.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let planted = Planted::draw(choices);
    let definition = plan.definition(&planted.schema);
    plan.cases(choices, "object", |plan, choices| {
        let object = planted.object(choices, Gap::Null);
        let created = plan.try_create(definition, object.body);
        plan.check("null-replaced", &["DEFAULT-002"], created, Expectation::Content(object.complete));
    });
}

fn nodes_without_type(plan: &mut Plan) {
    const UNTYPED: &[&str] = &["DEFAULT-002", "DEFAULT-002/e1"];
    let spec = object_of(json!({
        "any": { PRESERVE: true, "default": { "a": null } },
        "port": { INT_OR_STRING: true, "default": "http" },
        "anyOrNull": { PRESERVE: true, "nullable": true, "default": 1 },
        "portOrNull": { INT_OR_STRING: true, "nullable": true, "default": 80 },
        "textOrNull": { "type": "string", "nullable": true, "default": "x" },
    }));
    let nulls =
        json!({ "spec": { "any": null, "port": null, "anyOrNull": null, "portOrNull": null, "textOrNull": null } });
    let replaced = json!({ "spec": { "any": { "a": null }, "port": "http", "anyOrNull": null, "portOrNull": null, "textOrNull": null } });
    let absent = json!({ "spec": { "any": { "a": null }, "port": "http", "anyOrNull": 1, "portOrNull": 80, "textOrNull": "x" } });
    plan.try_objects(
        root_of(spec),
        [
            Example::becomes("nulls", UNTYPED, nulls, replaced),
            Example::becomes("absent", UNTYPED, json!({ "spec": {} }), absent),
        ],
    )
}
