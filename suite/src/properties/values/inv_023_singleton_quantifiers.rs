//! INV-023..025: laws of quantifiers, whatever their branches say.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{JUDGING, Keywords, PRESERVE, VALUES};
use crate::{
    properties::{Property, frame::Frame},
    scenario::{Definition, Expectation, Plan, Scenario},
};

const SINGLETON: &[&str] = &["INV-023", "VALUE-027", "VALUE-028", "VALUE-029"];
const DOUBLE: &[&str] = &["INV-024", "VALUE-030"];
const DE_MORGAN: &[&str] = &["INV-025", "VALUE-027", "VALUE-028", "VALUE-030"];

pub(super) const PROPERTY: Property = Property {
    id: "inv-023-singleton-quantifiers",
    title: "a node and the same in a single branch, doubly negated, or turned by De Morgan's law accept the same values",
    asserts: &["INV-023", "INV-024", "INV-025", "VALUE-027", "VALUE-028", "VALUE-029", "VALUE-030"],
    needs: JUDGING,
    edges: &[],
    plan,
};

/// A law: the first schema accepts what each of the others accepts.
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

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let law = choices.span("node", Law::draw);
    let mut plan = Plan::new();
    let define = |plan: &mut Plan, schema: &Value| {
        let mut node = schema.clone();
        node[PRESERVE] = json!(true);
        plan.define(Definition::of_schema(frame.schema(node)))
    };
    let plain = define(&mut plan, &law.plain);
    let others: Vec<usize> = law.others.iter().map(|other| define(&mut plan, other)).collect();
    choices.many("value", 1, VALUES, |choices, _| {
        let content = frame.content(Keywords::value(choices));
        let first = plan.try_create(plain, content.clone());
        for other in &others {
            let created = plan.try_create(*other, content.clone());
            plan.check(law.name, law.asserts, created, Expectation::SameAcceptance { r#as: first });
        }
        plan.count_case();
    });
    plan.finish()
}
