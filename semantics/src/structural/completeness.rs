//! 2.2: the nodes that quantifiers of the root mention must exist in the structural part.

use super::Node;
use crate::{FieldPath, Reason::Required, Schema, Violation, schema::Items};

/// STRUCT-005. Only the quantifiers of the root itself are checked, as upstream does (STRUCT-006).
pub fn completeness(node: &Node<'_>, found: &mut Vec<Violation>) {
    quantifiers(node.schema, Counterpart { schema: Some(node.schema), path: node.path }, node.path, found);
}

/// The structural node that a mention requires.
#[derive(Clone, Copy)]
struct Counterpart<'a> {
    schema: Option<&'a Schema>,
    path: &'a FieldPath<'a>,
}

fn quantifiers(schema: &Schema, counterpart: Counterpart<'_>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
    for (keyword, index, branch) in schema.branches() {
        let path = path.name(keyword);
        mention(branch, counterpart, &index.map_or(path, |index| path.index(index)), found);
    }
}

fn mention(branch: &Schema, counterpart: Counterpart<'_>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
    let Some(structural) = counterpart.schema else {
        return report_missing(counterpart.path, path, found);
    };
    quantifiers(branch, counterpart, path, found);
    if let Some(Items::Each(items)) = &branch.items {
        let below = Counterpart { schema: structural.item_schema(), path: &counterpart.path.name("items") };
        mention(items, below, &path.name("items"), found);
    }
    let (properties, structural_properties) = (path.name("properties"), counterpart.path.name("properties"));
    for (name, property) in &branch.properties {
        let below = Counterpart { schema: structural.properties.get(name), path: &structural_properties.key(name) };
        mention(property, below, &properties.key(name), found);
    }
}

/// The words before the path of the branch that mentions what is missing.
pub(crate) const DEFINED_IN: &str = "because it is defined in ";

fn report_missing(missing: &FieldPath<'_>, mention: &FieldPath<'_>, found: &mut Vec<Violation>) {
    let detail = format!("{DEFINED_IN}{mention}");
    found.push(Violation::new(missing, Required, "STRUCT-005", detail));
}
