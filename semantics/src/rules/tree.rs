//! The rules of a whole schema, each at its node.

use std::collections::BTreeMap;
use std::sync::Arc;

use crdible_cel::Release;

use super::compiled::{Compiled, Scope};
use super::declared::Declared;
use super::rule::Rule;
use crate::{Schema, Semantics};

/// The rules of a schema, compiled once and evaluated for every object.
#[derive(Debug, Default)]
pub struct Rules {
    pub(crate) root: Option<Node>,
}

/// The rules of a node, and those below it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) rules: Vec<Compiled>,
    /// Whether it has the fields of every object.
    pub(crate) is_resource: bool,
    pub(crate) properties: BTreeMap<String, Self>,
    pub(crate) items: Option<Box<Self>>,
    pub(crate) values: Option<Box<Self>>,
}

impl Rules {
    /// The rules of a schema in a server with these semantics, which knows its own functions in what is stored.
    pub fn of(schema: &Schema, semantics: &Semantics) -> Self {
        Self::within(schema, true, semantics)
    }

    /// The rules at and below a node, which may have the fields of every object.
    pub(crate) fn within(schema: &Schema, is_resource: bool, semantics: &Semantics) -> Self {
        Self { root: node(schema, is_resource, semantics) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }
}

/// Whether rules see nothing of a node: it has no type for them.
pub(crate) fn is_without_type(schema: &Schema, is_resource: bool, semantics: &Semantics) -> bool {
    Declared::of(schema, is_resource, semantics.release).is_none()
}

/// The rules at and below a node; nothing if there is none. Each node is compiled as if it were the whole.
fn node(schema: &Schema, is_resource: bool, semantics: &Semantics) -> Option<Node> {
    let declared = (!schema.rules.is_empty()).then(|| Declared::of(schema, is_resource, semantics.release));
    let declared = declared.flatten().map(Arc::new);
    let rules = declared.map_or_else(Vec::new, |declared| {
        let scope = Scope::new(declared, Release::stored_rules(u32::from(semantics.release.minor())));
        let compiled = |rule| Compiled::new(semantics, Rule::read(rule), schema, &scope, &scope);
        schema.rules.iter().map(compiled).collect()
    });
    let below = |child: &Schema| node(child, child.embedded_resource, semantics);
    let properties = schema.properties.iter();
    let properties: BTreeMap<String, Node> =
        properties.filter_map(|(name, child)| Some((name.clone(), below(child)?))).collect();
    let (items, values) = (schema.item_schema(), schema.value_schema());
    let (items, values) = (items.and_then(below).map(Box::new), values.and_then(below).map(Box::new));
    let is_empty = rules.is_empty() && properties.is_empty() && items.is_none() && values.is_none();
    (!is_empty).then_some(Node { rules, is_resource, properties, items, values })
}
