//! RATCHET-007, its edge: an integer that is sent as a float counts as changed. A quirk.

use crate::prelude::*;
use crate::shared::Updates;

const ASSERTS: &[&str] = &["RATCHET-007/e1"];

pub(super) const PROPERTY: Property = Property::new("ratchet-007-kinds-of-numbers", plan)
    .title("an unchanged number is not forgiven if it is sent as 3.0 and stored as 3")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = |number: Value| spec_of(json!({ "p": number, "q": { "type": "integer" } }));
    let objects = choices.cases("update", |choices, _| {
        let number = choices.between(3, 40);
        let float = f64::from(i32::try_from(number).unwrap_or(3));
        let (name, new, causes) = match choices.draw(1) {
            0 => ("as-a-float", json!(float), vec![(".p", "Invalid")]),
            _ => ("as-stored", json!(number), vec![]),
        };
        let new = json!({ "p": new, "q": 1 });
        Updates::new(json!({ "p": number, "q": 0 }), [Example::judged(name, ASSERTS, new, causes)])
    });
    plan.try_updates(schema(json!({ "type": "number" })), schema(json!({ "type": "number", "maximum": 2 })), objects)
}
