//! STRUCT-018: restrictions of root `apiVersion` and `kind` hold for objects.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::of_json;
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-018-restricted-meta-fields",
    title: "restrictions of root apiVersion and kind are enforced on objects",
    asserts: &["STRUCT-018/e2"],
    needs: &[Capability::Serving, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    // Names are made up anew in each run: all that is known is that they are none of these, and not empty.
    let restrictions = [
        (json!({ "minLength": 1 }), None),
        (json!({ "enum": ["Another"] }), Some("NotSupported")),
        (json!({ "maxLength": 1 }), Some("TooLong")),
        (json!({ "minLength": 300 }), Some("Invalid")),
    ];
    let mut schema = json!({ "type": "object" });
    let mut causes = Vec::new();
    for field in ["apiVersion", "kind"] {
        let (restriction, reason) = choices.pick(&restrictions).clone();
        schema["properties"][field] = restriction;
        schema["properties"][field]["type"] = json!("string");
        causes.extend(reason.map(|reason| Cause::new(field, reason)));
    }
    let definition = of_json(&mut plan, schema);
    let created = plan.try_create(definition, json!({}));
    plan.count_case();
    let expect = if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) };
    plan.check("restricted", &["STRUCT-018/e2"], created, expect);
    plan.finish()
}
