//! CEL-014, CEL-015 and INV-091: names of properties as rules have them.

use super::shared::{CHECKING, JUDGING, SINGLE, judged, of_rule, of_rules, rule, ruled, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const HIDDEN: &[&str] = &["CEL-014"];
const RULE: &[&str] = &["CEL-015"];
const EDGE: &[&str] = &["CEL-015/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-015-names", plan)
    .title("rules access a property by its escaped name, and by no other spelling of its name")
    .asserts(&["CEL-014", "CEL-015", "CEL-015/e1"])
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

pub(super) const VALUES: Property = Property::new("inv-091-escaped-names", values)
    .title("has() of an escaped name tells whether the property is there; keys of maps are not escaped")
    .asserts(&["CEL-014", "CEL-015", "INV-091"])
    .needs(JUDGING)
    .edges(&[Edge { name: "keys-of-maps", plan: keys }]);

/// Words that are escaped as a whole. Those of the second list may be written plainly after a dot, too.
const KEYWORDS: [&str; 4] = ["true", "false", "null", "in"];
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];
/// Names that need no escaping, though some look like it.
const PLAIN: [&str; 14] =
    ["a", "A1", "_a", "_", "a_b", "ifx", "In", "TRUE", "self", "oldSelf", "int", "has", "size", "null_type"];
/// Names with parts that are escaped.
const ODD: [&str; 16] = [
    "a__b", "__", "a-b", "a.b", "a/b", "-a", ".", "..", "a--b", "___", "____", "a___b", "__if__", "in-a", "x/y.z-1",
    "/",
];
/// Parts of which names are made.
const PARTS: [&str; 11] = ["a", "_", "__", "-", ".", "/", "if", "dash", "Z9", "b", "dot"];
/// Names that rules cannot access at all.
const UNESCAPABLE: [&str; 11] = ["1a", "9", "a b", "é", "$ref", "a$", "a:b", "a~b", "@", "a]", "1-a"];

fn escaped(name: &str) -> String {
    if KEYWORDS.contains(&name) || RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    let steps = [("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__")];
    steps.iter().fold(name.to_owned(), |name, (from, to)| name.replace(from, to))
}

/// A name that can be escaped.
fn drawn(choices: &mut Choices) -> String {
    match choices.weighted(&[2, 1, 1, 2, 3]) {
        0 => (*choices.pick(&PLAIN)).to_owned(),
        1 => (*choices.pick(&KEYWORDS)).to_owned(),
        2 => (*choices.pick(&RESERVED)).to_owned(),
        3 => (*choices.pick(&ODD)).to_owned(),
        _ => choices.many("part", 1, 4, |choices, _| *choices.pick(&PARTS)).concat(),
    }
}

/// An object with only this property.
fn with(name: &str) -> Value {
    object_of(json!({ name: { "type": "string" } }))
}

/// Rules that access the property, and whether each compiles.
fn rules(name: &str) -> (&'static [&'static str], Vec<(String, bool)>) {
    let escape = escaped(name);
    let mut rules = vec![
        (format!("has(self.{escape})"), true),
        (format!("self.{escape} == 'a'"), true),
        (format!("self.?{escape}.orValue('') == 'a'"), true),
        (format!("self['{name}'] == 'a'"), false),
        (format!("'{name}' in self"), false),
    ];
    if escape == name {
        return (RULE, rules);
    }
    let is_reserved = RESERVED.contains(&name);
    rules.push((format!("has(self.{name})"), is_reserved));
    rules.push((format!("self.{name} == 'a'"), is_reserved));
    rules.push((format!("self.?{name}.hasValue()"), is_reserved));
    if name.contains(['-', '.', '/']) {
        rules.push((format!("has(self.`{name}`)"), false));
    }
    (if is_reserved { EDGE } else { RULE }, rules)
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        if choices.chance(1, 4) {
            let piece = hidden(choices.pick::<&str>(&UNESCAPABLE));
            try_piece(plan, choices, &SINGLE, &piece);
            return;
        }
        let name = drawn(choices);
        let (asserts, rules) = rules(&name);
        let some = choices.many("rule", 1, 4, |choices, _| choices.pick(&rules).clone());
        try_piece(plan, choices, &SINGLE, &of_rules("names", asserts, with(&name), &some));
    });
}

fn each(plan: &mut Plan) {
    for name in KEYWORDS.iter().chain(&RESERVED).chain(&PLAIN).chain(&ODD) {
        let (asserts, rules) = rules(name);
        of_rules("names", asserts, with(name), &rules).try_at(plan, &Place::spec());
    }
    UNESCAPABLE.iter().for_each(|name| hidden(name).try_at(plan, &Place::spec()));
}

/// No spelling of the name compiles, but a rule inside the property does.
fn hidden(name: &str) -> Piece {
    let texts = [format!("has(self.{name})"), format!("has(self.`{name}`)"), format!("self['{name}'] == 'a'")];
    let causes: Vec<Cause> = (0..texts.len()).map(|index| of_rule(index, "rule", Reason::Invalid)).collect();
    let node = object_of(json!({ name: ruled(json!({ "type": "string" }), "self == 'a'") }));
    Piece::new("hidden", HIDDEN, with_rules(node, texts.iter().map(|text| rule(text))), causes)
}

fn values(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 4) {
        return inside(plan, choices);
    }
    let mut names = choices.many("name", 1, 4, |choices, _| drawn(choices));
    names.sort();
    names.dedup();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({ "type": "string", "nullable": true }))).collect();
    let entries = names.iter().map(|name| rule(&format!("has(self.{})", escaped(name))));
    let node = with_rules(object_of(Value::Object(properties)), entries);
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &node, |choices| {
        let mut object = Map::new();
        let mut causes = Vec::new();
        for name in &names {
            match choices.index(3) {
                0 => drop(object.insert(name.clone(), json!("a"))),
                1 => drop(object.insert(name.clone(), json!(""))),
                _ => causes.push(("", Reason::Invalid.name())),
            }
        }
        Example::judged("presence", &["CEL-015", "INV-091"], Value::Object(object), causes)
    });
}

/// Rules inside properties that rules cannot access are evaluated.
fn inside(plan: &mut Plan, choices: &mut Choices) {
    let name = *choices.pick(&UNESCAPABLE);
    let node = object_of(json!({ name: ruled(json!({ "type": "string" }), "self == 'a'") }));
    let place = Place::draw(choices, &SINGLE);
    let field = format!(".{name}");
    plan.at_place(choices, &place, &node, |choices| {
        let value = *choices.pick(&["a", "b", ""]);
        let causes = if value == "a" { vec![] } else { vec![(field.clone(), Reason::Invalid.name())] };
        Example::judged("inside", HIDDEN, json!({ name: value }), causes)
    });
}

fn keys(plan: &mut Plan) {
    let map = || json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let row = |text: &str, holds: Value, fails: Value| judged(RULE, ruled(map(), text), [holds], [fails]);
    plan.in_one_schema([
        row("'a-b' in self", json!({ "a-b": "x" }), json!({ "a__dash__b": "x" })),
        row("self['a.b'] == 'x'", json!({ "a.b": "x" }), json!({ "a__dot__b": "x" })),
        row("has(self.a__dash__b)", json!({ "a__dash__b": "x" }), json!({ "a-b": "x" })),
        row("has(self.__if__)", json!({ "__if__": "x" }), json!({ "if": "x" })),
    ]);
}
