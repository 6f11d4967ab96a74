//! The quality of shrinking: seeded defects must shrink to known minimal cases, in few executions.
#![allow(clippy::print_stderr)]

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crdible_generators::choice::{Choices, shrink};
use crdible_generators::edit::plant_unknown;
use crdible_generators::schema::{SchemaShape, schema};
use crdible_generators::value;
use crdible_generators::walk::{nodes, places};
use crdible_semantics::Schema;
use rstest::rstest;
use serde_json::{Value, json};

type Case = (Schema, Value);
/// A schema and a value as JSON.
type Form = (Value, Value);

const SEEDS: usize = 40;
const LIMIT: usize = 2_000;

fn valid(c: &mut Choices) -> Case {
    let schema = schema(c, &SchemaShape::default());
    let value = c.keyed("object", |c| value::valid(c, &schema));
    (schema, value)
}

fn arbitrary(c: &mut Choices) -> Case {
    let schema = schema(c, &SchemaShape::default());
    let value = c.keyed("object", |c| value::arbitrary(c, &schema));
    (schema, value)
}

fn with_unknown(c: &mut Choices) -> Case {
    let (schema, mut value) = valid(c);
    plant_unknown(c, &schema, &mut value);
    (schema, value)
}

/// An explicit null at a nullable property with a default.
fn null_at_nullable_default((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| {
        place.schema.nullable && place.schema.default.is_some() && place.value.is_null() && !place.is_element
    })
}

fn list_of_objects_with_large_minimum((schema, _): &Case) -> bool {
    nodes(schema).iter().filter_map(|node| node.schema.item_schema()).any(|items| {
        items.type_name == "object"
            && items.properties.values().any(|property| {
                property.type_name == "integer" && property.values.minimum.is_some_and(|minimum| minimum > 500.0)
            })
    })
}

fn unknown_key_two_levels_down((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| {
        let is_deep = place.field.contains('.');
        let is_plain = !place.is_preserved && place.schema.additional_properties.is_none();
        let has_unknown = || {
            place
                .value
                .as_object()
                .is_some_and(|object| object.keys().any(|key| !place.schema.properties.contains_key(key)))
        };
        is_deep && is_plain && !place.schema.embedded_resource && place.schema.type_name == "object" && has_unknown()
    })
}

fn null_in_a_map((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| {
        place.schema.value_schema().is_some_and(|values| !values.nullable)
            && place.value.as_object().is_some_and(|object| object.values().any(Value::is_null))
    })
}

fn two_elements_in_a_set((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| {
        place.schema.list_type.as_deref() == Some("set") && place.value.as_array().is_some_and(|list| list.len() >= 2)
    })
}

fn default_within_a_default((schema, _): &Case) -> bool {
    nodes(schema).iter().any(|node| {
        node.schema.default.as_ref().is_some_and(Value::is_object)
            && node.schema.properties.values().any(|property| property.default.is_some())
    })
}

fn null_in_preserved((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| {
        place.schema.is_preserving()
            && place.schema.type_name == "object"
            && place.value.as_object().is_some_and(|object| {
                object.iter().any(|(key, value)| {
                    !place.schema.properties.contains_key(key)
                        && value.as_object().is_some_and(|inner| inner.values().any(Value::is_null))
                })
            })
    })
}

fn embedded_in_a_list((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| place.schema.embedded_resource && place.is_element)
}

fn long_wide_text((schema, value): &Case) -> bool {
    places(schema, value)
        .iter()
        .any(|place| place.value.as_str().is_some_and(|text| text.chars().count() >= 3 && !text.is_ascii()))
}

fn large_map_list((schema, value): &Case) -> bool {
    places(schema, value).iter().any(|place| {
        place.schema.list_type.as_deref() == Some("map")
            && place.schema.list_map_keys.len() >= 2
            && place.value.as_array().is_some_and(|list| !list.is_empty())
    })
}

fn with(schema: &Value, more: &Value) -> Value {
    let mut schema = schema.clone();
    let pairs = more.as_object().unwrap().clone();
    schema.as_object_mut().unwrap().extend(pairs);
    schema
}

fn list_of(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

fn map_of(values: &Value) -> Value {
    json!({"type": "object", "additionalProperties": values})
}

fn set_of(kind: &str) -> Value {
    with(&list_of(&json!({"type": kind})), &json!({"x-kubernetes-list-type": "set"}))
}

fn preserved() -> Value {
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
}

fn embedded() -> Value {
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "string"}}})
}

fn atomic() -> Value {
    json!({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"a": {"type": "string"}}})
}

fn two_keys() -> Value {
    json!({"type": "object", "required": ["key", "name"], "properties": {"key": {"type": "string"}, "name": {"type": "string"}}})
}

fn spec_with_default(property: &Value) -> Value {
    spec(&json!({"type": "object", "default": {}, "properties": {"a": property}}))
}

fn spec(spec: &Value) -> Value {
    json!({"type": "object", "properties": {"spec": spec}})
}

fn spec_of(property: &Value) -> Value {
    spec(&json!({"type": "object", "properties": {"a": property}}))
}

#[rstest]
#[case::null_at_nullable_default(valid, null_at_nullable_default, &[
    (spec(&json!({"type": "object", "nullable": true, "default": {}})), json!({"spec": null})),
])]
#[case::list_of_objects_with_large_minimum(valid, list_of_objects_with_large_minimum, &[
    (spec_of(&list_of(&json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 501}}}))), json!({})),
])]
#[case::unknown_key_two_levels_down(with_unknown, unknown_key_two_levels_down, &[
    (spec_of(&json!({"type": "object"})), json!({"spec": {"a": {"u": null}}})),
])]
#[case::null_in_a_map(arbitrary, null_in_a_map, &[
    (spec(&map_of(&json!({"type": "string"}))), json!({"spec": {"k": null}})),
    (spec_of(&map_of(&json!({"type": "string"}))), json!({"spec": {"a": {"k": null}}})),
])]
#[case::two_elements_in_a_set(valid, two_elements_in_a_set, &[
    (spec_of(&set_of("string")), json!({"spec": {"a": ["", "a"]}})),
    (spec_of(&set_of("string")), json!({"spec": {"a": ["a", ""]}})),
    (spec_of(&set_of("string")), json!({"spec": {"a": ["", "null"]}})),
    (spec_of(&set_of("string")), json!({"spec": {"a": ["null", ""]}})),
    (spec_of(&set_of("integer")), json!({"spec": {"a": [0, 1]}})),
    (spec_of(&set_of("integer")), json!({"spec": {"a": [1, 0]}})),
    (spec_of(&set_of("integer")), json!({"spec": {"a": [0, -1]}})),
    (spec_of(&set_of("integer")), json!({"spec": {"a": [-1, 0]}})),
    (spec_of(&with(&list_of(&atomic()), &json!({"x-kubernetes-list-type": "set"}))), json!({"spec": {"a": [{}, {"a": ""}]}})),
    (spec_of(&with(&list_of(&atomic()), &json!({"x-kubernetes-list-type": "set"}))), json!({"spec": {"a": [{"a": ""}, {}]}})),
    (spec_of(&set_of("boolean")), json!({"spec": {"a": [false, true]}})),
    (spec_of(&set_of("boolean")), json!({"spec": {"a": [true, false]}})),
    // Even smaller, with a `spec` that is not an object.
    (spec(&set_of("string")), json!({"spec": ["", "a"]})),
    (spec(&set_of("string")), json!({"spec": ["", "null"]})),
    (spec(&set_of("integer")), json!({"spec": [0, 1]})),
    (spec(&set_of("boolean")), json!({"spec": [false, true]})),
    (spec(&set_of("boolean")), json!({"spec": [true, false]})),
])]
#[case::default_within_a_default(valid, default_within_a_default, &[
    (spec_with_default(&json!({"type": "string", "default": ""})), json!({})),
    (spec_with_default(&json!({"type": "boolean", "default": false})), json!({})),
])]
#[case::null_in_preserved(valid, null_in_preserved, &[
    (spec_of(&preserved()), json!({"spec": {"a": {"a": {"a": null}}}})),
    (with(&spec(&json!({"type": "object"})), &json!({"x-kubernetes-preserve-unknown-fields": true})), json!({"a": {"a": null}})),
])]
#[case::embedded_in_a_list(valid, embedded_in_a_list, &[
    (spec_of(&list_of(&embedded())), json!({"spec": {"a": [{"apiVersion": "v1", "kind": "Pod"}]}})),
    (json!({"type": "object", "properties": {"a": list_of(&embedded()), "spec": {"type": "object"}}}),
        json!({"a": [{"apiVersion": "v1", "kind": "Pod"}]})),
])]
#[case::long_wide_text(valid, long_wide_text, &[
    (spec_of(&json!({"type": "string"})), json!({"spec": {"a": "aaé"}})),
    (spec_of(&json!({"type": "string"})), json!({"spec": {"a": "aéa"}})),
    (spec_of(&json!({"type": "string"})), json!({"spec": {"a": "éaa"}})),
    (spec(&json!({"type": "string"})), json!({"spec": "aaé"})),
    (spec(&json!({"type": "string"})), json!({"spec": "aéa"})),
    (spec(&json!({"type": "string"})), json!({"spec": "éaa"})),
])]
#[case::large_map_list(valid, large_map_list, &[
    (spec_of(&with(&list_of(&two_keys()), &json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key", "name"]}))),
        json!({"spec": {"a": [{"key": "", "name": ""}]}})),
])]
fn defects_shrink_to_a_minimal_case(
    #[case] generate: fn(&mut Choices) -> Case,
    #[case] fails: fn(&Case) -> bool,
    #[case] minimal: &[Form],
) {
    let mut executions = Vec::new();
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    let mut seed = 0;
    while executions.len() < SEEDS {
        seed += 1;
        let mut choices = Choices::random(seed);
        let case = generate(&mut choices);
        let recording = choices.finish();
        if recording.discarded.is_some() || !fails(&case) {
            continue;
        }
        let outcome = shrink(recording, LIMIT, generate, &fails);
        let mut again = Choices::replay(&outcome.best.tape);
        let (schema, value) = generate(&mut again);
        assert!(fails(&(schema.clone(), value.clone())));
        executions.push(outcome.executions);
        *forms.entry(format!("{} {value}", schema.to_json())).or_default() += 1;
    }
    executions.sort_unstable();
    let mean = executions.iter().sum::<usize>() / executions.len();
    eprintln!("mean {mean}, median {}, most {}; forms:", executions[SEEDS / 2], executions[SEEDS - 1]);
    let mut by_count: Vec<_> = forms.iter().collect();
    by_count.sort_by_key(|(_, count)| Reverse(**count));
    for (form, count) in by_count.iter().take(6) {
        eprintln!("  {count:3} {form}");
    }
    let exact: usize =
        minimal.iter().map(|(schema, value)| forms.get(&format!("{schema} {value}")).copied().unwrap_or(0)).sum();
    assert!(mean <= 150, "mean {mean}");
    assert!(exact * 10 >= SEEDS * 7, "{exact} of {SEEDS} are exact");
}
