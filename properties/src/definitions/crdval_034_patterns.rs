//! CRDVAL-034, CRDVAL-036, CRDVAL-037: of all value validation, only patterns are checked.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{accepted, alone, anywhere, refused};

pub(super) const PROPERTY: Property =
    Property::new("crdval-034-patterns", |plan, choices| anywhere(plan, choices, &pieces()))
        .title("a pattern in a schema must be a valid regular expression")
        .asserts(&["CRDVAL-034", "CRDVAL-034/e1", "CRDVAL-036", "CRDVAL-037", "CRDVAL-037/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

const RULE: &[&str] = &["CRDVAL-034"];
const EDGE: &[&str] = &["CRDVAL-034/e1"];
const SENSE: &[&str] = &["CRDVAL-037"];
const OFFENCE: &[(&str, &str)] = &[(".pattern", "Invalid")];

fn pieces() -> Vec<Piece> {
    let pattern = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let mut pieces: Vec<Piece> = ["(", "[", "a**", "a)", "\\", "[b-a]", "(?P<n"]
        .map(|broken| refused("broken", RULE, pattern(broken), OFFENCE))
        .to_vec();
    pieces.extend(
        ["a(?=b)", "(?<!a)b", r"(a)\1", "a{1001}", "(a{11}){1000}"]
            .map(|odd| refused("not-in-re2", EDGE, pattern(odd), OFFENCE)),
    );
    pieces.extend(
        ["^a$", r"\d+", "a{1000}", r"\pL", "(?i)a", r"[[:alpha:]]"]
            .map(|sound| accepted("sound", RULE, pattern(sound))),
    );
    pieces.extend(
        ["x", "int32", "date-time", "", "DATE", "ключ"]
            .map(|format| accepted("format", &["CRDVAL-036"], json!({ "type": "object", "format": format }))),
    );
    pieces.extend([
        accepted("empty", EDGE, pattern("")),
        accepted("on-a-number", EDGE, json!({ "type": "number", "pattern": "a" })),
        refused("broken-on-a-number", RULE, json!({ "type": "integer", "pattern": "(" }), OFFENCE),
        refused(
            "in-quantifiers",
            RULE,
            json!({ "type": "string", "anyOf": [{ "not": { "pattern": "[" } }, { "pattern": "(" }] }),
            &[(".anyOf[0].not.pattern", "Invalid"), (".anyOf[1].pattern", "Invalid")],
        ),
        refused(
            "in-all-of-and-one-of",
            RULE,
            json!({ "type": "string", "allOf": [{}, { "pattern": "[" }], "oneOf": [{ "pattern": "(" }] }),
            &[(".allOf[1].pattern", "Invalid"), (".oneOf[0].pattern", "Invalid")],
        ),
        accepted(
            "declared-and-required-otherwise",
            &["CRDVAL-037/e1"],
            json!({ "type": "object", "required": ["x", "x"], "properties": { "y": { "type": "string" } } }),
        ),
        accepted("multiple-of-nothing", &["CRDVAL-037/e1"], json!({ "type": "number", "multipleOf": 0 })),
        accepted("multiple-of-less", &["CRDVAL-037/e1"], json!({ "type": "number", "multipleOf": -1.5 })),
    ]);
    let pointless: [(&str, Value); 9] = [
        ("crossed-bounds", json!({ "type": "integer", "minimum": 2, "maximum": 1 })),
        ("crossed-lengths", json!({ "type": "string", "minLength": 2, "maxLength": 1 })),
        ("negative-length", json!({ "type": "string", "maxLength": -1 })),
        ("negative-count", json!({ "type": "object", "minProperties": -5 })),
        ("enum-of-nothing", json!({ "type": "string", "enum": [] })),
        ("enum-with-repeats", json!({ "type": "string", "enum": ["a", "a"] })),
        ("enum-of-another-type", json!({ "type": "string", "enum": [1, { "a": null }] })),
        ("length-of-a-number", json!({ "type": "number", "maxLength": 3, "minItems": 1 })),
        ("exclusive-without-a-bound", json!({ "type": "number", "exclusiveMinimum": true })),
    ];
    pieces.extend(pointless.map(|(name, schema)| accepted(name, SENSE, schema)));
    pieces
}
