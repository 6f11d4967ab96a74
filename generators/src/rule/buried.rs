//! Branches at any depth of quantifiers.

use serde_json::{Value, json};

use crate::choice::Choices;

/// A structural node with a branch somewhere in its quantifiers. Everything that its quantifiers mention is declared,
/// so it does not matter whether a server checks that below the root (STRUCT-006).
#[derive(Debug)]
pub struct Buried {
    /// The node.
    pub node: Value,
    /// The path from the node to the branch.
    pub path: String,
}

/// At most this many steps through `properties` and `items` between a node and the branch.
const STEPS: usize = 2;

/// Puts a branch into the quantifiers of a node. `leaf` is the structural node at the position of the branch.
pub fn bury(choices: &mut Choices, branch: Value, leaf: Value) -> Buried {
    choices.span("buried", |choices| {
        let (mut branch, mut skeleton, mut path) = (branch, leaf, String::new());
        choices.many_average("step", 0, STEPS, 1, |choices, _| {
            if choices.chance(1, 3) {
                branch = quantified(choices, branch.take(), &mut path);
            }
            let (inner, inside) = (branch.take(), skeleton.take());
            if choices.chance(1, 3) {
                (branch, skeleton) = (json!({ "items": inner }), json!({ "type": "array", "items": inside }));
                path.insert_str(0, ".items");
            } else {
                (branch, skeleton) = (
                    json!({ "properties": { "a": inner } }),
                    json!({ "type": "object", "properties": { "a": inside } }),
                );
                path.insert_str(0, ".properties[a]");
            }
        });
        if choices.chance(1, 4) {
            branch = quantified(choices, branch.take(), &mut path);
        }
        let quantifier = quantified(choices, branch, &mut path);
        let mut node = skeleton;
        if let (Value::Object(node), Value::Object(quantifier)) = (&mut node, quantifier) {
            node.extend(quantifier);
        }
        Buried { node, path }
    })
}

/// A schema with one quantifier that contains the branch, in some cases among empty ones. Prepends the step to the
/// branch to the path.
pub fn quantified(choices: &mut Choices, branch: Value, path: &mut String) -> Value {
    let quantifier = *choices.pick(&["allOf", "anyOf", "oneOf", "not"]);
    if quantifier == "not" {
        path.insert_str(0, ".not");
        return json!({ "not": branch });
    }
    let before = choices.up_to(2);
    let mut branches = vec![json!({}); before];
    branches.push(branch);
    if choices.chance(1, 3) {
        branches.push(json!({}));
    }
    path.insert_str(0, &format!(".{quantifier}[{before}]"));
    json!({ quantifier: branches })
}
