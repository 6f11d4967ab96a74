//! STRUCT-015: preserve-unknown-fields does not replace a declared type.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("struct-015-type-beside-preserve", plan)
    .title("a declared type is enforced on values even if the node also has preserve-unknown-fields")
    .asserts(&["STRUCT-015", "STRUCT-015/e1"])
    .needs(&[Capability::Serving, Capability::Validation]);

/// The types, with a value of each that no other type accepts, except that type number accepts an integer.
const TYPES: [(&str, &str); 6] = [
    ("string", r#""text""#),
    ("integer", "1"),
    ("number", "1.5"),
    ("boolean", "true"),
    ("array", r#"["x"]"#),
    ("object", r#"{"unknown":1}"#),
];

fn preserving(type_name: &str) -> Value {
    let mut node = json!({ "type": type_name, PRESERVE: true });
    if type_name == "array" {
        node["items"] = json!({ "type": "string" });
    }
    node
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let properties = TYPES.map(|(name, _)| (name.to_owned(), preserving(name)));
    let definition = plan.define_schema(spec_of(properties.into_iter().collect()));
    plan.cases(choices, "object", |plan, choices| {
        let (type_name, _) = *choices.pick(&TYPES);
        let drawn = *choices.pick(&TYPES);
        // A fraction at an integer has more causes (VALUE-003).
        let (kind, text) = if (type_name, drawn.0) == ("integer", "number") { TYPES[0] } else { drawn };
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let created = plan.try_create(definition, json!({ "spec": { type_name: value } }));
        if type_name == kind || (type_name, kind) == ("number", "integer") {
            plan.check(
                "right-type",
                &["STRUCT-015"],
                created,
                Expectation::Content(json!({ "spec": { type_name: value } })),
            );
        } else {
            plan.check_causes(
                "wrong-type",
                &["STRUCT-015/e1"],
                created,
                vec![Cause::new(format!("spec.{type_name}"), "TypeInvalid")],
            );
        }
    });
}
