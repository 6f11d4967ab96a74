//! What is published of a schema: OAPI-003, OAPI-004, OAPI-010, OAPI-011, as functions of the schema alone.

use crdible_semantics::{Release, release::Change};

use crate::prelude::*;

/// Metadata of an object.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
/// Metadata of a list.
const LIST_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

/// The version of `OpenAPI`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    V2,
    V3,
}

impl Dialect {
    /// A reference to a model.
    pub(super) fn reference(self, model: &str) -> Value {
        match self {
            Self::V2 => json!({ "$ref": format!("#/definitions/{model}") }),
            Self::V3 => json!({ "$ref": format!("#/components/schemas/{model}") }),
        }
    }

    /// The same with a description of the server's own.
    fn described_reference(self, model: &str) -> Value {
        let reference = self.reference(model);
        match self {
            Self::V2 => json!({ "$ref": reference["$ref"], "description": "$any" }),
            Self::V3 => json!({ "allOf": [reference], "description": "$any" }),
        }
    }

    /// The properties that every object has.
    fn meta(self) -> [(&'static str, Value); 3] {
        let text = || json!({ "type": "string", "description": "$any" });
        [("apiVersion", text()), ("kind", text()), ("metadata", self.described_reference(OBJECT_META))]
    }
}

/// The name of the model of the kind at a version.
pub(super) fn name(version: &str) -> String {
    format!("$group.{version}.$kind")
}

/// The name of the model of its list.
pub(super) fn list_name(version: &str) -> String {
    format!("$group.{version}.$kindList")
}

/// The model of objects with this schema.
pub(super) fn model(schema: &Value, dialect: Dialect, release: Release) -> Value {
    if dialect == Dialect::V2 && is(schema, PRESERVE) {
        return json!({ "type": "object" });
    }
    let mut model = schema.clone();
    if !release.has(Change::PublishedExamples) {
        remove_examples(&mut model);
    }
    match dialect {
        Dialect::V3 => unfold(&mut model),
        Dialect::V2 => simplify(&mut model),
    }
    each_child(&mut model, |child| embed(child, dialect));
    add_meta(&mut model, dialect);
    model
}

/// The model of lists.
pub(super) fn list(version: &str, dialect: Dialect) -> Value {
    let text = || json!({ "type": "string", "description": "$any" });
    json!({
        "type": "object",
        "description": "$any",
        "required": ["items"],
        "properties": {
            "apiVersion": text(),
            "kind": text(),
            "metadata": dialect.described_reference(LIST_META),
            "items": { "type": "array", "description": "$any", "items": dialect.reference(&name(version)) },
        },
    })
}

fn is(node: &Value, keyword: &str) -> bool {
    node.get(keyword) == Some(&Value::Bool(true))
}

/// Adds what every object has.
fn add_meta(node: &mut Value, dialect: Dialect) {
    let mut properties = node.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    properties.extend(dialect.meta().map(|(name, meta)| (name.to_owned(), meta)));
    node["properties"] = Value::Object(properties);
}

/// The nodes directly below one, not counting quantifiers.
fn each_child(node: &mut Value, mut change: impl FnMut(&mut Value)) {
    node.get_mut("properties")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
        .for_each(|(_, child)| change(child));
    for keyword in ["items", "additionalProperties"] {
        node.get_mut(keyword).filter(|child| child.is_object()).into_iter().for_each(&mut change);
    }
}

/// Removes examples and external documentation, also in quantifiers (OAPI-004/e3).
fn remove_examples(node: &mut Value) {
    if let Some(fields) = node.as_object_mut() {
        fields.remove("example");
        fields.remove("externalDocs");
    }
    each_child(node, remove_examples);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        node.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten().for_each(remove_examples);
    }
    node.get_mut("not").into_iter().for_each(remove_examples);
}

/// Says of what types an int-or-string is, unless the node does (OAPI-004/e1).
fn unfold(node: &mut Value) {
    if is(node, INT_OR_STRING) {
        let pair = json!([{ "type": "integer" }, { "type": "string" }]);
        let has_pair = ["/anyOf", "/allOf/0/anyOf"].iter().any(|at| node.pointer(at) == Some(&pair));
        if !has_pair && node.get("anyOf").is_none_or(|any_of| any_of == &json!([])) {
            node["anyOf"] = pair;
        } else if !has_pair {
            let mut all = vec![json!({ "anyOf": pair })];
            all.extend(node.get("allOf").and_then(Value::as_array).cloned().unwrap_or_default());
            node["allOf"] = json!(all);
        }
    }
    each_child(node, unfold);
}

/// Drops what version 2 cannot express (OAPI-010).
fn simplify(node: &mut Value) {
    let (is_nullable, is_preserving) = (is(node, "nullable"), is(node, PRESERVE));
    let is_array = node["type"] == "array";
    let Some(fields) = node.as_object_mut() else { return };
    let mut dropped = vec!["default", "allOf", "anyOf", "oneOf", "not"];
    if is_nullable {
        dropped.extend(["type", "nullable", "items", "properties"]);
    }
    if is_preserving {
        dropped.extend(["items", "properties"]);
        if fields.get("type") == Some(&json!("object")) {
            dropped.push("type");
        }
    }
    fields.retain(|keyword, _| !dropped.contains(&keyword.as_str()));
    if is_array && !fields.contains_key("items") {
        fields.remove("type");
    }
    let nullable: Vec<String> = { fields.get("properties").and_then(Value::as_object).into_iter().flatten() }
        .filter(|(_, property)| is(property, "nullable"))
        .map(|(name, _)| name.clone())
        .collect();
    let is_cleared = fields.get("additionalProperties").is_some_and(|values| is(values, "nullable"));
    if let Some(Value::Array(required)) = fields.get_mut("required") {
        required.retain(|name| !is_cleared && nullable.iter().all(|nullable| name != nullable));
        if required.is_empty() {
            fields.remove("required");
        }
    }
    each_child(node, simplify);
}

/// Completes embedded objects: this node and those below (OAPI-003).
fn embed(node: &mut Value, dialect: Dialect) {
    each_child(node, |child| embed(child, dialect));
    if !is(node, EMBEDDED) || (dialect == Dialect::V2 && is(node, PRESERVE)) {
        return;
    }
    add_meta(node, dialect);
    let mut required = node.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    for name in ["apiVersion", "kind"] {
        if !required.iter().any(|other| other == name) {
            required.push(json!(name));
        }
    }
    node["required"] = json!(required);
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Release;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Dialect, model};

    fn below(node: Value, dialect: Dialect) -> Value {
        let schema = json!({ "type": "object", "properties": { "spec": node } });
        model(&schema, dialect, Release::BASELINE)["properties"]["spec"].clone()
    }

    // Read off kube-apiserver 1.36.3.
    #[rstest]
    #[case::embedded_and_preserving(
        json!({ "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "required": ["x"] }),
        json!({ "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "required": ["x"] })
    )]
    #[case::nullable(json!({ "type": "string", "nullable": true, "enum": ["a", null] }), json!({ "enum": ["a", null] }))]
    #[case::int_or_string(json!({ "x-kubernetes-int-or-string": true }), json!({ "x-kubernetes-int-or-string": true }))]
    #[case::required_null(
        json!({ "type": "object", "required": ["a", "b"], "properties": { "a": { "type": "string", "nullable": true }, "b": { "type": "string" } } }),
        json!({ "type": "object", "required": ["b"], "properties": { "a": {}, "b": { "type": "string" } } })
    )]
    fn version_2(#[case] node: Value, #[case] expected: Value) {
        assert_eq!(below(node, Dialect::V2), expected);
    }

    #[rstest]
    #[case::plain(json!({}), json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] }))]
    #[case::another_any_of(
        json!({ "anyOf": [{ "minimum": 1 }], "allOf": [{ "maximum": 3 }] }),
        json!({ "anyOf": [{ "minimum": 1 }], "allOf": [{ "anyOf": [{ "type": "integer" }, { "type": "string" }] }, { "maximum": 3 }] })
    )]
    #[case::in_the_first_all_of(
        json!({ "allOf": [{ "anyOf": [{ "type": "integer" }, { "type": "string" }] }] }),
        json!({ "allOf": [{ "anyOf": [{ "type": "integer" }, { "type": "string" }] }] })
    )]
    fn an_int_or_string_is_unfolded(#[case] mut node: Value, #[case] mut expected: Value) {
        for node in [&mut node, &mut expected] {
            node["x-kubernetes-int-or-string"] = json!(true);
        }
        assert_eq!(below(node, Dialect::V3), expected);
    }
}
