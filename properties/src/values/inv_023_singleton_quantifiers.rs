//! INV-023..025: laws of quantifiers that hold for any branches.

use super::shared::{JUDGING, Keywords};
use crate::prelude::*;

const SINGLETON: &[&str] = &["INV-023", "VALUE-027", "VALUE-028", "VALUE-029"];
const DOUBLE: &[&str] = &["INV-024", "VALUE-030"];
const DE_MORGAN: &[&str] = &["INV-025", "VALUE-027", "VALUE-028", "VALUE-030"];

pub(super) const PROPERTY: Property = Property::new("inv-023-singleton-quantifiers", plan)
    .title("single branches, double negation and De Morgan's law change no verdict")
    .asserts(&["INV-023", "INV-024", "INV-025", "VALUE-027", "VALUE-028", "VALUE-029", "VALUE-030"])
    .needs(JUDGING);

/// A law: the first schema accepts exactly the same values as each of the others.
struct Law {
    name: &'static str,
    asserts: &'static [&'static str],
    plain: Value,
    others: Vec<Value>,
}

impl Law {
    fn draw(choices: &mut Choices) -> Self {
        let v = Keywords::draw(choices).schema();
        match choices.draw(2) {
            0 => Self {
                name: "singleton",
                asserts: SINGLETON,
                plain: v.clone(),
                others: vec![json!({ "allOf": [v] }), json!({ "anyOf": [v] }), json!({ "oneOf": [v] })],
            },
            1 => Self {
                name: "double-negation",
                asserts: DOUBLE,
                plain: v.clone(),
                others: vec![json!({ "not": { "not": v } })],
            },
            _ => {
                let other = choices.keyed("other", Keywords::draw).schema();
                Self {
                    name: "de-morgan",
                    asserts: DE_MORGAN,
                    plain: json!({ "not": { "anyOf": [v, other] } }),
                    others: vec![json!({ "allOf": [{ "not": v }, { "not": other }] })],
                }
            }
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let law = choices.span("node", Law::draw);
    let define = |plan: &mut Plan, schema: &Value| {
        plan.define_schema(place.schema(extended(schema.clone(), &json!({ PRESERVE: true }))))
    };
    let plain = define(plan, &law.plain);
    let others: Vec<usize> = law.others.iter().map(|other| define(plan, other)).collect();
    plan.cases(choices, "value", |plan, choices| {
        let content = place.content(Keywords::value(choices));
        let first = plan.try_create(plain, content.clone());
        for other in &others {
            let created = plan.try_create(*other, content.clone());
            plan.check(law.name, law.asserts, created, Expectation::same_acceptance(first));
        }
    });
}
