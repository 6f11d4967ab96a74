//! 2.5: extensions for embedded objects and metadata.

use super::{Node, Position, node::report_at};
use crate::{
    Reason::{Forbidden, Invalid, Required},
    Release, Schema, Violation, message,
    release::Change,
};

/// STRUCT-016.
pub fn embedded_shape(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    if !schema.embedded_resource {
        return;
    }
    if schema.type_name != "object" {
        node.report_type(found, "STRUCT-016", "must be object if x-kubernetes-embedded-resource is true");
    }
    if !schema.is_preserving() && schema.properties.is_empty() {
        let detail = "must not be empty if x-kubernetes-embedded-resource is true without \
                      x-kubernetes-preserve-unknown-fields";
        node.report_keyword(found, "properties", Required, "STRUCT-016", detail);
    }
}

/// STRUCT-017.
pub fn embedded_inside_meta(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.inside_meta && node.schema.embedded_resource {
        let detail = "must not be used inside of resource meta";
        node.report_keyword(found, "x-kubernetes-embedded-resource", Forbidden, "STRUCT-017", detail);
    }
}

/// STRUCT-018.
pub fn meta_property_types(node: &Node<'_>, found: &mut Vec<Violation>) {
    if !node.is_resource() {
        return;
    }
    let properties = node.path.name("properties");
    for (name, type_name) in [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")] {
        if let Some(property) = node.schema.properties.get(name).filter(|property| property.type_name != type_name) {
            let detail = message::about_text(&property.type_name, format_args!("must be {type_name}"));
            let property = properties.key(name);
            report_at(found, &property.name("type"), Invalid, "STRUCT-018", &detail);
        }
    }
}

/// STRUCT-019.
pub fn root_metadata(release: Release, node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.position != Position::Root {
        return;
    }
    let Some(metadata) = node.schema.properties.get("metadata") else { return };
    if !is_restricted_to_names(release, metadata) {
        let properties = node.path.name("properties");
        let detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
        report_at(found, &properties.key("metadata"), Forbidden, "STRUCT-019", detail);
    }
}

fn is_restricted_to_names(release: Release, metadata: &Schema) -> bool {
    if !metadata.properties.keys().all(|name| name == "name" || name == "generateName") {
        return false;
    }
    let mut rest = metadata.clone();
    rest.properties.clear();
    // Type and default have their own rules. Unsupported keywords are not part of the structural form.
    rest.type_name.clear();
    rest.default = None;
    rest.unsupported.clear();
    if !release.has(Change::UndocumentedRootMetadata) {
        rest.documentation.example = None;
        rest.documentation.external_docs = None;
    }
    rest == Schema::default()
}
