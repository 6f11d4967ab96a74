//! Nothing overflows the stack of a thread with 2 MiB.
#![allow(clippy::expect_used)]

use crdible_semantics::{MAX_DEPTH, Schema, SchemaContext, Semantics, Upstream, json};
use rstest::rstest;
use serde_json::{Map, Value, json};

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(test)
        .expect("a thread starts");
    thread.join().expect("the test holds");
}

/// `depth` schemas above each other, linked by `wrap`.
fn nested(depth: usize, wrap: fn(Value) -> Value) -> Value {
    (1..depth).fold(json!({"type": "string", "default": "x"}), |below, _| {
        wrap(below)
    })
}

fn nested_value(depth: usize, wrap: fn(Value) -> Value) -> Value {
    (0..depth).fold(Value::Null, |below, _| wrap(below))
}

type Wrap = fn(Value) -> Value;

/// Not `json!`, which copies what it is given, recursively.
fn in_object(below: Value) -> Value {
    Value::Object(Map::from_iter([("a".to_owned(), below)]))
}

fn in_list(below: Value) -> Value {
    Value::Array(vec![below])
}

#[rstest]
#[case::properties(1, |below| json!({"type": "object", "properties": {"a": below}}), in_object)]
#[case::items(1, |below| json!({"type": "array", "items": below}), in_list)]
#[case::map_values(1, |below| json!({"type": "object", "additionalProperties": below}), in_object)]
#[case::preserving(1, |below| json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": below}}), in_object)]
#[case::all_of(1, |below| json!({"type": "object", "allOf": [below]}), in_object)]
#[case::not(1, |below| json!({"not": below}), in_object)]
#[case::quantified_properties(2, |below| json!({"anyOf": [{"properties": {"a": below}}]}), in_object)]
fn the_deepest_schema_is_judged_and_applied(
    #[case] schemas: usize,
    #[case] schema: Wrap,
    #[case] value: Wrap,
) {
    on_a_small_stack(move || {
        let mut json = nested(MAX_DEPTH / schemas, schema);
        let (schema, _) = Schema::parse(&json).expect("not too deep");
        json::dismantle(std::mem::take(&mut json));
        assert!(schema.depth() >= MAX_DEPTH - 1);
        Upstream.schema_violations(&schema, &SchemaContext::default());
        let mut object = nested_value(10_000, value);
        Upstream.object_violations(&object, &schema);
        Upstream.prune(&mut object, &schema, false);
        Upstream.drop_nulls(&mut object, &schema);
        Upstream
            .coerce_embedded(&mut object, &schema)
            .expect("nothing is embedded");
        Upstream.default(&mut object, &schema);
        json::dismantle(object);
        json::dismantle(schema.to_json());
        assert_eq!(schema.clone(), schema);
    });
}

#[test]
fn deeper_schemas_are_refused() {
    on_a_small_stack(|| {
        let json = nested(MAX_DEPTH + 1, |below| json!({"items": below}));
        let errors = Schema::parse(&json).expect_err("too deep");
        json::dismantle(json);
        assert_eq!(errors.len(), 1);
        let json = nested(MAX_DEPTH, |below| json!({"items": below}));
        let parsed = Schema::parse(&json);
        json::dismantle(json);
        assert_eq!(parsed.expect("deep enough").0.depth(), MAX_DEPTH);
    });
}

#[test]
fn what_no_schema_describes_is_walked_without_recursion() {
    on_a_small_stack(|| {
        let (schema, _) = Schema::parse(&json!({"type": "object", "additionalProperties": true}))
            .expect("readable");
        let mut object = in_object(nested_value(100_000, in_list));
        assert_eq!(json::depth(&object), 100_001);
        assert!(Upstream.prune(&mut object, &schema, true).is_empty());
        json::normalise_numbers(&mut object);
        json::store_form(&mut object);
        json::dismantle(object);
        let mut object = in_object(nested_value(100_000, in_object));
        assert_eq!(Upstream.prune(&mut object, &schema, true), ["a.a"]);
        assert_eq!(object, json!({"a": {}}));
    });
}

#[test]
fn deep_elements_of_sets_and_enumerations_are_compared_without_recursion() {
    on_a_small_stack(|| {
        let deep = || nested_value(20_000, in_list);
        let (schema, _) =
            Schema::parse(&json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"x-kubernetes-preserve-unknown-fields": true, "enum": [1]}}))
                .expect("readable");
        let list = Value::Array(vec![deep(), deep()]);
        let found = Upstream.object_violations(&list, &schema);
        assert_eq!(
            found
                .iter()
                .filter(|violation| violation.field == "[1]")
                .count(),
            2
        );
        json::dismantle(list);
    });
}
