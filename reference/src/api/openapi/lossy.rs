//! Simplifies schemas for version 2, whose clients understand less (OAPI-010).

use crdible_semantics::Schema;
use crdible_semantics::schema::AdditionalProperties;

use super::children::structural_children;

/// Removes what clients of version 2 do not know or misinterpret.
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
    let unspecified_items = schema.type_name == "array" && schema.items.is_none();
    let unspecified_fields = schema.type_name == "object" && schema.is_preserving();
    if unspecified_items || unspecified_fields {
        schema.type_name.clear();
    }
    require_no_nullable(schema);
    structural_children(schema).for_each(simplify);
}

/// Clients of version 2 treat null as absent, so nullable properties must not be required.
fn require_no_nullable(schema: &mut Schema) {
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

    // As published by kube-apiserver 1.36.3.
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
    fn oapi_010_schemas_are_simplified(#[case] written: Value, #[case] expected: Value) {
        let (mut root, _) =
            Schema::parse(&json!({"type": "object", "properties": {"deep": written}})).expect("a schema");
        simplify(&mut root);
        assert_eq!(root.to_json(), json!({"type": "object", "properties": {"deep": expected}}));
    }
}
