//! INV-012: a nullable property distinguishes null from absent.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::Sample;
use crate::{
    properties::{
        Capability, Property,
        shared::{Place, Places, object_of, with_default},
    },
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-012-nullable-keeps-null",
    title: "a null at a nullable property with a default is kept, and a missing one is filled in",
    asserts: &["INV-012", "DEFAULT-002", "STRUCT-022"],
    needs: &[Capability::Serving, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let place = Place::draw(choices, &Places::COPIED);
    let sample = Sample::draw(choices, "value");
    let default = sample.value(choices, "default");
    let mut node = with_default(&sample.json(), &default);
    node["nullable"] = json!(true);
    let mut plan = Plan::new();
    let definition = plan.define_schema(place.schema(object_of(json!({ "p": node }))));
    let null = place.content(json!({ "p": null }));
    let kept = plan.try_create(definition, null.clone());
    plan.check("null-stays", &["INV-012", "DEFAULT-002", "STRUCT-022"], kept, Expectation::Content(null));
    let filled = plan.try_create(definition, place.content(json!({})));
    plan.check(
        "absent-is-filled",
        &["INV-012", "DEFAULT-002"],
        filled,
        Expectation::Content(place.content(json!({ "p": default }))),
    );
    plan.count_case();
    plan.finish()
}
