//! Schemas as they are published (OAPI-003, OAPI-004): as written, with what every object of Kubernetes has put in place.

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};

use super::dialect::Dialect;
use super::{lossy, models};

/// The schema of an object.
pub(super) fn published(mut schema: Schema, dialect: Dialect) -> Schema {
    unfold(&mut schema);
    if dialect == Dialect::V2 {
        lossy::simplify(&mut schema);
    }
    put_type_and_metadata(&mut schema, dialect);
    embed_below(&mut schema, dialect);
    schema
}

/// A reference to a model of the server.
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

/// The schemas directly below that give structure.
pub(super) fn structural_children(schema: &mut Schema) -> impl Iterator<Item = &mut Schema> {
    let items = match &mut schema.items {
        Some(Items::Each(items)) => Some(&mut **items),
        _ => None,
    };
    let values = match &mut schema.additional_properties {
        Some(AdditionalProperties::Schema(values)) => Some(&mut **values),
        _ => None,
    };
    schema.properties.values_mut().chain(items).chain(values)
}

/// Tells the two types of int-or-string by what every reader knows, unless the node does already.
fn unfold(schema: &mut Schema) {
    if schema.int_or_string {
        let either = ["integer", "string"].map(|kind| Schema { type_name: kind.to_owned(), ..Schema::default() });
        let told = schema.any_of == either || schema.all_of.first().is_some_and(|first| first.any_of == either);
        if !told && schema.any_of.is_empty() {
            schema.any_of = either.into();
        } else if !told {
            schema.all_of.insert(0, Schema { any_of: either.into(), ..Schema::default() });
        }
    }
    structural_children(schema).for_each(unfold);
}

/// Completes the objects of Kubernetes below a node.
fn embed_below(schema: &mut Schema, dialect: Dialect) {
    for child in structural_children(schema) {
        embed_below(child, dialect);
        // Clients of version 2 would refuse what is not specified beside it.
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

/// Puts `apiVersion`, `kind` and `metadata` in place of whatever the definition says of them.
fn put_type_and_metadata(schema: &mut Schema, dialect: Dialect) {
    for (name, description) in [("apiVersion", models::API_VERSION_DESCRIPTION), ("kind", models::KIND_DESCRIPTION)] {
        let mut text = Schema { type_name: "string".into(), ..Schema::default() };
        description.clone_into(&mut text.documentation.description);
        schema.properties.insert(name.to_owned(), text);
    }
    schema.properties.insert("metadata".into(), reference(models::OBJECT_META, "Metadata of the object.", dialect));
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    /// A schema published, without `apiVersion`, `kind` and `metadata` of the root.
    pub(in crate::openapi) fn published_json(schema: &Value, dialect: Dialect) -> Value {
        let (schema, _) = Schema::parse(schema).expect("a schema");
        let mut published = published(schema, dialect);
        for field in ["apiVersion", "kind", "metadata"] {
            published.properties.remove(field).expect("what every object has");
        }
        published.to_json()
    }

    fn pair() -> Value {
        json!([{"type": "integer"}, {"type": "string"}])
    }

    // What kube-apiserver 1.36.3 published.
    #[rstest]
    #[case::plain(json!({}), json!({"anyOf": pair()}))]
    #[case::told(json!({"anyOf": pair()}), json!({"anyOf": pair()}))]
    #[case::told_first(json!({"allOf": [{"anyOf": pair()}, {"minimum": 1}]}), json!({"allOf": [{"anyOf": pair()}, {"minimum": 1}]}))]
    #[case::another(
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
