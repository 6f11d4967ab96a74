//! DEFAULT-003: a null at a node that is not nullable and has no default is removed with its key.

use crdible_generators::{edit, walk};

use super::shared::any_shape;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-003-null-without-default", plan)
    .title("a null at a property or map key is dropped if it is not nullable and has no default")
    .asserts(&["DEFAULT-003", "DEFAULT-003/e1"])
    .needs(&[Capability::Serving])
    .edges(&[Edge { name: "where-nulls-go-and-stay", plan: dropped_and_kept_nulls }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape { defaults: false, ..any_shape(choices) };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let clean = value::valid(choices, &schema);
        let mut dirty = clean.clone();
        edit::plant_nulls(choices, &schema, &mut dirty);
        plant_in_maps(choices, &schema, &mut dirty);
        let created = plan.try_create(definition, dirty);
        plan.check("null-removed", &["DEFAULT-003"], created, Expectation::Content(clean));
    });
}

/// Adds a null under a new key to some of the maps whose values cannot be null.
fn plant_in_maps(choices: &mut Choices, schema: &Schema, value: &mut Value) {
    let maps = walk::objects_in(schema, value)
        .into_iter()
        .filter(|place| place.schema.value_schema().is_some_and(|values| !values.nullable));
    let pointers: Vec<String> = maps.map(|place| place.pointer).collect();
    for pointer in pointers {
        if choices.chance(1, 2)
            && let Some(Value::Object(map)) = value.pointer_mut(&pointer)
        {
            map.insert("nothing".to_owned(), Value::Null);
        }
    }
}

fn dropped_and_kept_nulls(plan: &mut Plan) {
    const NULLS: &[&str] = &["DEFAULT-003", "DEFAULT-003/e1"];
    let text = || json!({ "type": "string" });
    let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let spec = object_of(json!({
        "any": { PRESERVE: true },
        "port": { INT_OR_STRING: true },
        "kept": { "type": "object", PRESERVE: true, "properties": { "c": text() } },
        "map": map(map(text())),
        "list": { "type": "array", "items": text() },
        "texts": { "type": "array", "items": { "type": "string", "nullable": true } },
    }));
    let verbatim = json!({ "any": { "a": null, "b": [null, { "c": null }] }, "kept": { "u": null, "v": { "c": null } }, "texts": [null] });
    let becomes = |name, sent: Value, left: Value| Example::becomes(name, NULLS, sent, left);
    plan.try_objects(
        object_of(json!({ "data": text(), "spec": spec })),
        [
            becomes("untyped-property", json!({ "spec": { "any": null, "port": null } }), json!({ "spec": {} })),
            becomes("root-property", json!({ "spec": null, "data": null }), json!({})),
            becomes("map", json!({ "spec": { "map": { "x": null } } }), json!({ "spec": { "map": {} } })),
            becomes(
                "nested-map",
                json!({ "spec": { "map": { "x": { "y": null, "z": "s" } } } }),
                json!({ "spec": { "map": { "x": { "z": "s" } } } }),
            ),
            Example::kept("verbatim", NULLS, json!({ "spec": verbatim })),
            becomes(
                "declared-beside-kept",
                json!({ "spec": { "kept": { "u": null, "c": null } } }),
                json!({ "spec": { "kept": { "u": null } } }),
            ),
            Example::refused(
                "element",
                NULLS,
                json!({ "spec": { "list": ["a", null] } }),
                [("spec.list[1]", "TypeInvalid")],
            ),
        ],
    )
}
