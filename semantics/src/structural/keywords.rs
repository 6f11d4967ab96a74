//! Keywords (chapter 1), and where they are allowed.

use serde_json::Value;

use super::{Node, Position, node::report_at};
use crate::{
    Reason::{Forbidden, Invalid, NotSupported},
    Schema, Violation, go_text, message,
    schema::{AdditionalProperties, Items, shown},
};

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// CRDVAL-029.
pub fn type_names(node: &Node<'_>, found: &mut Vec<Violation>) {
    let type_name = node.schema.type_name.as_str();
    if !type_name.is_empty() && !TYPES.contains(&type_name) {
        let detail = message::unsupported(go_text::quoted(type_name), TYPES);
        node.report_keyword(found, "type", NotSupported, "CRDVAL-029", &detail);
    }
    if type_name == "null" {
        node.report_keyword(
            found,
            "type",
            Forbidden,
            "CRDVAL-029",
            "type cannot be set to null, use nullable as an alternative",
        );
    }
}

/// CRDVAL-034.
pub fn pattern(node: &Node<'_>, found: &mut Vec<Violation>) {
    if let Err(error) = node.schema.values.pattern.compiled() {
        let fault = format_args!("must be a valid regular expression, but isn't: {error}");
        let detail = message::about_text(node.schema.values.pattern.as_str(), fault);
        node.report_keyword(found, "pattern", Invalid, "CRDVAL-034", &detail);
    }
}

/// CRDVAL-051.
pub fn default_positions(node: &Node<'_>, found: &mut Vec<Violation>) {
    if let Some(place) = node.defaults_forbidden
        && node.schema.default.is_some()
    {
        node.report_keyword(found, "default", Forbidden, "CRDVAL-051", &format!("must not be set {place}"));
    }
}

/// CRDVAL-030.
pub fn unsupported(node: &Node<'_>, found: &mut Vec<Violation>) {
    for keyword in node.schema.unsupported.keys() {
        // `$schema` is not reported here; it only prevents the structural form (CRDVAL-025).
        if keyword != "$schema" {
            node.report_keyword(found, keyword, Forbidden, "CRDVAL-030", &format!("{keyword} is not supported"));
        }
    }
    if matches!(node.schema.items, Some(Items::ByPosition(_))) {
        node.report_keyword(found, "items", Forbidden, "CRDVAL-030", "items must be a schema object and not an array");
    }
}

/// Whether the keywords of one node prevent a structural form.
pub(super) fn prevents_structural_form(schema: &Schema) -> bool {
    schema.preserve_unknown_fields == Some(false)
        || matches!(schema.items, Some(Items::ByPosition(_)))
        || schema.unsupported.iter().any(|(keyword, value)| match keyword.as_str() {
            "additionalItems" => true,
            _ => !is_empty(value),
        })
}

/// Why a schema has no structural form, where no rule of a keyword tells it: `$schema` alone prevents one in silence.
pub(super) fn unstructured(root: &Schema) -> &'static str {
    let preserve = root.nodes().any(|node| node.preserve_unknown_fields == Some(false));
    if preserve {
        "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
    } else {
        "OpenAPIV3Schema 'schema' is not supported"
    }
}

/// Visits the schemas in `definitions` and `dependencies`, which are checked like any other.
pub(super) fn for_each_unsupported_schema(node: &Node<'_>, visit: &mut dyn FnMut(&Node<'_>)) {
    for keyword in ["definitions", "dependencies"] {
        let Some(Value::Object(entries)) = node.schema.unsupported.get(keyword) else { continue };
        let path = node.path.name(keyword);
        for (name, json) in entries {
            let schema = if json.is_null() {
                Some(Schema::default())
            } else {
                Schema::parse(json).ok().map(|(schema, _)| schema)
            };
            if let Some(schema) = schema.filter(|_| json.is_object() || keyword == "definitions") {
                visit(&node.below(&schema, &path.key(name), Position::Branch));
            }
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// CRDVAL-032.
pub fn unique_items(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.values.unique_items {
        let detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        node.report_keyword(found, "uniqueItems", Forbidden, "CRDVAL-032", detail);
    }
}

/// CRDVAL-033.
pub fn properties_or_additional(node: &Node<'_>, found: &mut Vec<Violation>) {
    let is_restricting = !matches!(node.schema.additional_properties, None | Some(AdditionalProperties::Allowed(true)));
    if is_restricting && !node.schema.properties.is_empty() {
        let detail = "additionalProperties and properties are mutual exclusive";
        node.report_keyword(found, "additionalProperties", Forbidden, "CRDVAL-033", detail);
    }
}

/// CRDVAL-035.
pub fn preserve_is_true(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.preserve_unknown_fields == Some(false) {
        let detail = message::about(false, "must be true or undefined");
        node.report_keyword(found, "x-kubernetes-preserve-unknown-fields", Invalid, "CRDVAL-035", &detail);
    }
}

/// CRDVAL-040. Only the first forbidden keyword is reported, in the order of upstream's Go type, where `type` is the
/// fourth field.
pub fn root_under_status(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    let uses_one_of = |keywords: &[&str]| keywords.iter().any(|keyword| schema.unsupported.contains_key(*keyword));
    let before_type = uses_one_of(&["id", "$schema", "$ref"]);
    let after_type = schema.nullable
        || schema.default.is_some()
        || !schema.values.enumeration.is_empty()
        || schema.values.max_properties.is_some()
        || schema.values.min_properties.is_some()
        || !(schema.all_of.is_empty() && schema.any_of.is_empty() && schema.one_of.is_empty())
        || schema.not.is_some()
        || schema.additional_properties.is_some()
        || schema.embedded_resource
        || schema.int_or_string
        || !schema.list_map_keys.is_empty()
        || schema.list_type.is_some()
        || schema.map_type.is_some()
        || uses_one_of(&["patternProperties", "dependencies", "additionalItems", "definitions"]);
    if !before_type && !schema.type_name.is_empty() && schema.type_name != "object" {
        let fault =
            "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
        let detail = message::about_text(&schema.type_name, fault);
        node.report_keyword(found, "type", Invalid, "CRDVAL-040", &detail);
    } else if before_type || after_type {
        const ALLOWED: &str = "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength \
                               MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties \
                               ExternalDocs Example XPreserveUnknownFields XValidations";
        let fault = format_args!(
            "only [{ALLOWED}] fields are allowed at the root of the schema if the status subresource is enabled"
        );
        let detail = message::about(shown::schema(&schema.to_json()), fault);
        report_at(found, node.path, Invalid, "CRDVAL-040", &detail);
    }
}
