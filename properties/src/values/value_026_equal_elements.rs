//! VALUE-026, VALUE-036: elements may be equal unless the list type forbids it, and map types do not affect validation.

use super::shared::JUDGING;
use crate::prelude::*;

const EQUAL: &[&str] = &["VALUE-026"];
const MAP_TYPES: &[&str] = &["VALUE-036"];

pub(super) const PROPERTY: Property = Property::new("value-026-equal-elements", plan)
    .title("equal elements are accepted in lists that are neither sets nor map lists")
    .asserts(&["VALUE-026", "VALUE-036"])
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (list, map) = choices.span("node", |choices| {
        let lists = [None, Some((LIST_TYPE, json!("atomic"))), Some(("uniqueItems", json!(false)))];
        let list = choices.pick(&lists).clone();
        (list, *choices.pick(&[None, Some("atomic"), Some("granular")]))
    });
    let mut object = json!({
        "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "string" } }, "required": ["a"],
    });
    if let Some(map) = map {
        object[MAP_TYPE] = json!(map);
    }
    let mut node = json!({ "type": "array", "items": object });
    if let Some((keyword, value)) = list {
        node[keyword] = value;
    }
    plan.at_any_place(choices, &node, |choices| {
        let mut causes = Vec::new();
        let elements = choices.many("element", 0, 4, |choices, index| {
            let mut element = Map::new();
            match choices.weighted(&[5, 1, 1]) {
                0 => drop(element.insert("a".to_owned(), json!(1))),
                1 => {
                    element.insert("a".to_owned(), json!("x"));
                    causes.push((format!("[{index}].a"), "TypeInvalid"));
                }
                _ => causes.push((format!("[{index}].a"), "Required")),
            }
            if choices.chance(1, 3) {
                element.insert("b".to_owned(), json!("x"));
            }
            Value::Object(element)
        });
        let asserts = if map.is_some() { MAP_TYPES } else { EQUAL };
        Example::judged("elements", asserts, Value::Array(elements), causes)
    })
}
