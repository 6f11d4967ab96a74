//! CRDVAL-033: properties exclude `additionalProperties`.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{accepted, alone, anywhere, refused};

pub(super) const PROPERTY: Property =
    Property::new("crdval-033-properties-or-additional", |plan, choices| anywhere(plan, choices, &pieces()))
        .title("a node with properties must not have additionalProperties other than true")
        .asserts(&["CRDVAL-033", "CRDVAL-033/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

const RULE: &[&str] = &["CRDVAL-033"];
const EDGE: &[&str] = &["CRDVAL-033/e1"];
const OFFENCE: &[(&str, &str)] = &[(".additionalProperties", "Forbidden")];

fn pieces() -> Vec<Piece> {
    let properties = json!({ "a": { "type": "string" } });
    let both =
        |additional: Value| json!({ "type": "object", "properties": properties, "additionalProperties": additional });
    vec![
        refused("false", RULE, both(json!(false)), OFFENCE),
        refused("schema", RULE, both(json!({ "type": "string" })), OFFENCE),
        accepted("true", RULE, both(json!(true))),
        accepted("false-alone", EDGE, json!({ "type": "object", "additionalProperties": false })),
        accepted(
            "empty-properties",
            EDGE,
            json!({ "type": "object", "properties": {}, "additionalProperties": { "type": "string" } }),
        ),
        refused(
            "schema-without-a-type",
            EDGE,
            json!({ "type": "object", "additionalProperties": {} }),
            &[(".additionalProperties.type", "Required")],
        ),
        refused(
            "in-a-map",
            RULE,
            json!({ "type": "object", "additionalProperties": both(json!({ "type": "string" })) }),
            &[(".additionalProperties.additionalProperties", "Forbidden")],
        ),
    ]
}
