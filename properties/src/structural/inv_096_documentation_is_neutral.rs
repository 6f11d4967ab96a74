//! INV-096: documentation keywords have no effect.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-096-documentation-is-neutral", plan)
    .title("title, description, example and externalDocs in a schema make no difference to any object")
    .asserts(&["INV-096"])
    .needs(&[Capability::Serving]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let bare = schema.to_json();
    let mut documented = bare.clone();
    choices.span("documentation", |choices| document(choices, &mut documented, Position::Root));
    let (bare, documented) = (plan.define_schema(bare), plan.define_schema(documented));
    plan.cases(choices, "object", |plan, choices| {
        let content = value::arbitrary(choices, &schema);
        let without = plan.try_create(bare, content.clone());
        let with = plan.try_create(documented, content);
        plan.check("same-outcome", &["INV-096"], with, Expectation::same_outcome(without));
    });
}

/// The position of a node, as far as it decides which keywords the node may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Root,
    /// Only names may be declared here (STRUCT-019).
    RootMetadata,
    Structural,
    /// `title` and `description` are forbidden here (STRUCT-008).
    Quantifier,
}

/// Adds documentation to half of the nodes.
fn document(choices: &mut Choices, node: &mut Value, position: Position) {
    // Values that would be invalid, or that look like keywords.
    let examples = [json!({ "default": 1 }), json!("x"), json!([null, { "type": "integer" }]), json!(0)];
    if position != Position::RootMetadata && choices.chance(1, 2) {
        node["example"] = choices.pick(&examples).clone();
        node["externalDocs"] = json!({ "description": "more", "url": "https://example.com" });
        if position != Position::Quantifier {
            node["description"] = json!("required: true, \u{e9}\n");
            node["title"] = json!("string");
        }
    }
    let Some(fields) = node.as_object_mut() else { return };
    let below = if position == Position::Quantifier { Position::Quantifier } else { Position::Structural };
    for (keyword, child) in fields {
        match (keyword.as_str(), child) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    let is_metadata = position == Position::Root && name == "metadata";
                    document(choices, property, if is_metadata { Position::RootMetadata } else { below });
                }
            }
            ("items" | "additionalProperties", child @ Value::Object(_)) => document(choices, child, below),
            ("not", child) => document(choices, child, Position::Quantifier),
            ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                // The forms of int-or-string must stay unchanged (STRUCT-011, STRUCT-012).
                for branch in branches.iter_mut().filter(|branch| !branch.to_string().contains("\"type\"")) {
                    document(choices, branch, Position::Quantifier);
                }
            }
            _ => {}
        }
    }
}
