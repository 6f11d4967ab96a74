//! 2.1: every node has a type.

use super::{Node, Position};
use crate::{
    Reason::{Forbidden, Required},
    Violation,
};

/// STRUCT-001.
pub fn root_type(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.position != Position::Root {
        return;
    }
    if lacks_type(node) {
        node.report_keyword(found, "type", Required, "STRUCT-001", "must not be empty at the root");
    } else if !node.schema.type_name.is_empty() && node.schema.type_name != "object" {
        node.report_type(found, "STRUCT-001", "must be object at the root");
    }
}

/// STRUCT-002.
pub fn node_type(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.position != Position::Root && lacks_type(node) {
        let place = if node.position == Position::Item { "array items" } else { "object fields" };
        let detail = format!("must not be empty for specified {place}");
        node.report_keyword(found, "type", Required, "STRUCT-002", &detail);
    }
}

/// Whether a required type is missing. Embedded objects have their own rule (STRUCT-016).
fn lacks_type(node: &Node<'_>) -> bool {
    let schema = node.schema;
    schema.type_name.is_empty() && !schema.int_or_string && !schema.is_preserving() && !schema.embedded_resource
}

/// STRUCT-003.
pub fn array_items(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.type_name == "array" && node.schema.items.is_none() {
        node.report_keyword(found, "items", Required, "STRUCT-003", "must be specified");
    }
}

/// STRUCT-004.
pub fn root_additional_properties(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.additional_properties.is_none() {
        return;
    }
    // A root that is an embedded object violates both halves of the rule.
    if node.position == Position::Root {
        node.report_keyword(found, "additionalProperties", Forbidden, "STRUCT-004", "must not be used at the root");
    }
    if node.schema.embedded_resource {
        let detail = "must not be used if x-kubernetes-embedded-resource is set";
        node.report_keyword(found, "additionalProperties", Forbidden, "STRUCT-004", detail);
    }
}
