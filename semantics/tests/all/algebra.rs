//! Laws that hold for every schema and every value.

use std::collections::BTreeSet;

use crdible_semantics::{Schema, SchemaContext, Semantics, json};
use proptest::prelude::*;
use serde_json::{Map, Value};

const KEYS: [&str; 6] = ["a", "b", "spec", "metadata", "kind", "apiVersion"];

fn key() -> impl Strategy<Value = String> {
    prop_oneof![6 => proptest::sample::select(&KEYS[..]).prop_map(str::to_owned), 1 => ".{0,3}"]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![Just(1.0), Just(-0.0), Just(1.5)].prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key(), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// JSON with the keywords of schemas, mostly with values of the correct type.
fn schema_like() -> impl Strategy<Value = Value> {
    const TEXTS: [(&str, &[&str]); 3] = [
        ("type", &["object", "array", "string", "integer", "number", "boolean", "null", ""]),
        ("x-kubernetes-list-type", &["set", "map", "atomic", ""]),
        ("x-kubernetes-map-type", &["atomic", "granular"]),
    ];
    const FLAGS: [&str; 5] = [
        "nullable",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "uniqueItems",
    ];
    const COUNTS: [&str; 8] =
        ["minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "maxProperties"];
    let leaf = prop_oneof![
        8 => (0..TEXTS.len(), any::<prop::sample::Index>()).prop_map(|(index, choice)| {
            let (keyword, texts) = TEXTS[index];
            (keyword.to_owned(), Value::from(*choice.get(texts)))
        }),
        2 => (proptest::sample::select(&FLAGS[..]), any::<bool>()).prop_map(|(keyword, flag)| (keyword.to_owned(), Value::from(flag))),
        2 => (proptest::sample::select(&COUNTS[..]), -1_i64..3).prop_map(|(keyword, count)| (keyword.to_owned(), Value::from(count))),
        2 => value().prop_map(|value| ("default".to_owned(), value)),
        1 => proptest::collection::vec(scalar(), 1..3).prop_map(|values| ("enum".to_owned(), Value::from(values))),
        1 => proptest::collection::vec(key(), 1..3).prop_map(|keys| ("required".to_owned(), Value::from(keys))),
        1 => proptest::collection::vec(key(), 1..3).prop_map(|keys| ("x-kubernetes-list-map-keys".to_owned(), Value::from(keys))),
        1 => (key(), value()),
    ];
    let flat =
        proptest::collection::vec(leaf.clone(), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect()));
    flat.prop_recursive(4, 30, 3, move |inner| {
        let below = prop_oneof![
            3 => proptest::collection::vec((key(), inner.clone()), 0..4)
                .prop_map(|entries| ("properties".to_owned(), Value::Object(entries.into_iter().collect()))),
            2 => inner.clone().prop_map(|schema| ("items".to_owned(), schema)),
            1 => inner.clone().prop_map(|schema| ("additionalProperties".to_owned(), schema)),
            1 => any::<bool>().prop_map(|allowed| ("additionalProperties".to_owned(), Value::from(allowed))),
            1 => inner.clone().prop_map(|schema| ("not".to_owned(), schema)),
            1 => (proptest::sample::select(vec!["allOf", "anyOf", "oneOf"]), proptest::collection::vec(inner, 1..3))
                .prop_map(|(keyword, branches)| (keyword.to_owned(), Value::from(branches))),
        ];
        (proptest::collection::vec(leaf.clone(), 0..3), proptest::collection::vec(below, 0..3))
            .prop_map(|(leaves, below)| Value::Object(leaves.into_iter().chain(below).collect::<Map<_, _>>()))
    })
}

fn schema() -> impl Strategy<Value = Schema> {
    schema_like().prop_filter_map("a readable schema", |json| Schema::parse(&json).ok().map(|(schema, _)| schema))
}

/// Schemas that a server accepts, as most random ones are not.
fn accepted_schema() -> impl Strategy<Value = Schema> {
    schema().prop_map(|schema| {
        let mut root = Schema { type_name: "object".to_owned(), ..Schema::default() };
        root.properties.insert("spec".to_owned(), schema);
        make_acceptable(&mut root);
        root
    })
}

/// Removes, coarsely, whatever chapters 1 and 2 forbid.
fn make_acceptable(schema: &mut Schema) {
    schema.properties.values_mut().for_each(make_acceptable);
    for name in ["metadata", "kind", "apiVersion"] {
        schema.properties.remove(name);
    }
    schema.all_of.clear();
    schema.any_of.clear();
    schema.one_of.clear();
    schema.not = None;
    schema.list_type = None;
    schema.list_map_keys.clear();
    schema.map_type = None;
    schema.unsupported.clear();
    schema.embedded_resource = false;
    schema.values.unique_items = false;
    schema.preserve_unknown_fields =
        schema.preserve_unknown_fields.filter(|preserve| *preserve && !schema.int_or_string);
    if let Some(crdible_semantics::schema::Items::Each(items)) = &mut schema.items {
        make_acceptable(items);
    }
    if let Some(crdible_semantics::schema::AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        make_acceptable(values);
        // Defaults below a map are not checked (CRDVAL-054), and DEFAULT-020 does not hold for them.
        **values = without_defaults(std::mem::take(&mut **values));
    }
    if !schema.properties.is_empty() {
        schema.additional_properties = None;
    }
    if schema.type_name.is_empty() || schema.type_name == "null" {
        "string".clone_into(&mut schema.type_name);
    }
    if schema.type_name == "array" && schema.items.is_none() {
        "object".clone_into(&mut schema.type_name);
    }
    // Keep the defaults that a server accepts.
    if schema.default.is_some() && !default_is_accepted(schema) {
        schema.default = None;
    }
}

fn without_defaults(mut schema: Schema) -> Schema {
    schema.default = None;
    schema.properties.values_mut().for_each(|property| *property = without_defaults(std::mem::take(property)));
    if let Some(crdible_semantics::schema::Items::Each(items)) = &mut schema.items {
        **items = without_defaults(std::mem::take(&mut **items));
    }
    if let Some(crdible_semantics::schema::AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        **values = without_defaults(std::mem::take(&mut **values));
    }
    schema
}

fn default_is_accepted(schema: &Schema) -> bool {
    let root = Schema {
        type_name: "object".to_owned(),
        properties: [("x".to_owned(), schema.clone())].into(),
        ..Schema::default()
    };
    let found = Semantics::UPSTREAM.schema_violations(&root, &SchemaContext::default());
    !found.iter().any(|violation| violation.field.starts_with("openAPIV3Schema.properties[x].default"))
}

/// Every position in a value, as a string, and the scalars there.
fn positions(value: &Value) -> BTreeSet<String> {
    fn walk(value: &Value, path: &str, found: &mut BTreeSet<String>) {
        found.insert(path.to_owned());
        match value {
            Value::Object(object) => {
                object.iter().for_each(|(key, value)| walk(value, &format!("{path}.{key:?}"), found));
            }
            Value::Array(elements) => {
                elements.iter().enumerate().for_each(|(index, value)| walk(value, &format!("{path}[{index}]"), found));
            }
            scalar => {
                found.insert(format!("{path}={scalar}"));
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(value, "", &mut found);
    found
}

/// A copy without the keys for which the choices are true.
fn with_keys_removed(value: &Value, choices: &mut dyn Iterator<Item = bool>) -> Value {
    match value {
        Value::Object(object) => Value::Object(
            object
                .iter()
                .filter(|_| !choices.next().unwrap_or(false))
                .map(|(key, value)| (key.clone(), value))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(key, value)| (key, with_keys_removed(value, choices)))
                .collect(),
        ),
        Value::Array(elements) => {
            elements.iter().map(|element| with_keys_removed(element, choices)).collect::<Vec<_>>().into()
        }
        scalar => scalar.clone(),
    }
}

fn pruned(value: &Value, schema: &Schema) -> Value {
    let mut value = value.clone();
    Semantics::UPSTREAM.prune(&mut value, schema, true);
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(json in prop_oneof![schema_like(), value()], value in value(), status_subresource: bool) {
        if let Ok((schema, _)) = Schema::parse(&json) {
            let _ = Semantics::UPSTREAM.schema_violations(&schema, &SchemaContext { status_subresource });
            let mut object = value.clone();
            json::normalise_numbers(&mut object);
            let _ = Semantics::UPSTREAM.object_violations(&object, &schema, None);
            let _ = Semantics::UPSTREAM.decode(&mut object, &schema);
            let _ = Semantics::UPSTREAM.object_violations(&object, &schema, None);
            Semantics::UPSTREAM.encode(&mut object, &schema);
            let mut stored = value;
            Semantics::UPSTREAM.read(&mut stored, &schema, &schema, false);
        }
    }

    #[test]
    fn schemas_survive_a_round_trip_through_json(schema in schema()) {
        let json = schema.to_json();
        let (again, unknown) = Schema::parse(&json).expect("a readable schema");
        prop_assert_eq!(&again, &schema);
        prop_assert!(unknown.is_empty());
        prop_assert_eq!(again.to_json(), json);
    }

    #[test]
    fn prune_012_idempotence(schema in schema(), value in value()) {
        let mut once = value;
        Semantics::UPSTREAM.prune(&mut once, &schema, true);
        let mut twice = once.clone();
        prop_assert_eq!(Semantics::UPSTREAM.prune(&mut twice, &schema, true), Vec::<String>::new());
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn prune_012_the_report_lists_what_was_removed(schema in schema(), value in value()) {
        let before = positions(&value).len();
        let mut after = value.clone();
        let removed = Semantics::UPSTREAM.prune(&mut after, &schema, true);
        prop_assert_eq!(removed.is_empty(), before == positions(&after).len());
        prop_assert!(positions(&after).is_subset(&positions(&value)));
    }

    #[test]
    fn prune_012_monotony_in_the_value(schema in schema(), value in value(), choices in proptest::collection::vec(any::<bool>(), 0..12)) {
        let less = with_keys_removed(&value, &mut choices.into_iter());
        prop_assert!(positions(&pruned(&less, &schema)).is_subset(&positions(&pruned(&value, &schema))));
    }

    #[test]
    fn prune_012_monotony_in_the_schema(schema in schema(), more in schema(), name in key(), value in value()) {
        prop_assume!(!schema.is_preserving() && schema.additional_properties.is_none() && !schema.properties.contains_key(&name));
        let mut larger = schema.clone();
        larger.properties.insert(name, more);
        prop_assert!(positions(&pruned(&value, &schema)).is_subset(&positions(&pruned(&value, &larger))));
    }

    #[test]
    fn default_020_idempotence(schema in accepted_schema(), spec in value()) {
        let mut once = serde_json::json!({ "spec": spec });
        Semantics::UPSTREAM.prune(&mut once, &schema, true);
        Semantics::UPSTREAM.drop_nulls(&mut once, &schema);
        let mut again = once.clone();
        Semantics::UPSTREAM.drop_nulls(&mut again, &schema);
        prop_assert_eq!(&again, &once);
        Semantics::UPSTREAM.apply_defaults(&mut once, &schema);
        let mut twice = once.clone();
        Semantics::UPSTREAM.apply_defaults(&mut twice, &schema);
        prop_assert_eq!(&twice, &once);
        prop_assert_eq!(pruned(&once, &schema), once);
    }

    #[test]
    fn default_only_adds_or_replaces_nulls(schema in schema(), value in value()) {
        let before: BTreeSet<String> = positions(&value).into_iter().filter(|position| !position.ends_with("=null")).collect();
        let mut after = value;
        Semantics::UPSTREAM.apply_defaults(&mut after, &schema);
        prop_assert!(before.is_subset(&positions(&after)));
    }

    #[test]
    fn a_repaired_object_is_well_typed(schema in schema(), value in value()) {
        let mut stored = value;
        Semantics::UPSTREAM.repair_metadata(&mut stored);
        Semantics::UPSTREAM.repair_embedded(&mut stored, &schema);
        prop_assert!(Semantics::UPSTREAM.coerce_embedded(&mut stored, &schema).is_ok());
        if let Some(metadata) = stored.get("metadata") {
            let mut object = serde_json::json!({ "metadata": metadata });
            prop_assert_eq!(Semantics::UPSTREAM.coerce_metadata(&mut object), Ok(Vec::new()));
        }
    }

    #[test]
    fn numbers_compare_by_value(a in scalar(), b in scalar()) {
        if let (Value::Number(a), Value::Number(b)) = (&a, &b) {
            let order = json::compare_numbers(a, b);
            prop_assert_eq!(order, json::compare_numbers(b, a).reverse());
            if order.is_ne() && let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) && a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne) {
                prop_assert_eq!(Some(order), a.partial_cmp(&b));
            }
        }
        prop_assert!(json::equal_by_value(&a, &a));
    }
}
