//! INV-026: a looser bound accepts every value that a tighter one accepts.

use super::shared::{JUDGING, Keywords};
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-026"];

pub(super) const PROPERTY: Property = Property::new("inv-026-bound-monotony", plan)
    .title("a value that a bound accepts is still accepted when the bound is loosened")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// A keyword with a tight bound, and with a loose one.
fn pair(choices: &mut Choices) -> (Value, Value) {
    let bound = choices.between(0, 4);
    let looser = 1 + choices.between(0, 2);
    match choices.draw(9) {
        0 => (json!({ "maxLength": bound }), json!({ "maxLength": bound + looser })),
        1 => (json!({ "minLength": bound + looser }), json!({ "minLength": bound })),
        2 => (json!({ "maximum": bound - 2 }), json!({ "maximum": bound - 2 + looser })),
        3 => (json!({ "minimum": bound - 2 }), json!({ "minimum": bound - 2 - looser })),
        4 => (json!({ "maximum": bound - 2, "exclusiveMaximum": true }), json!({ "maximum": bound - 2 })),
        5 => (json!({ "maxItems": bound }), json!({ "maxItems": bound + looser })),
        6 => (json!({ "minProperties": bound + looser }), json!({ "minProperties": bound })),
        7 => (json!({ "enum": ["red"] }), json!({ "enum": ["green", "red"] })),
        8 => (json!({ "required": ["a", "b"] }), json!({ "required": ["b"] })),
        _ => (json!({ "minItems": bound + looser }), json!({ "minItems": bound })),
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let (tight, loose) = choices.span("node", pair);
    let is_numeric = tight.get("minimum").or(tight.get("maximum")).is_some();
    let define = |plan: &mut Plan, keywords: Value| {
        plan.define_schema(place.schema(extended(keywords, &json!({ PRESERVE: true }))))
    };
    let (tight, loose) = (define(plan, tight), define(plan, loose));
    plan.cases(choices, "value", |plan, choices| {
        let value = if is_numeric && choices.chance(3, 4) {
            json!(choices.between(0, 8) - 4)
        } else {
            Keywords::value(choices)
        };
        let content = place.content(value);
        let first = plan.try_create(tight, content.clone());
        let created = plan.try_create(loose, content);
        plan.check("looser", ASSERTS, created, NamedCheck::AcceptedIf.against(first));
    });
}
