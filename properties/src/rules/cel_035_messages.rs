//! CEL-035: what a cause says is the value of `messageExpression`, or `message`, or the rule.

use super::shared::{SINGLE, forbidden, forbidding, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-035", "CEL-035/e1"];
const OLD: &[&str] = &["CEL-035", "CEL-035/e3"];

pub(super) const PROPERTY: Property = Property::new("cel-035-messages", plan)
    .title("a cause says what messageExpression computes, or else the message, or else the text of the rule")
    .asserts(&["CEL-035", "CEL-035/e1", "CEL-035/e3"])
    .needs(&[Capability::Storing, Capability::Rules])
    .edges(&[Edge { name: "old-values", plan: old_values }]);

/// The largest message in bytes.
const MOST: usize = 5120;

/// The cause of a rule that forbids: what it says besides its message is the same in all releases (CEL-037).
fn saying(field: impl Into<String>, message: &str) -> Cause {
    forbidden(field).with_message(format!("Forbidden: {message}"))
}

/// A value of a text, of which the message is computed: what it says, if anything.
fn computed(choices: &mut Choices) -> (String, Option<String>) {
    let padding = |choices: &mut Choices| *choices.pick(&["", "", " ", "\n", " \t\n ", "\r\n"]);
    let (before, behind) = (padding(choices), padding(choices));
    let (inner, is_used) = match choices.weighted(&[4, 1, 1, 1, 1, 1, 1]) {
        0 => ((*choices.pick(&["x", "a b", "é𝄞", "{}%s\"", "Forbidden: x"])).to_owned(), true),
        1 => (String::new(), false),
        2 => ("two\nlines".to_owned(), false),
        3 => ("carriage\rreturn".to_owned(), true),
        4 => ("x".repeat(MOST - choices.index(2)), true),
        5 => (format!("{}x", "é".repeat(MOST / 2)), false),
        _ => ("é".repeat(MOST / 2), true),
    };
    (format!("{before}{inner}{behind}"), is_used.then_some(inner))
}

/// What a rule has to say, from what comes first.
struct Sayings {
    /// `messageExpression`, and whether its value is that of the text, or none since it fails.
    expression: Option<(&'static str, bool)>,
    message: Option<&'static str>,
    rule: &'static str,
}

fn sayings(choices: &mut Choices) -> Sayings {
    let expressions =
        [("self.text", true), ("  self.text // as it is", true), ("self.absent", false), ("[self.text][1]", false)];
    let expression = choices.chance(3, 4).then(|| *choices.pick(&expressions));
    let message = choices.chance(1, 2).then(|| *choices.pick(&["stated", "  stated, with blanks \t", "é"]));
    let rule = *choices.pick(&["false", "  !has(self.text) ", "\tself.text == '' && self.text != ''"]);
    Sayings { expression, message, rule }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let sayings = choices.span("node", |choices| choices.many("rule", 1, 3, |choices, _| sayings(choices)));
    let entry = |sayings: &Sayings| {
        let mut entry = json!({ "rule": sayings.rule, "reason": "FieldValueForbidden" });
        if let Some((expression, _)) = sayings.expression {
            entry["messageExpression"] = json!(expression);
        }
        if let Some(message) = sayings.message {
            entry["message"] = json!(message);
        }
        entry
    };
    let text = json!({ "type": "string", "maxLength": 6000 });
    let node = json!({ "type": "object", "required": ["text"], "properties": { "text": text, "absent": text } });
    let place = Place::draw(choices, &SINGLE);
    let ruled = with_rules(node, sayings.iter().map(entry));
    plan.at_place(choices, &place, &ruled, |choices| {
        let (text, value) = computed(choices);
        let said = |sayings: &Sayings| {
            let computed = sayings.expression.filter(|(_, is_value)| *is_value).and(value.clone());
            let stated = || sayings.message.map(|message| message.trim().to_owned());
            computed.or_else(stated).unwrap_or_else(|| format!("failed rule: {}", sayings.rule.trim()))
        };
        let causes: Vec<Cause> = sayings.iter().map(|sayings| saying("", &said(sayings))).collect();
        Example::refused("messages", ASSERTS, json!({ "text": text }), causes)
    });
}

/// `oldSelf` in a message: it has a value if there is an old one and a rule of the node uses it.
fn old_values(plan: &mut Plan) {
    let entry = |rule: &str| extended(forbidding(rule, "stated"), &json!({ "messageExpression": "'was ' + oldSelf" }));
    let node = json!({ "type": "string", "maxLength": 20 });
    let place = Place::spec().property("p");
    let both = with_rules(node.clone(), [entry("self != 'b'"), entry("self != oldSelf + 'x'")]);
    let none = with_rules(node, [entry("self != 'b'")]);
    for (name, ruled, said) in [("used", both, "was a"), ("unused", none, "stated")] {
        let definition = plan.define_schema(place.schema(ruled));
        let refused = plan.try_create(definition, place.content(json!("b")));
        plan.check_causes(name, OLD, refused, vec![saying(place.field(), "stated")]);
        let created = plan.create(definition, place.content(json!("a")));
        let updated = plan.try_put_back(created, vec![Edit::Set(place.pointer(), json!("b"))]);
        plan.check_causes(name, OLD, updated, vec![saying(place.field(), said)]);
        plan.count_case();
    }
}
