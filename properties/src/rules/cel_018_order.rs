//! CEL-018 and INV-089: set and map lists are equal in any order, other lists element by element.

use super::shared::{SINGLE, ruled};
use crate::prelude::*;
use crate::shared::oracle::equal;

const SAME: &[&str] = &["CEL-018"];
const KEPT: &[&str] = &["CEL-018", "INV-089"];

pub(super) const PROPERTY: Property = Property::new("cel-018-order", plan)
    .title("rules find set and map lists equal in any order, and other lists only in the same order")
    .asserts(KEPT)
    .needs(&[Capability::Storing, Capability::Rules]);

/// What a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Set,
    Map,
    /// With two keys.
    Pairs,
    Atomic,
    /// Without a type, which is the same.
    Plain,
}

const KINDS: [Kind; 5] = [Kind::Set, Kind::Map, Kind::Pairs, Kind::Atomic, Kind::Plain];

impl Kind {
    fn has_order(self) -> bool {
        matches!(self, Self::Atomic | Self::Plain)
    }

    /// The list, of numbers or of objects.
    fn node(self) -> Value {
        let number = json!({ "type": "integer" });
        let object = |required: Value| json!({ "type": "object", "required": required, "properties": { "k": number, "j": number, "v": number } });
        match self {
            Self::Set => json!({ "type": "array", "maxItems": 10, "items": number, LIST_TYPE: "set" }),
            Self::Map => json!({
                "type": "array", "maxItems": 10, "items": object(json!(["k"])), LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
            }),
            Self::Pairs => json!({
                "type": "array", "maxItems": 10, "items": object(json!(["k", "j"])),
                LIST_TYPE: "map", LIST_MAP_KEYS: ["k", "j"],
            }),
            Self::Atomic => json!({ "type": "array", "maxItems": 10, "items": number, LIST_TYPE: "atomic" }),
            Self::Plain => json!({ "type": "array", "maxItems": 10, "items": object(json!([])) }),
        }
    }

    /// The element of a number, with a value that is no key.
    fn element(self, number: i64, value: i64) -> Value {
        match self {
            Self::Set | Self::Atomic => json!(number),
            Self::Map | Self::Plain => json!({ "k": number, "v": value }),
            Self::Pairs => json!({ "k": number / 2, "j": number % 2, "v": value }),
        }
    }
}

/// Elements with different keys.
fn elements(choices: &mut Choices, kind: Kind) -> Vec<Value> {
    let values = choices.many("element", 0, 5, |choices, _| choices.between(0, 2));
    let mut list: Vec<Value> = (0..).zip(values).map(|(number, value)| kind.element(number, value)).collect();
    permute(choices, &mut list);
    list
}

fn permute(choices: &mut Choices, list: &mut [Value]) {
    for end in (1..list.len()).rev() {
        list.swap(end, choices.index(end + 1));
    }
}

/// The list, in another order, with another element, or with one more or less.
fn changed(choices: &mut Choices, kind: Kind, list: &[Value]) -> Vec<Value> {
    let mut changed = list.to_vec();
    match choices.weighted(&[3, 1, 2, 1, 1]) {
        0 => permute(choices, &mut changed),
        1 => {}
        2 if !list.is_empty() => {
            // Another value of the same key, or another key.
            let number = if choices.chance(1, 2) { 9 } else { choices.between(0, 4) };
            let other = kind.element(number, choices.between(3, 4));
            let is_used =
                |at: usize| list.iter().enumerate().any(|(index, element)| index != at && same_key(element, &other));
            let at = choices.index(list.len());
            let at = (0..list.len()).map(|step| (at + step) % list.len()).find(|at| !is_used(*at)).unwrap_or(at);
            if !is_used(at) {
                changed[at] = other;
            }
            if choices.chance(1, 2) {
                permute(choices, &mut changed);
            }
        }
        3 if !list.is_empty() => drop(changed.remove(choices.index(list.len()))),
        _ => changed.push(kind.element(8, 1)),
    }
    changed
}

fn same_key(one: &Value, other: &Value) -> bool {
    if one.is_object() { one["k"] == other["k"] && one["j"] == other["j"] } else { one == other }
}

fn are_equal(kind: Kind, one: &[Value], other: &[Value]) -> bool {
    if kind.has_order() {
        return equal(&json!(one), &json!(other));
    }
    one.len() == other.len() && one.iter().all(|element| other.iter().any(|candidate| equal(element, candidate)))
}

/// Where the list is, below the node with the rule.
const WITHIN: [Option<Container>; 4] = [None, Some(Container::Object), Some(Container::List), Some(Container::Map)];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (kind, within, is_negated) =
        choices.span("node", |choices| (*choices.pick(&KINDS), *choices.pick(&WITHIN), choices.chance(1, 4)));
    if choices.chance(1, 3) {
        return compare_properties(plan, choices, kind, is_negated);
    }
    let inside = within.map(Place::within).unwrap_or_default();
    let operator = if is_negated { "!=" } else { "==" };
    let around = |list: &[Value]| inside.content(json!(list));
    let mut node = inside.schema(kind.node());
    for (container, bound) in [(Container::List, "maxItems"), (Container::Map, "maxProperties")] {
        if within == Some(container) {
            node[bound] = json!(3);
        }
    }
    let place = Place::draw(choices, &SINGLE);
    let definition = plan.define_schema(place.schema(ruled(node, &format!("self {operator} oldSelf"))));
    let old = choices.span("old", |choices| elements(choices, kind));
    let created = plan.create(definition, place.content(around(&old)));
    plan.cases(choices, "update", |plan, choices| {
        let new = changed(choices, kind, &old);
        let updated = plan.try_put_back(created, vec![Edit::Set(place.pointer(), around(&new))]);
        let causes = if are_equal(kind, &new, &old) == is_negated {
            place.causes([("", Reason::Invalid.name())])
        } else {
            vec![]
        };
        plan.check("compared-with-old", KEPT, updated, content_or(place.content(around(&new)), causes));
    });
}

/// Two properties of the same object.
fn compare_properties(plan: &mut Plan, choices: &mut Choices, kind: Kind, is_negated: bool) {
    let operator = if is_negated { "!=" } else { "==" };
    // Objects of two nodes have different types (CEL-012).
    let rule = format!("self.a {operator} dyn(self.b)");
    let node = ruled(object_of(json!({ "a": kind.node(), "b": kind.node() })), &rule);
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &node, |choices| {
        let one = elements(choices, kind);
        let other = changed(choices, kind, &one);
        let causes = if are_equal(kind, &one, &other) == is_negated { vec![("", "Invalid")] } else { vec![] };
        Example::judged("compared-properties", SAME, json!({ "a": one, "b": other }), causes)
    });
}
