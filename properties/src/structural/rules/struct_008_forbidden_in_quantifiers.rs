//! STRUCT-008: structural keywords are forbidden in quantifiers.

use serde_json::Map;

use super::super::shared::{JUDGING, broken, bury};
use crate::prelude::*;
use crate::shared::{
    EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PIECES, PRESERVE, Piece, accepted, accepted_or, alone,
    host, refused,
};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-008-forbidden-in-quantifiers",
    title: "keywords for structure, defaults or documentation are forbidden at any depth of a quantifier",
    asserts: &["STRUCT-008", "STRUCT-008/e2", "STRUCT-008/e3"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan,
};

/// Keywords that produce one cause each, and can be combined.
fn plain() -> Vec<(&'static str, Value)> {
    vec![
        ("nullable", json!(true)),
        ("default", json!("x")),
        ("description", json!("text")),
        ("title", json!("text")),
        ("type", json!("string")),
        ("additionalProperties", json!(true)),
        (PRESERVE, json!(true)),
        (EMBEDDED, json!(true)),
        (INT_OR_STRING, json!(true)),
        ("x-kubernetes-validations", json!([{ "rule": "true" }])),
        ("default", json!(0)),
        ("default", json!(false)),
        ("default", json!({})),
        ("additionalProperties", json!({ "type": "string" })),
        ("type", json!("object")),
        ("type", json!("array")),
    ]
}

/// Keywords of list and map topology, each with a second cause, because a branch has no type.
fn topology() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (LIST_TYPE, json!("atomic"), "type"),
        (LIST_TYPE, json!("set"), "type"),
        (MAP_TYPE, json!("granular"), "type"),
        (MAP_TYPE, json!("atomic"), "type"),
        (LIST_MAP_KEYS, json!(["a"]), LIST_TYPE),
    ]
}

/// Keywords with values that count as absent.
fn zeros() -> Vec<(&'static str, Value)> {
    let flags = [EMBEDDED, INT_OR_STRING, "nullable"].map(|keyword| (keyword, json!(false)));
    let texts = ["type", "description", "title"].map(|keyword| (keyword, json!("")));
    let lists = [LIST_MAP_KEYS, "x-kubernetes-validations"].map(|keyword| (keyword, json!([])));
    let nulls = ["default", "additionalProperties", PRESERVE, LIST_TYPE, "items"].map(|keyword| (keyword, Value::Null));
    [flags.as_slice(), &texts, &lists, &nulls].concat()
}

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("branch", 1, PIECES, |choices, _| {
        if choices.chance(1, 4) && broken(choices, &mut plan, "STRUCT-008") {
            return;
        }
        let mut branch = Map::new();
        let mut fields = Vec::new();
        let mut asserts = vec!["STRUCT-008", "STRUCT-008/e3"];
        match choices.weighted(&[3, 1, 1]) {
            0 => {
                choices.many("keyword", 1, 4, |choices, _| {
                    let (keyword, value) = choices.pick(&plain()).clone();
                    if branch.insert(keyword.to_owned(), value).is_none() {
                        fields.push((keyword, "Forbidden"));
                    }
                });
            }
            1 => {
                let (keyword, value, besides) = choices.pick(&topology()).clone();
                branch.insert(keyword.to_owned(), value);
                fields.extend([(keyword, "Forbidden"), (besides, "Required")]);
            }
            _ => {
                asserts = vec!["STRUCT-008/e2"];
                choices.many("zero", 1, 4, |choices, _| {
                    let (keyword, value) = choices.pick(&zeros()).clone();
                    branch.insert(keyword.to_owned(), value);
                });
            }
        }
        let buried = bury(choices, Value::Object(branch), json!({ "type": "string" }));
        let planted = host::plant(choices, &buried.node);
        let fields = fields.into_iter().map(|(keyword, reason)| (format!("{}.{keyword}", buried.path), reason));
        let causes = planted.place.schema_causes(fields);
        let defined = plan.try_define(planted.schema);
        plan.count_case();
        let name = if causes.is_empty() { "zero" } else { "forbidden" };
        plan.check(name, &asserts, defined, accepted_or(causes));
    });
    plan.finish()
}

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-008"];
    const FALSE: &[&str] = &["STRUCT-008/e2"];
    const TOPOLOGY: &[&str] = &["STRUCT-008/e3"];
    let of_string = |branch: Value| json!({ "type": "string", "allOf": [branch] });
    let mut pieces = vec![
        refused(
            "all-at-once",
            RULE,
            of_string(
                json!({ "default": "x", "title": "x", "description": "x", "nullable": true, "type": "string", PRESERVE: true }),
            ),
            &[
                (".allOf[0].default", "Forbidden"),
                (".allOf[0].title", "Forbidden"),
                (".allOf[0].description", "Forbidden"),
                (".allOf[0].nullable", "Forbidden"),
                (".allOf[0].type", "Forbidden"),
                (".allOf[0].x-kubernetes-preserve-unknown-fields", "Forbidden"),
            ],
        ),
        refused(
            "unknown-type",
            RULE,
            of_string(json!({ "type": "text" })),
            &[(".allOf[0].type", "Forbidden"), (".allOf[0].type", "NotSupported")],
        ),
        refused(
            "false-beside-properties",
            FALSE,
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "not": { "properties": { "a": {} }, "additionalProperties": false } }),
            &[(".not.additionalProperties", "Forbidden")],
        ),
        refused(
            "preserving-false",
            FALSE,
            of_string(json!({ PRESERVE: false })),
            &[(".allOf[0].x-kubernetes-preserve-unknown-fields", "Invalid")],
        )
        .hiding(),
        refused(
            "list-type-with-its-type",
            TOPOLOGY,
            of_string(json!({ "type": "array", LIST_TYPE: "set" })),
            &[(".allOf[0].type", "Forbidden"), (".allOf[0].x-kubernetes-list-type", "Forbidden")],
        ),
        refused(
            "map-type-with-its-type",
            TOPOLOGY,
            of_string(json!({ "type": "object", MAP_TYPE: "atomic" })),
            &[(".allOf[0].type", "Forbidden"), (".allOf[0].x-kubernetes-map-type", "Forbidden")],
        ),
    ];
    let zeros: Map<String, Value> = zeros().into_iter().map(|(keyword, value)| (keyword.to_owned(), value)).collect();
    pieces.push(accepted("zeros", FALSE, json!({ "type": "object", "anyOf": [Value::Object(zeros)] })));
    pieces
}
