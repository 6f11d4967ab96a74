//! DEFAULT-008: quantifiers hold no defaults, and which branch holds makes no difference to the defaults beside them.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, Sample, object_of, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Definition, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-008-quantifiers-never-default",
    title: "objects that satisfy different branches get the same defaults, and a default inside a branch is refused",
    asserts: &["DEFAULT-008"],
    needs: &[Capability::Serving, Capability::DefinitionDryRun, Capability::Defaulting],
    edges: &[],
    plan,
};

/// Keys of which a branch demands one.
const SELECTORS: [&str; 3] = ["x", "y", "z"];

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let quantifier = *choices.pick(&["anyOf", "oneOf"]);
    let (first, second) = (Sample::draw(choices, "first"), Sample::draw(choices, "second"));
    let (a, b) = (first.value(choices, "a"), second.value(choices, "b"));
    // A branch names a defaulted property beside its selector, so that a default could be tied to the branch.
    let branches: Vec<Value> = SELECTORS
        .iter()
        .map(|selector| {
            let named = *choices.pick(&["a", "b"]);
            json!({ "required": [selector], "properties": { named: {} } })
        })
        .collect();
    let text = json!({ "type": "string" });
    let mut node = object_of(&json!({
        "x": text, "y": text, "z": text,
        "a": with_default(&first.json(), &a),
        "b": with_default(&second.json(), &b),
    }));
    node[quantifier] = json!(branches);
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(frame.schema(node.clone())));
    for selector in SELECTORS {
        let created = plan.try_create(definition, frame.content(json!({ selector: "" })));
        let expected = frame.content(json!({ selector: "", "a": a, "b": b }));
        plan.check("same-defaults", &["DEFAULT-008"], created, Expectation::Content(expected));
        plan.count_case();
    }
    let branch = choices.draw(SELECTORS.len() as u64 - 1);
    let index = usize::try_from(branch).unwrap_or(0);
    node[quantifier][index]["properties"] = json!({ SELECTORS[index]: { "default": "" } });
    let defined = plan.try_define(frame.schema(node));
    let field = format!("{}.{quantifier}[{index}].properties[{}].default", frame.schema_path(), SELECTORS[index]);
    plan.check_causes("refused-in-branch", &["DEFAULT-008"], defined, vec![Cause::new(field, "Forbidden")]);
    plan.count_case();
    plan.finish()
}
