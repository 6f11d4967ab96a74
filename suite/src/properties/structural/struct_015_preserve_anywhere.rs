//! STRUCT-015: preserve-unknown-fields may stand on any node, and a type beside it still holds.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, JUDGING, PRESERVE, accepted, alone, anywhere, object_of, of_json, refused};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Cause, Expectation, Plan, Scenario},
};

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
        refused("child", RULE, json!({ PRESERVE: true, "properties": { "a": {} } }), &[(".properties[a].type", "Required")]),
        refused("map-value", RULE, json!({ "type": "object", PRESERVE: true, "additionalProperties": {} }), &[(".additionalProperties.type", "Required")]),
        refused("element", RULE, json!({ "type": "array", PRESERVE: true, "items": {} }), &[(".items.type", "Required")]),
        refused("element-of-no-type", RULE, json!({ PRESERVE: true, "items": { "nullable": true } }), &[(".items.type", "Required")]),
    ];
    for (name, _) in TYPES {
        examples.push(accepted("with-a-type", RULE, preserving(name)));
    }
    examples
}

pub(super) const ENFORCED: Property = Property {
    id: "struct-015-type-beside-preserve",
    title: "a type beside preserve-unknown-fields is still enforced on values",
    asserts: &["STRUCT-015", "STRUCT-015/e1"],
    needs: &[Capability::Serving, Capability::Validation],
    edges: &[],
    plan: enforced,
};

/// The types with a value of each that no other type takes, except that a number takes an integer.
const TYPES: [(&str, &str); 6] =
    [("string", r#""text""#), ("integer", "1"), ("number", "1.5"), ("boolean", "true"), ("array", r#"["x"]"#), ("object", r#"{"unknown":1}"#)];

fn preserving(type_name: &str) -> Value {
    let mut node = json!({ "type": type_name, PRESERVE: true });
    if type_name == "array" {
        node["items"] = json!({ "type": "string" });
    }
    node
}

fn enforced(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let definition = {
        let properties = TYPES.map(|(name, _)| (name.to_owned(), preserving(name)));
        of_json(&mut plan, object_of(properties.into_iter().collect()))
    };
    choices.many("object", 1, 8, |choices, _| {
        let (type_name, _) = *choices.pick(&TYPES);
        let drawn = *choices.pick(&TYPES);
        // A fraction at an integer has causes of its own (VALUE-006).
        let (kind, text) = if (type_name, drawn.0) == ("integer", "number") { TYPES[0] } else { drawn };
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let created = plan.try_create(definition, json!({ "spec": { type_name: value } }));
        plan.count_case();
        if type_name == kind || (type_name, kind) == ("number", "integer") {
            plan.check("right-type", &["STRUCT-015"], created, Expectation::Content(json!({ "spec": { type_name: value } })));
        } else {
            plan.check_causes("wrong-type", &["STRUCT-015/e1"], created, vec![Cause::new(format!("spec.{type_name}"), "TypeInvalid")]);
        }
    });
    plan.finish()
}
