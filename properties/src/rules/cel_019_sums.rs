//! CEL-019: the sum of two set or map lists has each member once, that of other lists all elements.

use super::shared::{SINGLE, ruled};
use crate::prelude::*;

const SUMS: &[&str] = &["CEL-019"];
const KINDS: &[&str] = &["CEL-019", "CEL-019/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-019-sums", plan)
    .title("rules add set lists as a union and map lists by key, and leave the operands as they are")
    .asserts(KINDS)
    .needs(&[Capability::Serving, Capability::Rules]);

/// The node of a list of texts, or of objects with a key and a value.
fn list(kind: &str) -> Value {
    let text = json!({ "type": "string", "maxLength": 5 });
    match kind {
        "map" => json!({
            "type": "array", "maxItems": 6, LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
            "items": { "type": "object", "required": ["k", "v"], "properties": { "k": text, "v": text } },
        }),
        kind => json!({ "type": "array", "maxItems": 6, LIST_TYPE: kind, "items": text }),
    }
}

/// A member: a key, and a value, which only map lists have.
type Member = (usize, usize);

fn members(choices: &mut Choices, is_atomic: bool) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::new();
    for (key, value) in choices.many("member", 0, 4, |choices, _| (choices.index(5), choices.index(3))) {
        if is_atomic || members.iter().all(|(known, _)| *known != key) {
            members.push((key, value));
        }
    }
    members
}

/// The sum as the specification says it.
fn sum(kind: &str, one: &[Member], other: &[Member]) -> Vec<Member> {
    let mut sum = one.to_vec();
    for member in other {
        match sum.iter_mut().find(|(key, _)| kind != "atomic" && *key == member.0) {
            Some(known) if kind == "map" => *known = *member,
            Some(_) => {}
            None => sum.push(*member),
        }
    }
    sum
}

/// The members as a plain list: each as the text of its key, of a map list as a list of its key and value.
fn plain(kind: &str, members: &[Member]) -> Value {
    let plain = |(key, value): &Member| {
        if kind == "map" { json!([format!("k{key}"), format!("v{value}")]) } else { json!(format!("k{key}")) }
    };
    members.iter().map(plain).collect()
}

fn elements(kind: &str, members: &[Member]) -> Value {
    let element = |(key, value): &Member| {
        if kind == "map" {
            json!({ "k": format!("k{key}"), "v": format!("v{value}") })
        } else {
            json!(format!("k{key}"))
        }
    };
    members.iter().map(element).collect()
}

/// What a rule says of the sum of `self.x['a']` and `self.x['b']`. All of a map have the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// Each element in its order: a mapped list is a plain one.
    Elements,
    /// The sum, which is still a set or a map list.
    Whole,
    /// How many elements there are, and that the operands are as before.
    Operands,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (kind, about) = choices.span("node", |choices| {
        let kind = *choices.pick(&["set", "map", "atomic"]);
        (kind, *choices.pick(&[About::Elements, About::Whole, About::Operands]))
    });
    let rule = match about {
        About::Elements if kind == "map" => "(self.x['a'] + self.x['b']).map(e, [e.k, e.v]) == self.r",
        About::Elements => "(self.x['a'] + self.x['b']).map(e, e) == self.r",
        About::Whole => "self.x['a'] + self.x['b'] == self.x['c']",
        About::Operands => {
            "(self.x['a'] + self.x['b']).size() == self.n \
             && self.x['a'] == self.x['c'] && self.x['b'] == self.x['d']"
        }
    };
    let (number, text) = (json!({ "type": "integer" }), json!({ "type": "string", "maxLength": 5 }));
    let member = if kind == "map" { json!({ "type": "array", "maxItems": 2, "items": text }) } else { text };
    let node = object_of(json!({
        "x": { "type": "object", "maxProperties": 4, "additionalProperties": list(kind) },
        "r": { "type": "array", "maxItems": 12, "items": member },
        "n": number,
    }));
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &ruled(node, rule), |choices| {
        let is_atomic = kind == "atomic";
        let (a, b) = (members(choices, is_atomic), members(choices, is_atomic));
        let right = sum(kind, &a, &b);
        let (mut stated, mut holds) = (right.clone(), true);
        match choices.weighted(&[3, 1, 1]) {
            1 if !stated.is_empty() => {
                stated.remove(choices.index(right.len()));
                holds = false;
            }
            2 if stated.len() > 1 => {
                stated.reverse();
                let is_same = plain(kind, &stated) == plain(kind, &right);
                holds = is_same || about == About::Operands || about == About::Whole && !is_atomic;
            }
            _ => {}
        }
        // A list of `x` has at most six elements.
        if about == About::Whole && stated.len() > 6 {
            stated.truncate(6);
            holds = false;
        }
        let mut lists = json!({ "a": elements(kind, &a), "b": elements(kind, &b) });
        match about {
            // With more elements than a list may have, the rule would not run.
            About::Elements => {}
            About::Whole => lists["c"] = elements(kind, &stated),
            About::Operands => (lists["c"], lists["d"]) = (lists["a"].clone(), lists["b"].clone()),
        }
        let value = json!({ "x": lists, "r": plain(kind, &stated), "n": stated.len() });
        let asserts = if about == About::Whole { KINDS } else { SUMS };
        Example::judged("sum", asserts, value, if holds { vec![] } else { vec![("", "Invalid")] })
    });
}
