//! VALUE-032: `additionalProperties: false` allows no keys.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-032"];

pub(super) const PROPERTY: Property = Property::new("value-032-closed-objects", plan)
    .title("an object whose schema has additionalProperties: false is rejected with one cause per key")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    plan.at_any_place(choices, &json!({ "type": "object", "additionalProperties": false }), |choices| {
        if choices.chance(1, 6) {
            let other = choices.pick(&[json!("x"), json!([]), json!(0)]).clone();
            return Example::refused("no-object", ASSERTS, other, [("", "TypeInvalid")]);
        }
        let mut object = Map::new();
        for key in ["a", "b", "metadata", "items", ""] {
            if choices.chance(1, 3) {
                object.insert(key.to_owned(), choices.pick(&[json!("x"), json!(1), json!({}), Value::Null]).clone());
            }
        }
        let causes = vec![("", "Invalid"); object.len()];
        Example::judged("keys", ASSERTS, Value::Object(object), causes)
    })
}
