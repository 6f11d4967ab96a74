//! CEL-005: the field path of a rule leads through the schema of its node.

use super::shared::{CHECKING, PLACES, of_rule, rule, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const RULE: &[&str] = &["CEL-005"];
const EDGE: &[&str] = &["CEL-005/e1"];
const ESCAPES: &[&str] = &["CEL-005/e3"];

pub(super) const PROPERTY: Property = Property::new("cel-005-field-paths", plan)
    .title("a field path must lead through declared properties and keys of maps")
    .asserts(&["CEL-005", "CEL-005/e1", "CEL-005/e3"])
    .needs(CHECKING)
    .edges(&[Edge { name: "examples", plan: examples }]);

/// A step of a path.
#[derive(Clone, Copy)]
struct Step {
    /// The property, or the key of the map.
    name: &'static str,
    is_key: bool,
    is_quoted: bool,
}

impl Step {
    fn text(&self) -> String {
        if self.is_quoted { format!("['{}']", escaped(self.name)) } else { format!(".{}", self.name) }
    }
}

/// Names that may follow a dot, and names that must be quoted.
const PLAIN: &[&str] = &["a", "b", "b-c", "metadata", "kind", "in", "_x", "a1", "1", "sp ace", "é", "x'y"];
const QUOTED: &[&str] = &["d.t", "x[0]", "a", "b-c", "x'y", "back\\slash", "tab\there", "q\"q", "1", "", "e]"];

/// Where a path may end, but not go on.
const LEAVES: usize = 6;
/// The one of them that has no type.
const UNTYPED: usize = 3;

fn leaf(index: usize) -> Value {
    match index {
        0 => json!({ "type": "string" }),
        1 => json!({ "type": "array", "items": { "type": "object", "properties": { "x": { "type": "string" } } } }),
        2 => json!({ "type": "object", PRESERVE: true }),
        UNTYPED => json!({ PRESERVE: true }),
        4 => json!({ "type": "object" }),
        _ => json!({ INT_OR_STRING: true }),
    }
}

/// The name as text in single quotes has it.
fn escaped(name: &str) -> String {
    let escape = |letter| match letter {
        '\\' => "\\\\".to_owned(),
        '\'' => "\\'".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        _ => String::from(letter),
    };
    name.chars().map(escape).collect()
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        if choices.chance(1, 3) {
            let (name, asserts, paths) = *choices.pick(&EXAMPLES);
            let paths = choices.many("example", 1, 5, |choices, _| *choices.pick(paths));
            let paths: Vec<(String, usize)> = paths.into_iter().map(|(path, count)| (path.to_owned(), count)).collect();
            try_piece(plan, choices, &PLACES, &piece(name, asserts, &node(), &paths));
            return;
        }
        let steps: Vec<Step> = choices.many("step", 1, 4, |choices, _| {
            let is_quoted = choices.chance(1, 2);
            let name = *choices.pick(if is_quoted { QUOTED } else { PLAIN });
            Step { name, is_key: choices.chance(1, 3), is_quoted }
        });
        let end = choices.index(LEAVES);
        // A map whose values have no type has no type either, and no rules (CEL-008).
        let end = if end == UNTYPED && steps.last().is_some_and(|step| step.is_key) { 0 } else { end };
        let node = steps.iter().rev().fold(leaf(end), |below, step| {
            let name = step.name;
            let further = json!({ name: below, "other": { "type": "string" } });
            if step.is_key { json!({ "type": "object", "additionalProperties": below }) } else { object_of(further) }
        });
        let whole: String = steps.iter().map(Step::text).collect();
        let paths: Vec<(String, usize)> =
            choices.many(
                "rule",
                1,
                4,
                |choices, _| {
                    if choices.chance(1, 3) { (whole.clone(), 0) } else { broken(choices, &steps) }
                },
            );
        try_piece(plan, choices, &PLACES, &piece("drawn", RULE, &node, &paths));
    });
}

/// A path that is wrong in one place, and how many causes it has.
fn broken(choices: &mut Choices, steps: &[Step]) -> (String, usize) {
    let whole: String = steps.iter().map(Step::text).collect();
    let undeclared = Step { name: "undeclared", is_key: false, is_quoted: false }.text();
    let properties: Vec<usize> = (0..steps.len()).filter(|&at| !steps[at].is_key).collect();
    let way = choices.index(10);
    let path = match way {
        // Another property in the place of a declared one; a map has any key.
        0 if !properties.is_empty() => {
            let wrong = *choices.pick(&properties);
            let text = |(at, step): (usize, &Step)| if at == wrong { undeclared.clone() } else { step.text() };
            steps.iter().enumerate().map(text).collect()
        }
        // Below the end; also in the place of the properties, if there are none.
        0 | 1 => format!("{whole}{undeclared}"),
        2 => format!("{whole}[0]"),
        3 => format!("{whole}['x']"),
        4 => format!("{whole}."),
        5 => format!(".{whole}"),
        6 => format!(" {whole}"),
        7 => format!("{whole}['x'"),
        8 => format!("{whole}[\"x\"]"),
        _ => whole.trim_start_matches(['.', '[', '\'']).to_owned(),
    };
    (path, 1)
}

/// The node with rules that have these paths, each with this many causes.
fn piece(name: &'static str, asserts: &'static [&'static str], node: &Value, paths: &[(String, usize)]) -> Piece {
    let cause =
        |(index, (_, count)): (usize, &(String, usize))| vec![of_rule(index, "fieldPath", Reason::Invalid); *count];
    let causes: Vec<Cause> = paths.iter().enumerate().flat_map(cause).collect();
    let entry = |(path, _): &(String, usize)| extended(rule("true"), &json!({ "fieldPath": path }));
    Piece::new(name, asserts, with_rules(node.clone(), paths.iter().map(entry)), causes)
}

/// The node of the examples: a container of each kind.
fn node() -> Value {
    let text = || json!({ "type": "string" });
    let map_of = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let list_of = |items: Value| json!({ "type": "array", "items": items });
    object_of(json!({
        "a": text(),
        "a b": text(),
        "1": text(),
        "d.t": text(),
        "o": object_of(json!({ "p": object_of(json!({ "q": text() })) })),
        "m": map_of(text()),
        "mm": map_of(map_of(text())),
        "mo": map_of(object_of(json!({ "q": text() }))),
        "l": list_of(text()),
        "lo": list_of(object_of(json!({ "z": text() }))),
        "p": { "type": "object", PRESERVE: true },
        "u": { PRESERVE: true },
        "e": { "type": "object", EMBEDDED: true, "properties": { "x": text() } },
    }))
}

type Examples = (&'static str, &'static [&'static str], &'static [(&'static str, usize)]);

const EXAMPLES: [Examples; 4] = [
    (
        "right",
        RULE,
        &[
            (".a", 0),
            ("['a']", 0),
            (".1", 0),
            ("['d.t']", 0),
            (".o.p.q", 0),
            ("['o']['p']['q']", 0),
            (".o['p'].q", 0),
            (".m.k", 0),
            (".m['any key']", 0),
            (".mm.a['b']", 0),
            (".mo.k.q", 0),
            (".e.x", 0),
        ],
    ),
    (
        "wrong",
        RULE,
        &[
            ("a", 1),
            ("x", 1),
            (".x", 1),
            (".d.t", 1),
            (".o.x", 1),
            (".a.b", 1),
            (".m.k.x", 1),
            (".m['k']['l']", 1),
            (".mo.k.x", 1),
            (".l[0]", 1),
            (".l['0']", 1),
            (".l.0", 1),
            (".l[*]", 1),
            ("[0]", 1),
            ("[1]", 1),
            (".", 1),
            ("..a", 1),
            (".a.", 1),
            (".a..b", 1),
            (".['a']", 1),
            ("['a'", 1),
            ("['a]", 1),
            ("[a]", 1),
            ("[\"a\"]", 1),
            ("['a']x", 1),
            ("['a',]", 1),
            (".self", 1),
            (".A", 1),
            (" ", 2),
            (".a\n", 2),
            (".a\nb", 2),
            (".a\r", 2),
        ],
    ),
    (
        "corners",
        EDGE,
        &[
            ("", 0),
            (".a b", 0),
            (".l", 0),
            (".lo", 0),
            (".p", 0),
            (".u", 0),
            (".m", 0),
            (".a ", 1),
            (". a", 1),
            (" .a", 1),
            ("['a'] ", 1),
            (".lo.z", 1),
            (".lo[0].z", 1),
            (".p.x", 1),
            (".u.x", 1),
            (".kind", 1),
            (".metadata", 1),
            (".e.kind", 1),
            (".e.metadata.name", 1),
        ],
    ),
    (
        "escapes",
        ESCAPES,
        &[
            ("['m']['a\\'b']", 0),
            (".m['a\\\\b']", 0),
            (".m['\\a\\b\\f\\n\\r\\t\\v']", 0),
            (".m['\\x']", 1),
            (".m['\\u0061']", 1),
            (".m['\\\"']", 1),
            ("['a\\']", 1),
        ],
    ),
];

fn examples(plan: &mut Plan) {
    for (name, asserts, paths) in EXAMPLES {
        let paths: Vec<(String, usize)> = paths.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
        piece(name, asserts, &node(), &paths).try_at(plan, &Place::spec());
    }
    // Meta fields of the root are no exception.
    let metadata = object_of(json!({ "name": { "type": "string" } }));
    let root = object_of(json!({ "spec": { "type": "string" }, "metadata": metadata }));
    let paths = [(".spec", 0), (".metadata.name", 0), (".kind", 1), (".apiVersion", 1), (".metadata.labels", 1)];
    let paths = paths.map(|(path, count)| (path.to_owned(), count));
    piece("root", EDGE, &root, &paths).try_at(plan, &Place::root());
    let root = object_of(json!({ "spec": { "type": "string" } }));
    piece("root-metadata", EDGE, &root, &[(".metadata".to_owned(), 1)]).try_at(plan, &Place::root());
}
