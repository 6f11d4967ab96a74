//! CEL-033 and INV-093: a rule that is false gives one cause, at its value and with its `fieldPath`.

use super::shared::{JUDGING, PLACES, REASONS, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-033", "CEL-033/e1", "INV-093"];

pub(super) const PROPERTY: Property = Property::new("cel-033-causes", plan)
    .title("each false rule gives one cause, at its value and the path that it states, whatever it says")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// What `fieldPath` may say, and what it adds to the path of the value.
const PATHS: [(Option<&str>, &str); 10] = [
    (None, ""),
    (Some(".n"), ".n"),
    (Some(".o"), ".o"),
    (Some(".o.p"), ".o.p"),
    (Some("['o']['p']"), ".o.p"),
    (Some(".o['p']"), ".o.p"),
    (Some("['d.t']"), ".d.t"),
    (Some("['x-y'].z"), ".x-y.z"),
    (Some(".m"), ".m"),
    (Some(".l"), ".l"),
];
/// The same below a key of a map: brackets are compared as dots (VALUE-043).
const KEYS: [(Option<&str>, &str); 3] =
    [(Some(".m.k"), ".m.k"), (Some(".m['a.b']"), ".m.a.b"), (Some(".m['k']"), ".m.k")];

/// Messages that cost little.
const MESSAGES: [(&str, &str); 6] = [
    ("message", "no"),
    ("message", "é \"quoted\" %s"),
    ("messageExpression", "'computed'"),
    ("messageExpression", "self.n > 0 ? 'large' : 'small'"),
    ("messageExpression", "self.absent"),
    ("messageExpression", "''"),
];

struct Rule {
    /// A number must be at least this.
    least: i64,
    entry: Value,
    path: &'static str,
    reason: &'static str,
}

fn rule(choices: &mut Choices) -> Rule {
    let least = choices.between(0, 4);
    let mut entry = json!({ "rule": format!("self.n >= {least}") });
    let paths = if choices.chance(1, 4) { &KEYS[..] } else { &PATHS[..] };
    let (stated, path) = *choices.pick(paths);
    if let Some(stated) = stated {
        entry["fieldPath"] = json!(stated);
    }
    let (stated, reason) = *choices.pick(&REASONS);
    if let Some(stated) = stated {
        entry["reason"] = json!(stated);
    }
    for (member, text) in choices.many("message", 0, 2, |choices, _| *choices.pick(&MESSAGES)) {
        entry[member] = json!(text);
    }
    Rule { least, entry, path, reason: reason.name() }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let rules = choices.span("node", |choices| choices.many("rule", 1, 4, |choices, _| rule(choices)));
    let (integer, text) = (json!({ "type": "integer" }), json!({ "type": "string" }));
    let properties = json!({
        "n": integer, "o": object_of(json!({ "p": text })), "d.t": text, "x-y": object_of(json!({ "z": text })),
        "m": { "type": "object", "additionalProperties": text }, "l": { "type": "array", "items": text },
        "absent": text,
    });
    let node = json!({ "type": "object", "required": ["n"], "properties": properties });
    let ruled = with_rules(node, rules.iter().map(|rule| rule.entry.clone()));
    let places = Places { root: true, copies: 4, odd_names: false, ..PLACES };
    let place = Place::draw(choices, &places);
    plan.at_place(choices, &place, &ruled, |choices| {
        let number = choices.between(0, 4);
        let broken = rules.iter().filter(|rule| number < rule.least);
        // The root itself has no name.
        let path = |rule: &Rule| if place.is_root() && rule.path.is_empty() { NIL.field } else { rule.path };
        let causes: Vec<(&str, &str)> = broken.map(|rule| (path(rule), rule.reason)).collect();
        Example::judged("causes", ASSERTS, json!({ "n": number }), causes)
    });
}
