//! Where a node is made.

use crdible_semantics::Schema;

use super::shape::SchemaShape;
use crate::choice::Choices;

/// The position of a node, as far as it restricts what the node may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// A property, `items` of an atomic list, or a value of a map.
    Plain,
    /// `items` of a `set` list: not nullable (STRUCT-031).
    SetItem,
    /// `items` of a `map` list: an object (STRUCT-027) that is not nullable (STRUCT-031).
    ListMapItem,
    /// A key property of a `map` list: not nullable (STRUCT-032).
    ListMapKey,
}

/// Makes a node of any kind at this depth.
type AnyNode = fn(&mut Choices, &SchemaShape, usize, Position) -> Schema;

/// Where a node is made: how deep, in which schemas, and how the nodes below it are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    pub(super) shape: &'a SchemaShape,
    /// The number of structural nodes above it.
    pub(super) depth: usize,
    pub(super) any_node: AnyNode,
}

impl Site<'_> {
    /// Makes a node directly below this one.
    pub(super) fn below(&self, c: &mut Choices, position: Position) -> Schema {
        (self.any_node)(c, self.shape, self.depth + 1, position)
    }
}
