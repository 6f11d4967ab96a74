//! Keywords at a node, or in the only branch of one of its quantifiers.

use crate::prelude::*;

/// The position of the keywords that validate the values of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Within {
    /// At the node.
    Node,
    /// In the only branch of this quantifier.
    Branch(&'static str),
}

impl Within {
    /// Draws the node itself in one of two cases.
    pub(in super::super) fn draw(choices: &mut Choices) -> Self {
        let branches = ["allOf", "anyOf", "oneOf", "not"].map(Self::Branch);
        if choices.chance(1, 2) { *choices.pick(&branches) } else { Self::Node }
    }

    /// Adds these keywords to the node at this position.
    pub(in super::super) fn put(self, node: &mut Value, keywords: Value) {
        match (self, keywords) {
            (Self::Node, Value::Object(keywords)) => {
                for (name, argument) in keywords {
                    node[name] = argument;
                }
            }
            (Self::Branch("not"), branch) => node["not"] = branch,
            (Self::Branch(quantifier), branch) => node[quantifier] = json!([branch]),
            (Self::Node, _) => {}
        }
    }

    /// The causes of a value, given those that the keywords alone produce.
    pub(in super::super) fn causes(self, causes: Vec<Cause>) -> Vec<Cause> {
        match self {
            Self::Node => causes,
            Self::Branch("not") if causes.is_empty() => vec![NIL.into()],
            Self::Branch("not") => vec![],
            Self::Branch(_) if causes.is_empty() => vec![],
            Self::Branch(_) => causes.into_iter().chain([NIL.into()]).collect(),
        }
    }
}
