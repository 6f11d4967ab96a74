//! Nodes in few words.

use crate::ast::{Literal, Name, Node, NodeId};

/// A call of a function or an operator.
pub(super) fn call(function: &str, arguments: Vec<NodeId>) -> Node {
    Node::Call { target: None, function: function.into(), arguments }
}

/// A call of a method.
pub(super) fn method(target: NodeId, function: &str, arguments: Vec<NodeId>) -> Node {
    Node::Call { target: Some(target), function: function.into(), arguments }
}

/// A list without optional elements.
pub(super) fn list(elements: Vec<NodeId>) -> Node {
    Node::List { elements, optional: Vec::new() }
}

/// A constant text.
pub(super) fn string(text: &str) -> Node {
    Node::Literal(Literal::String(text.into()))
}

/// A variable.
pub(super) fn variable(name: &Name) -> Node {
    Node::Ident(Name::clone(name))
}
