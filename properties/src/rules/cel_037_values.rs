//! CEL-037: what a cause says under the reasons Forbidden and Required is the message, without the value.

use super::shared::{JUDGING, PLACES, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-037"];

pub(super) const PROPERTY: Property = Property::new("cel-037-values", plan)
    .title("a cause that forbids or requires says the message of its rule, and not the value")
    .asserts(ASSERTS)
    .needs(JUDGING);

const REASONS: [(&str, Reason, &str); 2] = [
    ("FieldValueForbidden", Reason::Forbidden, "Forbidden"),
    ("FieldValueRequired", Reason::Required, "Required value"),
];

fn kinds() -> [(Value, Vec<Value>); 9] {
    let text = json!({ "type": "string" });
    [
        (json!({ "type": "integer" }), vec![json!(0), json!(-7), json!(i64::MAX)]),
        (json!({ "type": "number" }), vec![json!(0.5), json!(1)]),
        (text.clone(), vec![json!(""), json!("secret"), json!("a\nb")]),
        (json!({ "type": "boolean" }), vec![json!(true), json!(false)]),
        (json!({ INT_OR_STRING: true }), vec![json!(1), json!("1")]),
        (object_of(json!({ "q": text })), vec![json!({}), json!({ "q": "secret" })]),
        (json!({ "type": "array", "items": text }), vec![json!([]), json!(["secret"])]),
        (json!({ "type": "object", "additionalProperties": text }), vec![json!({}), json!({ "k": "secret" })]),
        (json!({ "type": "string", "format": "date" }), vec![json!("2024-02-29")]),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let kinds = kinds();
    let ((node, values), rules) = choices.span("node", |choices| {
        let rules = choices.many("rule", 1, 3, |choices, _| {
            (*choices.pick(&REASONS), *choices.pick(&["no", "say \"no\"", "no: %v", "a: b"]))
        });
        (choices.pick(&kinds).clone(), rules)
    });
    let entry = |((reason, ..), message): &((&str, Reason, &str), &str)| json!({ "rule": "false", "reason": reason, "message": message });
    let place = Place::draw(choices, &PLACES);
    plan.at_place(choices, &place, &with_rules(node, rules.iter().map(entry)), |choices| {
        let cause = |((_, reason, word), message): &((&str, Reason, &str), &str)| {
            Cause::new("", reason.name()).with_message(format!("{word}: {message}"))
        };
        let causes: Vec<Cause> = rules.iter().map(cause).collect();
        Example::refused("values", ASSERTS, choices.pick(&values).clone(), causes)
    });
}
