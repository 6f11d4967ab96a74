//! DEFAULT-008: quantifiers have no defaults, and defaulting does not depend on which branch matches.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-008-quantifiers-never-default", plan)
    .title("defaults do not depend on which branch of a quantifier matches")
    .asserts(&["DEFAULT-008"])
    .needs(&[Capability::Serving, Capability::Defaulting]);

/// Keys; each branch requires one of them.
const SELECTORS: [&str; 3] = ["x", "y", "z"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let quantifier = *choices.pick(&["anyOf", "oneOf"]);
    let (first, second) = (Sample::draw(choices, "first"), Sample::draw(choices, "second"));
    let (a, b) = (first.value(choices, "a"), second.value(choices, "b"));
    // A branch mentions a property with a default next to its selector, so that a default could depend on the branch.
    let branches: Vec<Value> = SELECTORS
        .iter()
        .map(|selector| {
            let named = *choices.pick(&["a", "b"]);
            json!({ "required": [selector], "properties": { named: {} } })
        })
        .collect();
    let text = json!({ "type": "string" });
    let mut node = object_of(json!({
        "x": text, "y": text, "z": text,
        "a": with_default(&first.json(), &a),
        "b": with_default(&second.json(), &b),
    }));
    node[quantifier] = json!(branches);
    let definition = plan.define_schema(place.schema(node.clone()));
    for selector in SELECTORS {
        let created = plan.try_create(definition, place.content(json!({ selector: "" })));
        let expected = place.content(json!({ selector: "", "a": a, "b": b }));
        plan.check("same-defaults", &["DEFAULT-008"], created, Expectation::Content(expected));
        plan.count_case();
    }
    let branch = choices.draw(SELECTORS.len() as u64 - 1);
    let index = usize::try_from(branch).unwrap_or(0);
    node[quantifier][index]["properties"] = json!({ SELECTORS[index]: { "default": "" } });
    let defined = plan.try_define(place.schema(node));
    let path = format!(".{quantifier}[{index}].properties[{}].default", SELECTORS[index]);
    plan.check_causes("refused-in-branch", &["DEFAULT-008"], defined, place.schema_causes([(path, "Forbidden")]));
    plan.count_case();
}
