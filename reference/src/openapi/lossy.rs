//! What a schema loses on its way into version 2, whose readers know less (OAPI-010).

use crdible_semantics::Schema;
use crdible_semantics::schema::AdditionalProperties;

use super::schemas::structural_children;

/// Leaves out what readers of version 2 do not know, and what they would get wrong.
pub(super) fn simplify(schema: &mut Schema) {
    schema.default = None;
    schema.all_of.clear();
    schema.any_of.clear();
    schema.one_of.clear();
    schema.not = None;
    if schema.nullable {
        schema.nullable = false;
        schema.type_name.clear();
        schema.items = None;
        schema.properties.clear();
    }
    if schema.is_preserving() {
        schema.items = None;
        schema.properties.clear();
    }
    let untold_items = schema.type_name == "array" && schema.items.is_none();
    let untold_fields = schema.type_name == "object" && schema.is_preserving();
    if untold_items || untold_fields {
        schema.type_name.clear();
    }
    demand_no_nulls(schema);
    structural_children(schema).for_each(simplify);
}

/// Readers of version 2 take a null for an absent property.
fn demand_no_nulls(schema: &mut Schema) {
    let properties = &schema.properties;
    schema.values.required.retain(|name| properties.get(name).is_none_or(|property| !property.nullable));
    if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties
        && values.nullable
    {
        schema.values.required.clear();
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    // What kube-apiserver 1.36.3 published.
    #[rstest]
    #[case::quantifiers(
        json!({"type": "string", "default": "a", "pattern": "a", "allOf": [{"minLength": 1}], "anyOf": [{"maxLength": 2}],
            "oneOf": [{"maxLength": 3}], "not": {"maxLength": 0}}),
        json!({"type": "string", "pattern": "a"})
    )]
    #[case::nullable(
        json!({"type": "object", "nullable": true, "description": "d", "properties": {"a": {"type": "string"}}, "minProperties": 1}),
        json!({"description": "d", "minProperties": 1})
    )]
    #[case::nullable_map(
        json!({"type": "object", "nullable": true, "additionalProperties": {"type": "array", "nullable": true, "items": {"type": "string"}}}),
        json!({"additionalProperties": {}})
    )]
    #[case::preserving(
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "required": ["a"], "properties": {"a": {"type": "string"}}}),
        json!({"x-kubernetes-preserve-unknown-fields": true, "required": ["a"]})
    )]
    #[case::preserving_list(
        json!({"type": "array", "x-kubernetes-preserve-unknown-fields": true, "items": {"type": "string"}}),
        json!({"x-kubernetes-preserve-unknown-fields": true})
    )]
    #[case::required_null(
        json!({"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string", "nullable": true}, "b": {"type": "string"}}}),
        json!({"type": "object", "required": ["b"], "properties": {"a": {}, "b": {"type": "string"}}})
    )]
    #[case::required_null_of_a_map(
        json!({"type": "object", "required": ["a"], "additionalProperties": {"type": "string", "nullable": true}}),
        json!({"type": "object", "additionalProperties": {}})
    )]
    #[case::int_or_string(
        json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "minimum": 1}),
        json!({"x-kubernetes-int-or-string": true, "minimum": 1})
    )]
    fn oapi_010_what_is_lost(#[case] written: Value, #[case] expected: Value) {
        let (mut root, _) =
            Schema::parse(&json!({"type": "object", "properties": {"deep": written}})).expect("a schema");
        simplify(&mut root);
        assert_eq!(root.to_json(), json!({"type": "object", "properties": {"deep": expected}}));
    }
}
