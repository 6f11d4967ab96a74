//! RATCHET-007, its edge: an integer that is sent as a float counts as changed. A quirk.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, examples, root};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Scenario},
};

const ASSERTS: &[&str] = &["RATCHET-007/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-007-kinds-of-numbers",
    title: "an unchanged number is not forgiven if it is sent as 3.0 where 3 is stored",
    asserts: ASSERTS,
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let (loose, tight) = (json!({ "type": "number" }), json!({ "type": "number", "maximum": 2 }));
    let schema = |number: &Value| root(&json!({ "p": number, "q": { "type": "integer" } }), &json!({}));
    let updates = choices.many("update", 1, 4, |choices, _| {
        let number = choices.between(3, 40);
        let float = f64::from(i32::try_from(number).unwrap_or(3));
        let (name, new, is_forgiven) = match choices.draw(1) {
            0 => ("as-a-float", json!(float), false),
            _ => ("as-stored", json!(number), true),
        };
        Example {
            name,
            asserts: ASSERTS,
            old: json!({ "p": number, "q": 0 }),
            new: json!({ "p": new, "q": 1 }),
            causes: if is_forgiven { vec![] } else { vec![Cause::new("spec.p", "Invalid")] },
        }
    });
    examples(schema(&loose), schema(&tight), updates)
}
