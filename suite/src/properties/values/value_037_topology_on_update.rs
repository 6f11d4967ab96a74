//! VALUE-037: list types are checked whenever an object is written.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{LIST_MAP_KEYS, LIST_TYPE};
use crate::{
    properties::{Capability, Property, frame::Frame},
    scenario::{Cause, Definition, Edit, Expectation, Method, Plan, Scenario},
};

const ASSERTS: &[&str] = &["VALUE-037"];

pub(super) const PROPERTY: Property = Property {
    id: "value-037-topology-on-update",
    title: "a create, a PUT and a patch that bring a repeated element are refused alike, and change nothing",
    asserts: ASSERTS,
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::of_objects(choices);
    let is_set = choices.chance(1, 2);
    let node = if is_set {
        json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "integer" } })
    } else {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
            "type": "object", "required": ["k"], "properties": { "k": { "type": "integer" }, "v": { "type": "integer" } },
        } })
    };
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(frame.schema(node)));
    let stored: Vec<u64> = choices.many_average("stored", 1, 3, 1, |_, index| index as u64);
    let created = plan.create(definition, frame.content(list(is_set, &stored)));
    plan.check("stored", ASSERTS, created, Expectation::Content(frame.content(list(is_set, &stored))));
    choices.many("update", 1, 3, |choices, _| {
        let mut numbers = stored.clone();
        let at = usize::try_from(choices.draw(numbers.len() as u64)).unwrap_or(0);
        let number = choices.draw(stored.len() as u64);
        numbers.insert(at, number);
        let changed = list(is_set, &numbers);
        let written = match choices.draw(2) {
            0 => {
                let read = plan.get(created);
                plan.put_back(read, vec![Edit::Set(frame.pointer(), changed)])
            }
            1 => plan.patch(created, Method::MergePatch, frame.content(changed)),
            _ => {
                let patch = json!([{ "op": "replace", "path": frame.pointer(), "value": changed }]);
                plan.patch(created, Method::JsonPatch, patch)
            }
        };
        let second = (0..numbers.len()).find(|at| numbers[..*at].contains(&numbers[*at]));
        match second {
            Some(second) => {
                let cause = Cause::new(format!("{}[{second}]", frame.field()), "Duplicate");
                plan.check_causes("repeated", ASSERTS, written, vec![cause]);
            }
            // Back to what it was, so that no update judges another one's elements.
            None => {
                plan.check("distinct", ASSERTS, written, Expectation::Accepted);
                let back = plan.patch(created, Method::MergePatch, frame.content(list(is_set, &stored)));
                plan.check("back", ASSERTS, back, Expectation::Content(frame.content(list(is_set, &stored))));
            }
        }
        plan.count_case();
    });
    plan.finish()
}

fn list(is_set: bool, numbers: &[u64]) -> Value {
    let element = |(at, number): (usize, &u64)| if is_set { json!(number) } else { json!({ "k": number, "v": at }) };
    numbers.iter().enumerate().map(element).collect()
}
