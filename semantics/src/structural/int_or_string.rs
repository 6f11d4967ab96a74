//! 2.4: int-or-string.

use super::Node;
use crate::{Reason::Invalid, Schema, Violation, message, schema::AdditionalProperties};

/// STRUCT-011: exactly `[{type: integer}, {type: string}]`, in this order.
pub(crate) fn is_pair(branches: &[Schema]) -> bool {
    matches!(branches, [integer, string] if is_bare(integer, "integer") && is_bare(string, "string"))
}

fn is_bare(schema: &Schema, type_name: &str) -> bool {
    if schema.type_name != type_name {
        return false;
    }
    let mut rest = schema.clone();
    rest.type_name.clear();
    // Upstream compares structural forms, which have neither of these.
    rest.unsupported.clear();
    if rest.additional_properties == Some(AdditionalProperties::Allowed(false)) {
        rest.additional_properties = None;
    }
    rest == Schema::default()
}

/// STRUCT-013.
pub fn combinations(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    for (keyword, present) in [
        ("x-kubernetes-preserve-unknown-fields", schema.is_preserving()),
        ("x-kubernetes-embedded-resource", schema.embedded_resource),
    ] {
        if schema.int_or_string && present {
            let detail = message::about(true, "must be false if x-kubernetes-int-or-string is true");
            node.report_keyword(found, keyword, Invalid, "STRUCT-013", &detail);
        }
    }
}
