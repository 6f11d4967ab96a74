//! DEFAULT-003: a null that means nothing is removed with its key.

use crdible_generators::{
    choice::Choices,
    edit,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::Schema;
use serde_json::{Value, json};

use super::shared::{OBJECTS, any_shape, examples};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Cause, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-003-null-without-default",
    title: "nulls at properties and map keys that are neither nullable nor defaulted leave no key behind",
    asserts: &["DEFAULT-003", "DEFAULT-003/e1"],
    needs: &[Capability::Serving],
    edges: &[Edge { name: "where-nulls-go-and-stay", plan: where_nulls_go_and_stay }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let shape = SchemaShape { defaults: false, ..any_shape(choices) };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    choices.many("object", 1, OBJECTS, |choices, _| {
        let clean = value::valid(choices, &schema);
        let mut dirty = clean.clone();
        edit::plant_nulls(choices, &schema, &mut dirty);
        plant_in_maps(choices, &schema, &mut dirty);
        let created = plan.try_create(definition, dirty);
        plan.check("null-removed", &["DEFAULT-003"], created, Expectation::Content(clean));
        plan.count_case();
    });
    plan.finish()
}

/// Adds a null under a new key to some of the maps whose values cannot be null.
fn plant_in_maps(choices: &mut Choices, schema: &Schema, value: &mut Value) {
    let maps = edit::objects_in(schema, value)
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

fn where_nulls_go_and_stay() -> Scenario {
    let text = json!({ "type": "string" });
    let schema = json!({ "type": "object", "properties": {
        "data": text,
        "spec": { "type": "object", "properties": {
            "any": { "x-kubernetes-preserve-unknown-fields": true },
            "port": { "x-kubernetes-int-or-string": true },
            "kept": { "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": { "c": text } },
            "map": { "type": "object", "additionalProperties": { "type": "object", "additionalProperties": text } },
            "list": { "type": "array", "items": text },
            "texts": { "type": "array", "items": { "type": "string", "nullable": true } },
        } },
    } });
    let content = |content| Expectation::Content(content);
    let kept = json!({ "spec": { "any": { "a": null, "b": [null, { "c": null }] }, "kept": { "u": null, "v": { "c": null } }, "texts": [null] } });
    examples(
        schema,
        &["DEFAULT-003", "DEFAULT-003/e1"],
        vec![
            ("untyped-property", json!({ "spec": { "any": null, "port": null } }), content(json!({ "spec": {} }))),
            ("root-property", json!({ "spec": null, "data": null }), content(json!({}))),
            ("map", json!({ "spec": { "map": { "x": null } } }), content(json!({ "spec": { "map": {} } }))),
            (
                "nested-map",
                json!({ "spec": { "map": { "x": { "y": null, "z": "s" } } } }),
                content(json!({ "spec": { "map": { "x": { "z": "s" } } } })),
            ),
            ("verbatim", kept.clone(), content(kept)),
            (
                "declared-beside-kept",
                json!({ "spec": { "kept": { "u": null, "c": null } } }),
                content(json!({ "spec": { "kept": { "u": null } } })),
            ),
            (
                "element",
                json!({ "spec": { "list": ["a", null] } }),
                Expectation::Causes(vec![Cause::new("spec.list[1]", "TypeInvalid")]),
            ),
        ],
    )
}
