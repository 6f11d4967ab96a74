//! The rules of a whole schema, each at its node.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::compiled::{Compiled, Scope};
use super::declared::Declared;
use super::rule::Rule;
use crate::Schema;

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
    /// The rules of a schema, with all functions that any release has: a definition that is stored may use them.
    pub fn of(schema: &Schema) -> Self {
        if !schema.nodes().any(|node| !node.rules.is_empty()) {
            return Self::default();
        }
        let declared = Declared::of(schema, true).map(Arc::new);
        Self { root: node(schema, true, declared.as_ref()) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }
}

/// The rules at and below a node; nothing if there is none.
fn node(schema: &Schema, is_resource: bool, declared: Option<&Arc<Declared>>) -> Option<Node> {
    let rules = match declared {
        Some(declared) if !schema.rules.is_empty() => {
            let scope = Scope::new(Arc::clone(declared), u32::MAX);
            let compiled = |rule| Compiled::new(Rule::read(rule), schema, &scope, &scope);
            schema.rules.iter().map(compiled).collect()
        }
        _ => Vec::new(),
    };
    let mut properties = BTreeMap::new();
    for (name, child) in &schema.properties {
        let is_resource = child.embedded_resource;
        // What rules cannot name, they see all the same at its own node.
        let own = match super::names::escaped(name) {
            Some(_) => declared.and_then(|declared| declared.property(name)).cloned(),
            None => Declared::of(child, is_resource).map(Arc::new),
        };
        if let Some(child) = node(child, is_resource, own.as_ref()) {
            properties.insert(name.clone(), child);
        }
    }
    let element = declared.and_then(|declared| declared.element());
    let below =
        |child: Option<&Schema>| child.and_then(|child| node(child, child.embedded_resource, element)).map(Box::new);
    let (items, values) = (below(schema.item_schema()), below(schema.value_schema()));
    let is_empty = rules.is_empty() && properties.is_empty() && items.is_none() && values.is_none();
    (!is_empty).then_some(Node { rules, is_resource, properties, items, values })
}
