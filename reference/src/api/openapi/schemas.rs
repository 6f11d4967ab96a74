//! Published schemas (OAPI-003, OAPI-004): as written, plus the fields that every Kubernetes object has.

use crdible_semantics::{Schema, schema::AdditionalProperties};

use super::children::structural_children;
use super::lossy;
use crate::kinds::{API_VERSION, Dialect, KIND, OBJECT_META};

/// The published schema of an object.
pub(super) fn published(mut schema: Schema, dialect: Dialect) -> Schema {
    open_branches(&mut schema, false);
    unfold(&mut schema);
    if dialect == Dialect::V2 {
        lossy::simplify(&mut schema);
    }
    put_type_and_metadata(&mut schema, dialect);
    embed_below(&mut schema, dialect);
    schema
}

/// A reference to a built-in model.
pub(super) fn reference(model: &str, description: &str, dialect: Dialect) -> Schema {
    let mut reference = Schema::default();
    reference.unsupported.insert("$ref".to_owned(), dialect.address(model).into());
    let mut described = match dialect {
        Dialect::V2 => reference,
        Dialect::V3 => Schema { all_of: vec![reference], ..Schema::default() },
    };
    description.clone_into(&mut described.documentation.description);
    described
}

/// Removes examples and external documentation.
pub(super) fn remove_examples(schema: &mut Schema) {
    schema.documentation.example = None;
    schema.documentation.external_docs = None;
    structural_children(schema).for_each(remove_examples);
    let Schema { all_of, any_of, one_of, not, .. } = schema;
    let branches = all_of.iter_mut().chain(any_of).chain(one_of).chain(not.as_deref_mut());
    branches.for_each(remove_examples);
}

/// Drops `additionalProperties: false`, which only branches of quantifiers may have: upstream's structural schemas have
/// no place for it there.
fn open_branches(schema: &mut Schema, is_branch: bool) {
    if is_branch && matches!(schema.additional_properties, Some(AdditionalProperties::Allowed(false))) {
        schema.additional_properties = None;
    }
    structural_children(schema).for_each(|child| open_branches(child, is_branch));
    let Schema { all_of, any_of, one_of, not, .. } = schema;
    let branches = all_of.iter_mut().chain(any_of).chain(one_of).chain(not.as_deref_mut());
    branches.for_each(|branch| open_branches(branch, true));
}

/// Expresses int-or-string with standard keywords, unless the schema does so already.
fn unfold(schema: &mut Schema) {
    if schema.int_or_string {
        let either = ["integer", "string"].map(|kind| Schema { type_name: kind.to_owned(), ..Schema::default() });
        let unfolded = schema.any_of == either || schema.all_of.first().is_some_and(|first| first.any_of == either);
        if !unfolded && schema.any_of.is_empty() {
            schema.any_of = either.into();
        } else if !unfolded {
            schema.all_of.insert(0, Schema { any_of: either.into(), ..Schema::default() });
        }
    }
    structural_children(schema).for_each(unfold);
}

/// Completes the embedded objects below a schema.
fn embed_below(schema: &mut Schema, dialect: Dialect) {
    for child in structural_children(schema) {
        embed_below(child, dialect);
        // Clients of version 2 would refuse unspecified fields of a preserving object.
        if child.embedded_resource && !(dialect == Dialect::V2 && child.is_preserving()) {
            put_type_and_metadata(child, dialect);
            for field in ["kind", "apiVersion"] {
                if !child.values.required.iter().any(|required| required == field) {
                    child.values.required.push(field.to_owned());
                }
            }
        }
    }
}

/// Replaces `apiVersion`, `kind` and `metadata` by what every object has.
fn put_type_and_metadata(schema: &mut Schema, dialect: Dialect) {
    for (name, description) in [(API_VERSION.name, API_VERSION.description), (KIND.name, KIND.description)] {
        let mut text = Schema { type_name: "string".into(), ..Schema::default() };
        description.clone_into(&mut text.documentation.description);
        schema.properties.insert(name.to_owned(), text);
    }
    schema.properties.insert("metadata".into(), reference(OBJECT_META.name, "Metadata of the object.", dialect));
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    /// A published schema, without `apiVersion`, `kind` and `metadata` of the root.
    pub(in crate::api::openapi) fn published_json(schema: &Value, dialect: Dialect) -> Value {
        let (schema, _) = Schema::parse(schema).expect("a schema");
        let mut published = published(schema, dialect);
        for field in ["apiVersion", "kind", "metadata"] {
            published.properties.remove(field).expect("a field that every object has");
        }
        published.to_json()
    }

    fn pair() -> Value {
        json!([{"type": "integer"}, {"type": "string"}])
    }

    // As published by kube-apiserver 1.36.3.
    #[rstest]
    #[case::plain(json!({}), json!({"anyOf": pair()}))]
    #[case::unfolded_already(json!({"anyOf": pair()}), json!({"anyOf": pair()}))]
    #[case::unfolded_in_the_first_all_of(
        json!({"allOf": [{"anyOf": pair()}, {"minimum": 1}]}),
        json!({"allOf": [{"anyOf": pair()}, {"minimum": 1}]}),
    )]
    #[case::other_any_of(
        json!({"anyOf": [{"minimum": 1}], "allOf": [{"maximum": 3}]}),
        json!({"anyOf": [{"minimum": 1}], "allOf": [{"anyOf": pair()}, {"maximum": 3}]})
    )]
    fn oapi_004_int_or_string_is_unfolded(#[case] written: Value, #[case] expected: Value) {
        let node = |mut node: Value| {
            node["x-kubernetes-int-or-string"] = true.into();
            json!({"type": "object", "properties": {"a": node, "l": {"type": "array", "items": node}}})
        };
        assert_eq!(published_json(&node(written), Dialect::V3), node(expected));
    }

    #[test]
    fn oapi_004_branches_are_published_as_open() {
        let branch = json!({"additionalProperties": false, "properties": {"a": {"additionalProperties": false}}});
        let schema = json!({"type": "object", "anyOf": [branch], "properties": {
            "a": {"type": "object", "not": {"additionalProperties": false, "minProperties": 1}},
        }});
        let published = published_json(&schema, Dialect::V3);
        assert_eq!(published["anyOf"], json!([{"properties": {"a": {}}}]));
        assert_eq!(published["properties"]["a"]["not"], json!({"minProperties": 1}));
    }

    #[test]
    fn oapi_004_e3_examples_are_removed_at_any_depth() {
        let node = |mut below: Value| {
            below["example"] = json!({"example": 1});
            below["externalDocs"] = json!({"url": "u"});
            below
        };
        let documented = node(json!({"type": "object", "properties": {
            "example": node(json!({"type": "string", "title": "t"})),
            "l": {"type": "array", "items": node(json!({}))},
            "m": {"type": "object", "additionalProperties": node(json!({}))},
            "q": {"allOf": [node(json!({}))], "anyOf": [node(json!({}))], "oneOf": [node(json!({}))], "not": node(json!({}))},
        }}));
        let (mut schema, _) = Schema::parse(&documented).expect("a schema");
        remove_examples(&mut schema);
        let expected = json!({"type": "object", "properties": {
            "example": {"type": "string", "title": "t"},
            "l": {"type": "array", "items": {}},
            "m": {"type": "object", "additionalProperties": {}},
            "q": {"allOf": [{}], "anyOf": [{}], "oneOf": [{}], "not": {}},
        }});
        assert_eq!(schema.to_json(), expected);
    }

    #[test]
    fn oapi_003_objects_are_completed_at_any_depth() {
        let schema = json!({"type": "object", "properties": {"l": {"type": "array", "items": {
            "type": "object", "x-kubernetes-embedded-resource": true, "required": ["apiVersion"],
            "properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}},
        }}}});
        let items = &published_json(&schema, Dialect::V3)["properties"]["l"]["items"];
        assert_eq!(items["required"], json!(["apiVersion", "kind"]));
        assert_eq!(items["properties"]["kind"]["type"], "string");
        let object_meta = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
        assert_eq!(items["properties"]["metadata"]["allOf"], json!([{"$ref": object_meta}]));
        assert_eq!(items["properties"]["metadata"].get("properties"), None);
    }
}
