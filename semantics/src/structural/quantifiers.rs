//! 2.3: keywords that are forbidden in quantifiers.

use super::{Node, Position, node::report_at};
use crate::{Reason::Forbidden, Schema, Semantics, Violation, schema::AdditionalProperties};

/// The forbidden keywords (STRUCT-008), and what each must be.
const FORBIDDEN: [(&str, &str); 13] = [
    ("type", "empty"),
    ("additionalProperties", "undefined"),
    ("default", "undefined"),
    ("title", "empty"),
    ("description", "empty"),
    ("nullable", "false"),
    ("x-kubernetes-preserve-unknown-fields", "false"),
    ("x-kubernetes-embedded-resource", "false"),
    ("x-kubernetes-int-or-string", "false"),
    ("x-kubernetes-list-map-keys", "empty"),
    ("x-kubernetes-list-type", "undefined"),
    ("x-kubernetes-map-type", "undefined"),
    ("x-kubernetes-validations", "empty"),
];

pub(crate) fn quantifiers(semantics: &Semantics, node: &Node<'_>, found: &mut Vec<Violation>) {
    let any_of_excused = semantics.is_int_or_string_pair(&node.schema.any_of);
    let first_all_of_excused =
        node.schema.all_of.first().is_some_and(|first| semantics.is_int_or_string_pair(&first.any_of));
    branches(semantics, node, any_of_excused, first_all_of_excused, found);
}

/// Checks the branches of a node. `any_of_excused`: its `anyOf` is the pair of STRUCT-011. `first_all_of_excused`: the
/// `anyOf` of its first `allOf` is that pair (STRUCT-012).
fn branches(
    semantics: &Semantics,
    node: &Node<'_>,
    any_of_excused: bool,
    first_all_of_excused: bool,
    found: &mut Vec<Violation>,
) {
    for_each_branch(node, &mut |keyword, index, below| {
        if keyword != "anyOf" || !any_of_excused {
            let is_first_of_all = keyword == "allOf" && index == Some(0);
            branch(semantics, below, first_all_of_excused && is_first_of_all, found);
        }
    });
}

fn branch(semantics: &Semantics, node: &Node<'_>, any_of_excused: bool, found: &mut Vec<Violation>) {
    branches(semantics, node, any_of_excused, false, found);
    if let Some(items) = node.schema.item_schema() {
        branch(semantics, &node.below(items, &node.path.name("items"), Position::Branch), false, found);
    }
    let properties = node.path.name("properties");
    for (name, property) in &node.schema.properties {
        branch(semantics, &node.below(property, &properties.key(name), Position::Branch), false, found);
    }
    semantics.rule_pattern(node, found);
    semantics.rule_branch_keywords(node, found);
    semantics.rule_branch_metadata(node, found);
}

/// STRUCT-008.
pub fn branch_keywords(semantics: &Semantics, node: &Node<'_>, found: &mut Vec<Violation>) {
    for (keyword, absent) in FORBIDDEN {
        if semantics.branch_forbids(keyword, node.schema) {
            let detail = format!("must be {absent} to be structural");
            node.report_keyword(found, keyword, Forbidden, "STRUCT-008", &detail);
        }
    }
}

pub(crate) fn forbids(keyword: &str, schema: &Schema) -> bool {
    match keyword {
        "type" => !schema.type_name.is_empty(),
        // Upstream drops a `false` before this check ([Q] of STRUCT-008).
        "additionalProperties" => {
            !matches!(schema.additional_properties, None | Some(AdditionalProperties::Allowed(false)))
        }
        "default" => schema.default.is_some(),
        "title" => !schema.documentation.title.is_empty(),
        "description" => !schema.documentation.description.is_empty(),
        "nullable" => schema.nullable,
        "x-kubernetes-preserve-unknown-fields" => schema.is_preserving(),
        "x-kubernetes-embedded-resource" => schema.embedded_resource,
        "x-kubernetes-int-or-string" => schema.int_or_string,
        "x-kubernetes-list-map-keys" => !schema.list_map_keys.is_empty(),
        "x-kubernetes-list-type" => schema.list_type.is_some(),
        "x-kubernetes-map-type" => schema.map_type.is_some(),
        "x-kubernetes-validations" => !schema.rules.is_empty(),
        _ => false,
    }
}

/// STRUCT-010.
pub fn branch_metadata(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.properties.contains_key("metadata") {
        let path = node.path.name("properties");
        report_at(found, &path.key("metadata"), Forbidden, "STRUCT-010", "must not be specified in a nested context");
    }
}

/// Visits the branches of a node, each with its keyword and, except for `not`, its index.
pub(super) fn for_each_branch(node: &Node<'_>, visit: &mut dyn FnMut(&str, Option<usize>, &Node<'_>)) {
    for (keyword, index, branch) in node.schema.branches() {
        let list = node.path.name(keyword);
        visit(keyword, index, &node.below(branch, &index.map_or(list, |index| list.index(index)), Position::Branch));
    }
}
