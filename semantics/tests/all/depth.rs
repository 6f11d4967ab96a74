//! No input overflows the stack of a thread with 2 MiB.

use crdible_semantics::{MAX_DEPTH, Rules, Schema, SchemaContext, Semantics, json};
use rstest::rstest;
use serde_json::{Map, Value, json};

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(test).expect("a thread starts");
    thread.join().expect("the test passes");
}

/// `depth` nested schemas, each at `pointer` in its parent.
fn nested(depth: usize, around: &Value, pointer: &str) -> Value {
    (1..depth).fold(json!({"type": "string", "default": "x"}), |below, _| {
        let mut schema = around.clone();
        *schema.pointer_mut(pointer).expect("a pointer to a value") = below;
        schema
    })
}

fn nested_value(depth: usize, wrap: Wrap) -> Value {
    (0..depth).fold(Value::Null, |below, _| wrap(below))
}

type Wrap = fn(Value) -> Value;

/// Not `json!`, which copies its arguments recursively.
fn in_object(below: Value) -> Value {
    Value::Object(Map::from_iter([("a".to_owned(), below)]))
}

fn in_list(below: Value) -> Value {
    Value::Array(vec![below])
}

#[rstest]
#[case::properties(1, json!({"type": "object", "properties": {"a": null}}), "/properties/a", in_object)]
#[case::items(1, json!({"type": "array", "items": null}), "/items", in_list)]
#[case::map_values(1, json!({"type": "object", "additionalProperties": null}), "/additionalProperties", in_object)]
#[case::preserving(
    1,
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": null}}),
    "/properties/a",
    in_object,
)]
#[case::all_of(1, json!({"type": "object", "allOf": [null]}), "/allOf/0", in_object)]
#[case::not(1, json!({"not": null}), "/not", in_object)]
#[case::quantified_properties(2, json!({"anyOf": [{"properties": {"a": null}}]}), "/anyOf/0/properties/a", in_object)]
fn the_deepest_schema_is_checked_and_applied(
    #[case] levels: usize,
    #[case] around: Value,
    #[case] pointer: &'static str,
    #[case] value: Wrap,
) {
    on_a_small_stack(move || {
        let mut json = nested(MAX_DEPTH / levels, &around, pointer);
        let (schema, _) = Schema::parse(&json).expect("not too deep");
        json::dismantle(std::mem::take(&mut json));
        assert!(schema.depth() >= MAX_DEPTH - 1);
        Semantics::UPSTREAM.schema_violations(&schema, &SchemaContext::default());
        let mut object = nested_value(10_000, value);
        Semantics::UPSTREAM.object_violations(&object, &schema, None);
        Semantics::UPSTREAM.prune(&mut object, &schema, false);
        Semantics::UPSTREAM.drop_nulls(&mut object, &schema);
        Semantics::UPSTREAM.coerce_embedded(&mut object, &schema).expect("nothing is embedded");
        Semantics::UPSTREAM.apply_defaults(&mut object, &schema);
        json::dismantle(object);
        json::dismantle(schema.to_json());
        assert_eq!(schema.clone(), schema);
    });
}

#[test]
fn deeper_schemas_are_rejected() {
    on_a_small_stack(|| {
        let json = nested(MAX_DEPTH + 1, &json!({"items": null}), "/items");
        let errors = Schema::parse(&json).expect_err("too deep");
        json::dismantle(json);
        assert_eq!(errors.len(), 1);
        let json = nested(MAX_DEPTH, &json!({"items": null}), "/items");
        let parsed = Schema::parse(&json);
        json::dismantle(json);
        assert_eq!(parsed.expect("deep enough").0.depth(), MAX_DEPTH);
    });
}

#[test]
fn deep_values_in_schemas_are_rejected() {
    on_a_small_stack(|| {
        for keyword in ["default", "example", "x-unknown"] {
            let mut json = json!({"type": "object"});
            json[keyword] = nested_value(10_000, in_list);
            assert!(Schema::parse(&json).is_err());
            json::dismantle(json);
        }
        let mut json = json!({"type": "object"});
        json["default"] = nested_value(MAX_DEPTH, in_list);
        let (schema, _) = Schema::parse(&json).expect("not too deep");
        Semantics::UPSTREAM.schema_violations(&schema, &SchemaContext::default());
    });
}

#[test]
fn deep_metadata_is_dropped_or_rejected() {
    on_a_small_stack(|| {
        let json = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
        let (schema, _) = Schema::parse(&json).expect("readable");
        let deep = || nested_value(50_000, in_object);
        for name in ["unknown", "labels", "name"] {
            let mut object = json!({"apiVersion": "v1", "kind": "K", "metadata": {}});
            object["metadata"][name] = deep();
            Semantics::UPSTREAM.read(&mut object, &schema, &schema, true);
            assert_eq!(object["metadata"], json!({"generation": 1}));
        }
        let mut object = json!({"apiVersion": "v1"});
        object["kind"] = deep();
        object["metadata"] = in_object(deep());
        assert_eq!(Semantics::UPSTREAM.object_violations(&object, &schema, None).len(), 2);
        Semantics::UPSTREAM.repair_embedded(&mut object, &schema);
        assert_eq!(object, json!({"apiVersion": "v1", "metadata": {}}));
    });
}

#[test]
fn values_without_a_schema_are_walked_without_recursion() {
    on_a_small_stack(|| {
        let (schema, _) = Schema::parse(&json!({"type": "object", "additionalProperties": true})).expect("readable");
        let mut object = in_object(nested_value(100_000, in_list));
        assert_eq!(json::depth(&object), 100_001);
        assert!(Semantics::UPSTREAM.prune(&mut object, &schema, true).is_empty());
        json::normalise_numbers(&mut object);
        json::store_form(&mut object);
        json::dismantle(object);
        let mut object = in_object(nested_value(100_000, in_object));
        assert_eq!(Semantics::UPSTREAM.prune(&mut object, &schema, true), ["a.a"]);
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
        let found = Semantics::UPSTREAM.object_violations(&list, &schema, None);
        assert_eq!(found.iter().filter(|violation| violation.field == "[1]").count(), 2);
        json::dismantle(list);
    });
}

/// What no schema describes counts when a rule compares wholes.
#[test]
fn rules_compare_values_of_any_depth() {
    on_a_small_stack(|| {
        let schema = json!({
            "type": "object", "x-kubernetes-preserve-unknown-fields": true,
            "x-kubernetes-validations": [{"rule": "self == oldSelf"}],
        });
        let (schema, _) = Schema::parse(&schema).expect("a schema");
        let rules = Rules::of(&schema, &Semantics::UPSTREAM);
        let deep = || in_object(nested_value(100_000, in_list));
        let (mut new, mut old) = (deep(), deep());
        let found = Semantics::UPSTREAM.rule_findings(&rules, &new, &schema, Some(&old));
        assert!(found.violations.is_empty(), "{found:?}");
        json::dismantle(new.take());
        json::dismantle(old.take());
    });
}
