//! STRUCT-019: restrictions on names apply to objects, and to a generated name after it is generated.

use crate::prelude::*;
use crate::shared::accepted_or;

pub(super) const PROPERTY: Property = Property::new("struct-019-restricted-names", plan)
    .title("value validation of root metadata.name and generateName is enforced, even on generated names")
    .asserts(&["STRUCT-019/e2"])
    .needs(&[Capability::Serving, Capability::Validation]);

/// The prefix for generated names; the server appends some characters.
const PREFIX: &str = "made-";
/// Names that are sent but never stored; each object of a scenario has its own.
const LISTED: [&str; 4] = ["stated-0", "stated-2", "stated-4", "stated-6"];
/// Matches no name, neither sent nor generated.
const NO_NAME: &str = "^[A-Z]*$";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let listed = [&[PREFIX][..], &LISTED].concat();
    // Every name is longer than one character; before it is generated it is empty.
    let restrictions = [
        json!({}),
        json!({ "minLength": 2 }),
        json!({ "maxLength": 1 }),
        json!({ "enum": listed }),
        json!({ "enum": ["", "other"] }),
        json!({ "pattern": "^[a-z0-9-]*$" }),
        json!({ "pattern": NO_NAME }),
    ];
    let mut drawn = || {
        let mut restriction = choices.pick(&restrictions).clone();
        restriction["type"] = json!("string");
        restriction
    };
    let (name, prefix) = (drawn(), drawn());
    let metadata = object_of(json!({ "name": name, "generateName": prefix }));
    let definition = plan.define_schema(object_of(json!({ "metadata": metadata })));
    choices.cases("object", |choices, number| {
        let stated = format!("stated-{number}");
        let (fields, final_name, given_prefix) = match choices.draw(2) {
            0 => (json!({}), None, None),
            1 => (json!({ "metadata": { "name": stated } }), Some(stated.as_str()), None),
            _ => (json!({ "metadata": { "name": "", "generateName": PREFIX } }), None, Some(PREFIX)),
        };
        let created = plan.try_create(definition, fields);
        plan.count_case();
        let causes = [
            rejection(&name, final_name).map(|reason| Cause::new("metadata.name", reason)),
            given_prefix.and_then(|given| {
                rejection(&prefix, Some(given)).map(|reason| Cause::new("metadata.generateName", reason))
            }),
        ];
        let causes: Vec<Cause> = causes.into_iter().flatten().collect();
        plan.check("names", &["STRUCT-019/e2"], created, accepted_or(causes));
    });
}

/// The reason why a name is rejected. `None` means a generated name, which no enum lists.
fn rejection(restriction: &Value, text: Option<&str>) -> Option<&'static str> {
    if restriction.get("maxLength").is_some() {
        return Some("TooLong");
    }
    if restriction.get("pattern").is_some_and(|pattern| pattern == NO_NAME) {
        return Some("Invalid");
    }
    let listed = restriction.get("enum").and_then(Value::as_array)?;
    let is_listed = text.is_some_and(|text| listed.contains(&json!(text)));
    (!is_listed).then_some("NotSupported")
}
