//! STRUCT-015: preserve-unknown-fields may stand on any node.

use serde_json::json;

use super::shared::{Example, JUDGING, PRESERVE, accepted, alone, anywhere, refused};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "struct-015-preserve-anywhere",
    title: "preserve-unknown-fields is accepted on nodes of any type and of none, and excuses no child from its type",
    asserts: &["STRUCT-015"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan: |choices| anywhere(choices, "STRUCT-015", &examples()),
};

pub(super) fn examples() -> Vec<Example> {
    const RULE: &[&str] = &["STRUCT-015"];
    let mut examples = vec![
        accepted("no-type", RULE, json!({ PRESERVE: true })),
        accepted("root", RULE, json!({ "type": "object", PRESERVE: true })).at_root(),
        refused(
            "child",
            RULE,
            json!({ PRESERVE: true, "properties": { "a": {} } }),
            &[(".properties[a].type", "Required")],
        ),
        refused(
            "map-value",
            RULE,
            json!({ "type": "object", PRESERVE: true, "additionalProperties": {} }),
            &[(".additionalProperties.type", "Required")],
        ),
        refused(
            "element",
            RULE,
            json!({ "type": "array", PRESERVE: true, "items": {} }),
            &[(".items.type", "Required")],
        ),
        refused(
            "element-of-no-type",
            RULE,
            json!({ PRESERVE: true, "items": { "nullable": true } }),
            &[(".items.type", "Required")],
        ),
    ];
    for name in ["string", "integer", "number", "boolean", "object"] {
        examples.push(accepted("with-a-type", RULE, json!({ "type": name, PRESERVE: true })));
    }
    examples.push(accepted("array", RULE, json!({ "type": "array", PRESERVE: true, "items": { "type": "string" } })));
    examples
}
