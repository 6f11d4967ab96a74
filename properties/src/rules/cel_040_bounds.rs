//! CEL-040 and INV-092: bounds make rules cheap, and what has none counts as a whole request.

use super::{
    costs::{SQUARE, integers},
    shared::{CHECKING, ruled},
};
use crate::prelude::*;
use crate::shared::{
    PIECES,
    definitions::{replacing_versions, try_patch},
};

const RULE: &[&str] = &["CEL-040"];
const EDGE: &[&str] = &["CEL-040/e1"];
const NAMES: &[&str] = &["CEL-040/e2"];
const UNIONS: &[&str] = &["CEL-040/e3"];
const TIGHTER: &[&str] = &["INV-092"];

pub(super) const PROPERTY: Property = Property::new("cel-040-bounds", plan)
    .title("bounds of lists, maps and strings bound the cost of rules, and what has none is refused")
    .asserts(&["CEL-040", "CEL-040/e1", "CEL-040/e2", "CEL-040/e3"])
    .needs(CHECKING)
    .edges(&[Edge { name: "examples", plan: |plan| rows().iter().for_each(|row| row.try_at(plan, &Place::spec())) }]);

pub(super) const MONOTONY: Property = Property::new("inv-092-tighter-bounds", monotony)
    .title("a definition with rules stays accepted with tighter bounds, or without one of its rules")
    .asserts(TIGHTER)
    .needs(&[Capability::Serving, Capability::DefinitionUpdates, Capability::Rules]);

/// Whether the cost is below all limits, above that of one rule, or above that of all rules as well.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    Cheap,
    Costly,
    Worst,
}
use Cost::{Cheap, Costly, Worst};

/// A node with a rule.
struct Row {
    asserts: &'static [&'static str],
    node: Value,
    rule: &'static str,
    cost: Cost,
}

impl Row {
    fn try_at(&self, plan: &mut Plan, place: &Place) {
        let field = format!(".{RULES}[0].rule");
        let count = match self.cost {
            Cheap => 0,
            Costly => 1,
            Worst => 2,
        };
        let mut causes = place.schema_causes(vec![Cause::new(field, Reason::Forbidden.name()); count]);
        if self.cost == Worst {
            causes.push(Cause::new("openAPIV3Schema", Reason::Forbidden.name()));
        }
        let defined = plan.try_define(place.schema(ruled(self.node.clone(), self.rule)));
        let expectation = if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) };
        plan.check("bounds", self.asserts, defined, expectation);
        plan.count_case();
    }
}

/// Looks through each string of a list or each key of a map.
const SEARCH: &str = "self.all(x, x.contains('a'))";
/// Compares each with each.
const COMPARE: &str = "self.all(x, self.all(y, x == y))";
/// Adds the values of a map of integers in pairs.
const SUM: &str = "self.all(k, self.all(l, self[k] + self[l] >= 0))";

/// Nodes on both sides of the limits, by a factor of 2.5 or more.
fn rows() -> Vec<Row> {
    let text = |bounds: Value| extended(json!({ "type": "string" }), &bounds);
    let list = |items: Value| json!({ "type": "array", "items": items });
    let short = |items: Value| json!({ "type": "array", "maxItems": 100, "items": items });
    let map = |most: Value| extended(json!({ "type": "object", "additionalProperties": { "type": "integer" } }), &most);
    let row = |node: Value, rule, cost| Row { asserts: RULE, node, rule, cost };
    let edge = |node: Value, rule, cost| Row { asserts: EDGE, node, rule, cost };
    let integer = || json!({ "type": "integer" });
    vec![
        row(integers(370_u64), SQUARE, Cheap),
        row(list(integer()), SQUARE, Worst),
        row(short(text(json!({ "maxLength": 10 }))), SEARCH, Cheap),
        row(short(text(json!({}))), SEARCH, Costly),
        row(list(text(json!({}))), SEARCH, Worst),
        row(short(text(json!({ "maxLength": 10 }))), COMPARE, Cheap),
        row(list(text(json!({ "maxLength": 10 }))), COMPARE, Worst),
        row(short(text(json!({}))), COMPARE, Worst),
        row(short(text(json!({ "enum": ["abc", "b"] }))), SEARCH, Cheap),
        row(short(text(json!({ "enum": ["abc", "b"] }))), COMPARE, Cheap),
        row(short(text(json!({ "format": "date" }))), COMPARE, Cheap),
        row(short(text(json!({ "format": "date-time" }))), COMPARE, Cheap),
        row(short(text(json!({ "format": "duration" }))), COMPARE, Cheap),
        row(map(json!({ "maxProperties": 370 })), SUM, Cheap),
        row(map(json!({ "maxProperties": 1700 })), SUM, Costly),
        row(map(json!({})), SUM, Worst),
        // A letter may have four bytes: with one, this would cost less than ten million.
        row(short(text(json!({ "maxLength": 650_000 }))), SEARCH, Costly),
        edge(short(text(json!({ "pattern": "^[ab]{1,3}$" }))), SEARCH, Costly),
        edge(short(text(json!({ "format": "uuid" }))), SEARCH, Costly),
        edge(short(text(json!({ "format": "ipv4" }))), COMPARE, Worst),
        edge(integer(), "'a' + string(self) == 'a1'", Worst),
        edge(integer(), "string(self).matches('1')", Worst),
        edge(text(json!({ "maxLength": 9 })), "format.dns1123Label().validate(self) == optional.none()", Worst),
        edge(text(json!({ "maxLength": 9 })), "!format.dns1123Label().validate(self).hasValue()", Cheap),
        edge(integer(), "string(self) == '1'", Cheap),
        edge(integer(), "string(self).size() > 0", Cheap),
        edge(integer(), "string(self).startsWith('1')", Cheap),
        edge(integer(), "'a=%d'.format([self]) == 'a=1'", Cheap),
    ]
}

/// Rules of a resource that cost 30 million units if the name may have any length, and ten thousand if not.
const OF_NAMES: [&str; 2] = [
    "self.metadata.name.split('').all(x, self.metadata.name.contains(x) && self.metadata.name.contains(x))",
    "self.metadata.generateName.split('').all(x, \
     self.metadata.generateName.contains(x) && self.metadata.generateName.contains(x))",
];

/// A rule of what may be a number or a text, which costs 18 million units if it may have any length.
const OF_UNIONS: &str =
    "type(self) != string || 'a'.startsWith(self.replace('b', 'cccc').replace('a', 'cccc').lowerAscii().lowerAscii())";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let minor = choices.release().minor();
    choices.many("piece", 1, PIECES, |choices, _| {
        if choices.chance(1, 6) {
            let (asserts, cost) = if minor >= 34 { (UNIONS, Cheap) } else { (RULE, Costly) };
            let most = choices.between(1, 20);
            let node = json!({ "x-kubernetes-int-or-string": true, "maxLength": most });
            Row { asserts, node, rule: OF_UNIONS, cost }.try_at(plan, &Place::spec());
        } else if choices.chance(1, 5) {
            let node = object_of(json!({ "spec": { "type": "string" } }));
            let (asserts, cost) = if minor >= 37 { (NAMES, Cheap) } else { (RULE, Costly) };
            Row { asserts, node, rule: choices.pick::<&str>(&OF_NAMES), cost }.try_at(plan, &Place::root());
        } else {
            let place = Place::draw(choices, &Places { containers: &[Container::Object], ..Places::ANY });
            choices.pick(&rows()).try_at(plan, &place);
        }
    });
}

/// A node with a rule whose cost two bounds limit.
#[derive(Clone)]
struct Bounded {
    kind: usize,
    /// How many elements or entries, and how long each may be.
    most: u64,
    length: Option<u64>,
    has_rule: bool,
}

impl Bounded {
    fn draw(choices: &mut Choices) -> Self {
        let kind = choices.index(4);
        let most = 1 + choices.draw([700, 350, 100, 10][kind] - 1);
        // Without a bound of the strings, ten are few enough.
        let length = (kind == 2 || choices.chance(1, 2)).then(|| choices.draw(100));
        Self { kind, most, length, has_rule: true }
    }

    /// The same with a bound added or lowered, or without the rule.
    fn tightened(&self, choices: &mut Choices) -> Self {
        let mut tight = self.clone();
        match choices.index(4) {
            0 => tight.most = choices.draw(self.most),
            1 => tight.length = Some(choices.draw(self.length.unwrap_or(1_000))),
            2 => tight.has_rule = false,
            _ => {}
        }
        tight
    }

    fn schema(&self) -> Value {
        let text =
            self.length.map_or(json!({ "type": "string" }), |most| json!({ "type": "string", "maxLength": most }));
        let list = json!({ "type": "array", "maxItems": self.most, "items": text });
        let map =
            json!({ "type": "object", "maxProperties": self.most, "additionalProperties": { "type": "integer" } });
        let (node, rule) = match self.kind {
            0 => (integers(self.most), SQUARE),
            1 => (map, SUM),
            2 => (list, COMPARE),
            _ => (list, SEARCH),
        };
        if self.has_rule { ruled(node, rule) } else { node }
    }
}

/// Updates of a definition whose rules are cheap: with tighter bounds, or with fewer rules.
fn monotony(plan: &mut Plan, choices: &mut Choices) {
    let fields = choices.many("field", 1, 5, |choices, _| Bounded::draw(choices));
    let schema = |fields: &[Bounded]| {
        let properties = fields.iter().enumerate().map(|(at, field)| (format!("f{at}"), field.schema()));
        spec_of(Value::Object(properties.collect()))
    };
    let definition = plan.define_schema(schema(&fields));
    plan.cases(choices, "update", |plan, choices| {
        let tight: Vec<Bounded> = fields.iter().map(|field| field.tightened(choices)).collect();
        let versions = [Version::only(schema(&tight))];
        let updated = try_patch(plan, definition, replacing_versions(&versions));
        plan.check("tighter", TIGHTER, updated, Expectation::Accepted);
    });
}
