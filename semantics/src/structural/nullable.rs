//! 2.6: nullable.

use super::{Node, node::report_at, topology::for_each_key};
use crate::{Reason::Forbidden, Violation};

/// CRDVAL-027, STRUCT-022.
pub fn root_nullable(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.nullable {
        node.report_keyword(found, "nullable", Forbidden, "STRUCT-022", "nullable cannot be true at the root");
    }
}

/// STRUCT-031.
pub fn list_items(node: &Node<'_>, found: &mut Vec<Violation>) {
    let is_set_or_map = matches!(node.schema.list_type.as_deref(), Some("set" | "map"));
    if let Some(items) = node.schema.item_schema()
        && is_set_or_map
        && items.nullable
    {
        let list_type = node.schema.list_type.as_deref().unwrap_or_default();
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        let path = node.path.name("items");
        report_at(found, &path.name("nullable"), Forbidden, "STRUCT-031", &detail);
    }
}

/// STRUCT-032.
pub fn keys(node: &Node<'_>, found: &mut Vec<Violation>) {
    for_each_key(node, &mut |key, path| {
        if key.nullable {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            report_at(found, &path.name("nullable"), Forbidden, "STRUCT-032", detail);
        }
    });
}
