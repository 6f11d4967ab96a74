//! 2.6: nullable.

use super::Node;
use crate::{Reason, Violation};

/// CRDVAL-027, STRUCT-022.
pub fn root_nullable(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.nullable {
        node.report_keyword(found, "nullable", Reason::Forbidden, "STRUCT-022", "must not be true at the root");
    }
}

/// STRUCT-031.
pub fn list_items(node: &Node<'_>, found: &mut Vec<Violation>) {
    let is_set_or_map = matches!(node.schema.list_type.as_deref(), Some("set" | "map"));
    if let Some(items) = node.schema.item_schema()
        && is_set_or_map
        && items.nullable
    {
        let path = node.path.name("items");
        super::node::report_at(
            found,
            &path.name("nullable"),
            Reason::Forbidden,
            "STRUCT-031",
            "elements of sets and maps cannot be null",
        );
    }
}

/// STRUCT-032.
pub fn keys(node: &Node<'_>, found: &mut Vec<Violation>) {
    super::topology::for_each_key(node, &mut |key, path| {
        if key.nullable {
            super::node::report_at(
                found,
                &path.name("nullable"),
                Reason::Forbidden,
                "STRUCT-032",
                "a key cannot be null",
            );
        }
    });
}
