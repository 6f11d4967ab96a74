//! CEL-020: integers have 64 bits, and never become doubles by themselves.

use super::shared::{SINGLE, Table, known, ruled, valued};
use crate::prelude::*;
use crate::shared::{accepted, alone, refused};

const NUMBERS: &[&str] = &["CEL-020"];
const KINDS: &[&str] = &["CEL-020", "CEL-020/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-020-numbers", plan)
    .title("rules compute with integers of 64 bits, whose overflow is an error, and keep them apart from doubles")
    .asserts(KINDS)
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[Edge { name: "mixed", plan: mixed }, Edge { name: "kinds", plan: |plan| kinds().try_all(plan, KINDS) }]);

/// An operator, and what it computes; none if there is no such number.
type Operator = (&'static str, fn(i64, i64) -> Option<i64>);

const OPERATORS: [Operator; 6] = [
    ("self.a + self.b", i64::checked_add),
    ("self.a - self.b", i64::checked_sub),
    ("self.a * self.b", i64::checked_mul),
    ("self.a / self.b", i64::checked_div),
    ("self.a % self.b", i64::checked_rem),
    ("-self.a", |a, _| a.checked_neg()),
];

const CORNERS: [i64; 12] = [0, 1, -1, 2, -7, 7, 1 << 32, -(1 << 32), i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 4) {
        return kinds().try_some(plan, choices, KINDS);
    }
    let (operator, compute) = choices.span("node", |choices| *choices.pick(&OPERATORS));
    let number = json!({ "type": "integer" });
    let node = object_of(json!({ "a": number, "b": number, "r": number }));
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &ruled(node, &format!("{operator} == self.r")), |choices| {
        let [a, b] = [0; 2].map(|_| *choices.pick(&CORNERS));
        let right = compute(a, b);
        let stated = match (right, choices.chance(1, 4)) {
            (Some(right), false) => right,
            // A double cannot tell this from the right one if that is large.
            (Some(right), true) => right.checked_add(1).unwrap_or(0),
            (None, _) => a.wrapping_add(b),
        };
        let causes = if right == Some(stated) { vec![] } else { vec![("", "Invalid")] };
        Example::judged("computed", NUMBERS, json!({ "a": a, "b": b, "r": stated }), causes)
    });
}

fn arguments() -> Value {
    let (integer, number) = (json!({ "type": "integer" }), json!({ "type": "number" }));
    object_of(json!({ "a": integer, "b": integer, "f": number, "g": number, "x": { INT_OR_STRING: true } }))
}

/// Integers and doubles side by side.
fn kinds() -> Table {
    let rules = [
        known("self.f / 2.0 == 0.5", json!([{ "f": 1 }, { "f": 1.0 }]), json!([{ "f": 2 }, { "f": 1.5 }])),
        known("type(self.f) == double", json!([{ "f": 1 }, { "f": 0.5 }]), json!([])),
        known("type(self.a) == int", json!([{ "a": 1 }]), json!([])),
        known("self.a < self.f", json!([{ "a": 1, "f": 1.5 }]), json!([{ "a": 1, "f": 1 }, { "a": 2, "f": 1.5 }])),
        known("self.f <= self.a", json!([{ "a": 1, "f": 1 }, { "a": 1, "f": -0.5 }]), json!([{ "a": 1, "f": 1.25 }])),
        known("self.a > self.f", json!([{ "a": -1, "f": -1.5 }]), json!([{ "a": -2, "f": -1.5 }])),
        known("self.f >= self.a", json!([{ "a": 0, "f": 0 }]), json!([{ "a": 1, "f": 0.5 }])),
        known("self.a > 5u", json!([{ "a": 6 }]), json!([{ "a": 5 }, { "a": -1 }])),
        known("dyn(self.a) == dyn(self.f)", json!([{ "a": 3, "f": 3 }]), json!([{ "a": 3, "f": 3.5 }])),
        known("dyn(self.a) in [self.f]", json!([{ "a": 3, "f": 3 }]), json!([{ "a": 3, "f": 2 }])),
        known("self.x == 1", json!([{ "x": 1 }]), json!([{ "x": "1" }, { "x": 2 }])),
        known("self.a / self.b == 2", json!([{ "a": 5, "b": 2 }, { "a": -5, "b": -2 }]), json!([{ "a": 7, "b": 2 }])),
        known("self.a / self.b == -3", json!([{ "a": -7, "b": 2 }, { "a": 7, "b": -2 }]), json!([{ "a": -8, "b": 2 }])),
        known(
            "self.a % self.b == -1",
            json!([{ "a": -7, "b": 2 }, { "a": -7, "b": -2 }]),
            json!([{ "a": 7, "b": -2 }]),
        ),
        valued("self.a / self.b", json!([{ "a": 0, "b": 1 }]), json!([{ "a": 0, "b": 0 }, { "a": 1, "b": 0 }])),
        valued("self.a % self.b", json!([{ "a": 0, "b": 1 }]), json!([{ "a": 0, "b": 0 }, { "a": 1, "b": 0 }])),
        known("self.f / self.g > 1e308", json!([{ "f": 1, "g": 0 }]), json!([{ "f": -1, "g": 0 }])),
        known("self.f + self.g == 0.75", json!([{ "f": 0.5, "g": 0.25 }]), json!([{ "f": 0.5, "g": 0.5 }])),
        known("self.f * 2.0 == 9007199254740992.0", json!([{ "f": 4_503_599_627_370_496_i64 }]), json!([{ "f": 1 }])),
    ];
    Table::new(arguments(), rules)
}

/// What mixes integers and doubles is refused in a definition.
fn mixed(plan: &mut Plan) {
    let node = arguments();
    let wrong = [
        "self.a + self.f > 1.0",
        "self.a * self.f > 1.0",
        "self.f - 1 > 1.0",
        "self.f / 2 > 1.0",
        "self.a == self.f",
        "self.f != self.a",
        "self.a == 1.0",
        "self.f == 1",
        "self.a in [self.f]",
        "self.a in [1.0]",
        "self.a == 1u",
    ];
    let right = [
        "self.a < self.f",
        "self.f >= 1",
        "self.a > 1u",
        "self.a == dyn(self.f)",
        "double(self.a) + self.f > 1.0",
        "self.x == 1.0",
        "self.x in [dyn(1), dyn('a')]",
    ];
    let cause = [(".x-kubernetes-validations[0].rule", "Invalid")];
    let refusal = |rule: &&str| refused("mixed", NUMBERS, ruled(node.clone(), rule), &cause);
    alone(plan, &wrong.iter().map(refusal).collect::<Vec<_>>());
    let acceptance = |rule: &&str| accepted("compared", NUMBERS, ruled(node.clone(), rule));
    alone(plan, &right.iter().map(acceptance).collect::<Vec<_>>());
}
