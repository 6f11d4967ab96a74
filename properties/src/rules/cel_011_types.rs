//! CEL-011: the type of a node decides which expressions compile.

use super::shared::{CHECKING, JUDGING, SINGLE, of_rules, ruled, spelled, try_piece};
use crate::prelude::*;
use crate::shared::PIECES;
use Kind::{
    Boolean, Bytes, Double, Duration, Dynamic, Fields, Integer, Integers, MapOf, NoFields, Strings, Text, Time,
};

const RULE: &[&str] = &["CEL-011"];
const EDGE: &[&str] = &["CEL-011/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-011-types", plan)
    .title("the type of a node in rules is that of its schema: an expression compiles for it or does not")
    .asserts(&["CEL-011", "CEL-011/e1"])
    .needs(CHECKING)
    .edges(&[Edge { name: "each-type", plan: each_type }]);

pub(super) const VALUES: Property = Property::new("cel-011-types-of-values", values)
    .title("values have the types of their nodes in rules, however they are written")
    .asserts(RULE)
    .needs(JUDGING);

/// A type of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Double,
    Boolean,
    Bytes,
    Time,
    Duration,
    Strings,
    Integers,
    MapOf,
    /// An object with the property `a`.
    Fields,
    NoFields,
    Dynamic,
}

/// Nodes, and their types.
fn nodes() -> Vec<(Value, Kind, &'static [&'static str])> {
    let format = |format: &str| json!({ "type": "string", "format": format });
    let a = json!({ "a": { "type": "string" } });
    vec![
        (json!({ "type": "string" }), Text, RULE),
        (json!({ "type": "integer" }), Integer, RULE),
        (json!({ "type": "number" }), Double, RULE),
        (json!({ "type": "boolean" }), Boolean, RULE),
        (format("byte"), Bytes, RULE),
        (format("date"), Time, RULE),
        (format("date-time"), Time, RULE),
        (format("duration"), Duration, RULE),
        (json!({ INT_OR_STRING: true }), Dynamic, RULE),
        (json!({ "type": "array", "items": { "type": "string" } }), Strings, RULE),
        (json!({ "type": "array", "items": { "type": "integer" } }), Integers, RULE),
        (json!({ "type": "object", "additionalProperties": { "type": "string" } }), MapOf, RULE),
        (object_of(a.clone()), Fields, RULE),
        (json!({ "type": "object", PRESERVE: true, "properties": a }), Fields, RULE),
        (json!({ "type": "object" }), NoFields, EDGE),
        (json!({ "type": "object", PRESERVE: true }), NoFields, EDGE),
        (json!({ "type": "object", "additionalProperties": true }), NoFields, EDGE),
        (json!({ "type": "integer", "format": "int64" }), Integer, EDGE),
        (json!({ "type": "integer", "format": "int32" }), Integer, EDGE),
        (json!({ "type": "number", "format": "float" }), Double, EDGE),
        (format("uuid"), Text, EDGE),
        (format("password"), Text, EDGE),
        (json!({ "type": "string", "nullable": true, "enum": ["a"] }), Text, EDGE),
        (json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string" } }), Strings, EDGE),
    ]
}

/// Expressions of X, and for which types they compile; all compile for the dynamic one.
const EXPRESSIONS: [(&str, &[Kind]); 20] = [
    ("X.startsWith('a')", &[Text]),
    ("X == 'a'", &[Text]),
    ("X + 'a' == 'aa'", &[Text]),
    ("X % 2 == 0", &[Integer]),
    ("X == 1", &[Integer]),
    ("X / 2.0 == 1.0", &[Double]),
    ("X == 1.5", &[Double]),
    ("X > 1", &[Integer, Double]),
    ("!X", &[Boolean]),
    ("X == b'a'", &[Bytes]),
    ("X.getFullYear() == 2000", &[Time]),
    ("X > timestamp('2000-01-01T00:00:00Z')", &[Time]),
    ("X < duration('1h')", &[Duration]),
    ("X[0] == 'a'", &[Strings]),
    ("X[0] == 1", &[Integers]),
    ("X['a'] == 'b'", &[MapOf]),
    ("has(X.a)", &[MapOf, Fields]),
    ("'a' in X", &[Strings, MapOf]),
    ("X.size() == 1", &[Text, Bytes, Strings, Integers, MapOf]),
    ("X == null", &[Time, Duration, Fields, NoFields]),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let nodes = nodes();
    choices.many("piece", 1, PIECES, |choices, _| {
        let (node, kind, asserts) = choices.pick(&nodes).clone();
        let is_property = choices.chance(1, 2);
        let rules: Vec<(String, bool)> = choices.many("rule", 1, 5, |choices, _| {
            let (text, kinds) = *choices.pick(&EXPRESSIONS);
            let text = text.replace('X', if is_property { "self.x" } else { "self" });
            (spelled(choices, &text), kind == Dynamic || kinds.contains(&kind))
        });
        let node = if is_property { object_of(json!({ "x": node })) } else { node };
        try_piece(plan, choices, &SINGLE, &of_rules("types", asserts, node, &rules));
    });
}

/// Each expression for each type.
fn each_type(plan: &mut Plan) {
    for (node, kind, asserts) in nodes() {
        let rules =
            EXPRESSIONS.map(|(text, kinds)| (text.replace('X', "self"), kind == Dynamic || kinds.contains(&kind)));
        of_rules("types", asserts, node, &rules).try_at(plan, &Place::spec());
    }
}

/// Types as `type()` compares them.
const NAMES: [&str; 9] = [
    "string",
    "int",
    "double",
    "bool",
    "bytes",
    "google.protobuf.Timestamp",
    "google.protobuf.Duration",
    "list",
    "map",
];

fn values(plan: &mut Plan, choices: &mut Choices) {
    let format = |format: &str| json!({ "type": "string", "format": format });
    let integers = || json!({ "type": "array", "items": { "type": "integer" } });
    let map = || json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let rows: [(Value, &str, Vec<Value>); 10] = [
        (json!({ "type": "string" }), "string", vec![json!(""), json!("1"), json!("2000-01-01"), json!("5s")]),
        (json!({ "type": "integer" }), "int", vec![json!(0), json!(-1), json!(i64::MAX)]),
        (json!({ "type": "number" }), "double", vec![json!(1), json!(0), json!(1.5), json!(-3)]),
        (json!({ "type": "boolean" }), "bool", vec![json!(true), json!(false)]),
        (format("byte"), "bytes", vec![json!("YQ=="), json!("YWI=")]),
        (format("date"), "google.protobuf.Timestamp", vec![json!("2000-01-01")]),
        (format("date-time"), "google.protobuf.Timestamp", vec![json!("2000-01-01T00:00:00Z")]),
        (format("duration"), "google.protobuf.Duration", vec![json!("5s"), json!("2 days")]),
        (integers(), "list", vec![json!([]), json!([1])]),
        (map(), "map", vec![json!({}), json!({ "a": "b" })]),
    ];
    let of_either = (json!({ INT_OR_STRING: true }), vec![(json!(1), "int"), (json!("1"), "string")]);
    let place = Place::draw(choices, &SINGLE);
    let name = *choices.pick(&NAMES);
    let (node, values): (Value, Vec<(Value, &str)>) = if choices.chance(1, 6) {
        of_either
    } else {
        let (node, of_node, values) = choices.pick(&rows).clone();
        (node, values.into_iter().map(|value| (value, of_node)).collect())
    };
    // Half of the rules ask for the type that a value has.
    let name = if choices.chance(1, 2) { choices.pick(&values).1 } else { name };
    let node = ruled(node, &format!("type(self) == {name}"));
    plan.at_place(choices, &place, &node, |choices| {
        let (value, of_value) = choices.pick(&values).clone();
        if of_value == name {
            Example::accepted("has-type", RULE, value)
        } else {
            Example::refused("has-another-type", RULE, value, [("", Reason::Invalid.name())])
        }
    });
}
