//! DEFAULT-009: prune, drop nulls, fill in defaults, then validate.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-009-order", plan)
    .title("validation sees the object after pruning, dropping nulls and defaulting")
    .asserts(&["DEFAULT-009", "DEFAULT-009/e1", "INV-014/e1"])
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[Edge { name: "defaults-are-not-completed", plan: defaults_are_not_completed }]);

const KEYS: [&str; 3] = ["a", "b", "c"];

/// Required properties with defaults and optional ones without, with an exact number of keys.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let sample = Sample::draw(choices, "value");
    let default = sample.value(choices, "default");
    let optional = json!({ "type": "string" });
    let defaulted = with_default(&sample.json(), &default);
    let mut node = object_of(json!({ "a": defaulted, "b": defaulted, "c": defaulted, "d": optional, "e": optional }));
    node["required"] = json!(KEYS);
    let count = 3 + choices.draw(2);
    node["minProperties"] = json!(count);
    node["maxProperties"] = json!(count);
    let definition = plan.define_schema(place.schema(node));
    choices.cases("object", |choices, number| {
        let (mut body, mut expected) = (Map::new(), Map::new());
        for key in KEYS {
            let (given, comes_out) = match choices.weighted(&[2, 1, 1]) {
                0 => (None, default.clone()),
                1 => (Some(Value::Null), default.clone()),
                _ => {
                    let value = sample.value(choices, &format!("{key} {number}"));
                    (Some(value.clone()), value)
                }
            };
            body.extend(given.map(|value| (key.to_owned(), value)));
            expected.insert(key.to_owned(), comes_out);
        }
        for key in ["d", "e"] {
            match choices.weighted(&[2, 1, 1]) {
                0 => {}
                1 => drop(body.insert(key.to_owned(), Value::Null)),
                _ => {
                    body.insert(key.to_owned(), json!(""));
                    expected.insert(key.to_owned(), json!(""));
                }
            }
        }
        if choices.chance(1, 2) {
            body.insert("unknown".to_owned(), json!(1));
        }
        let found = expected.len() as u64;
        let created = plan.try_create(definition, place.content(Value::Object(body)));
        let expectation = match found.cmp(&count) {
            std::cmp::Ordering::Equal => Expectation::Content(place.content(Value::Object(expected))),
            std::cmp::Ordering::Less => Expectation::Causes(place.causes([("", "Invalid")])),
            std::cmp::Ordering::Greater => Expectation::Causes(place.causes([("", "TooMany")])),
        };
        plan.check("counted-last", &["DEFAULT-009"], created, expectation);
        plan.count_case();
    });
}

fn defaults_are_not_completed(plan: &mut Plan) {
    let inner =
        json!({ "type": "object", "required": ["x"], "properties": { "x": { "type": "integer", "default": 1 } } });
    let refused = plan.try_define(root_of(with_default(&inner, &json!({}))));
    let causes = Place::spec().schema_causes([(".default.x", "Required")]);
    plan.check_causes("default-lacks-required", &["DEFAULT-009/e1", "INV-014/e1"], refused, causes);
    let accepted = plan.try_define(root_of(with_default(&inner, &json!({ "x": 2 }))));
    plan.check("default-has-required", &["DEFAULT-009/e1"], accepted, Expectation::Accepted);
}
