//! INV-012: a nullable property distinguishes null from absent.

use super::shared::Fields;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-012-nullable-keeps-null", plan)
    .title("a null at a nullable property with a default is kept")
    .asserts(&["INV-012", "DEFAULT-002", "STRUCT-022"])
    .needs(&[Capability::Serving, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let fields = Fields::draw(choices, ["default"]);
    let nullable = json!({ "nullable": true });
    let properties = fields.entries(|field| [("p", extended(field.defaulting(0), &nullable))]);
    let definition = plan.define_schema(place.schema(object_of(properties)));
    let null = place.content(fields.entries(|_| [("p", Value::Null)]));
    let kept = plan.try_create(definition, null.clone());
    plan.check("null-stays", &["INV-012", "DEFAULT-002", "STRUCT-022"], kept, Expectation::Content(null));
    let filled = plan.try_create(definition, place.content(json!({})));
    plan.check(
        "absent-is-filled",
        &["INV-012", "DEFAULT-002"],
        filled,
        Expectation::Content(place.content(fields.holding(0))),
    );
    fields.count(plan);
}
