//! VALUE-023, VALUE-025: every value of a map and every element of a list is validated, at its own path.

use super::shared::{JUDGING, Refused, Verdict, fields};
use crate::prelude::*;

const MAPS: &[&str] = &["VALUE-023"];
const LISTS: &[&str] = &["VALUE-025"];

pub(super) const PROPERTY: Property = Property::new("value-023-containers", plan)
    .title("each value of a map and each element of a list is validated by its schema, at its own path")
    .asserts(&["VALUE-023", "VALUE-025"])
    .needs(JUDGING)
    .edges(&[Edge { name: "nothing-to-check", plan: nothing_to_check }]);

const KEYS: [&str; 9] = ["a", "b", "properties", "items", "metadata", "apiVersion", "$ref", "__proto__", "0"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 5) {
        return open(plan, choices);
    }
    let (is_map, is_nested) = choices.span("node", |choices| (choices.chance(1, 2), choices.chance(1, 3)));
    let around = |inner: Value| {
        if is_map {
            json!({ "type": "object", "additionalProperties": inner })
        } else {
            json!({ "type": "array", "items": inner })
        }
    };
    let mut node = around(json!({ "type": "string", "maxLength": 1 }));
    if is_nested {
        node = around(node);
    }
    plan.at_any_place(choices, &node, |choices| {
        let mut causes = Vec::new();
        let value = contents(choices, is_map, is_nested, "", &mut causes);
        Example::judged(if is_map { "map" } else { "list" }, if is_map { MAPS } else { LISTS }, value, causes)
    })
}

/// Any key with any scalar; what is kept of objects and lists there is a quirk (PRUNE-005).
fn open(plan: &mut Plan, choices: &mut Choices) {
    let node = |(): &()| json!({ "type": "object", "additionalProperties": true });
    fields(
        plan,
        choices,
        Refused::One,
        MAPS,
        |_| (),
        node,
        |choices, (), around| match choices.weighted(&[4, 1, 1]) {
            0 => {
                let mut object = Map::new();
                choices.many("entry", 0, 4, |choices, _| {
                    let value = choices.pick(&[json!("x"), json!(1), json!(true), json!("")]).clone();
                    object.insert((*choices.pick(&KEYS)).to_owned(), value);
                });
                Verdict::judged(Value::Object(object), Vec::<Cause>::new())
            }
            1 => Verdict::null(around, false),
            _ => Verdict::other_kind(choices.pick(&[json!("x"), json!([]), json!(0)]).clone()),
        },
    )
}

/// A map or a list, and the causes of its content.
fn contents(choices: &mut Choices, is_map: bool, is_nested: bool, path: &str, causes: &mut Vec<Cause>) -> Value {
    let (mut map, mut list) = (Map::new(), Vec::new());
    choices.many("entry", 0, 4, |choices, _| {
        let key = *choices.pick(&KEYS);
        if is_map && map.contains_key(key) {
            return;
        }
        let path = if is_map { format!("{path}.{key}") } else { format!("{path}[{}]", list.len()) };
        let value = if is_nested {
            contents(choices, is_map, false, &path, causes)
        } else {
            let (value, reason) = choices
                .pick(&[
                    (json!("a"), None),
                    (json!("ab"), Some(Reason::TooLong)),
                    (json!(1), Some(Reason::TypeInvalid)),
                    (json!(""), None),
                ])
                .clone();
            causes.extend(reason.map(|reason| Cause::new(path, reason)));
            value
        };
        if is_map {
            map.insert(key.to_owned(), value);
        } else {
            list.push(value);
        }
    });
    if is_map { Value::Object(map) } else { Value::Array(list) }
}

fn nothing_to_check(plan: &mut Plan) {
    let values = || vec![json!({}), json!({ "a": 1 }), json!({ "a": "x", "b": [1, "y"], "c": true })];
    let kept = || values().into_iter().map(|value| Example::kept("anything", MAPS, value));
    plan.in_one_schema(vec![
        Row::new(json!({ "type": "object", PRESERVE: true })).with(kept()),
        Row::new(json!({ "type": "object", "additionalProperties": true }))
            .with(values().into_iter().map(|value| Example::accepted("anything", MAPS, value))),
    ])
}
