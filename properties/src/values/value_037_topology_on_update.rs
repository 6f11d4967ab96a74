//! VALUE-037: list types are enforced on every write.

use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-037"];

pub(super) const PROPERTY: Property = Property::new("value-037-topology-on-update", plan)
    .title("a create, a PUT or a patch that adds a duplicate element is rejected and changes nothing")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::PATCHED);
    let is_set = choices.chance(1, 2);
    let node = if is_set {
        json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "integer" } })
    } else {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
            "type": "object", "required": ["k"], "properties": { "k": { "type": "integer" }, "v": { "type": "integer" } },
        } })
    };
    let definition = plan.define_schema(place.schema(node));
    let stored: Vec<u64> = choices.many_average("stored", 1, 3, 1, |_, index| index as u64);
    let created = plan.create(definition, place.content(list(is_set, &stored)));
    plan.check("stored", ASSERTS, created, Expectation::Content(place.content(list(is_set, &stored))));
    plan.cases(choices, "update", |plan, choices| {
        let mut numbers = stored.clone();
        let at = choices.up_to(numbers.len());
        let number = choices.draw(stored.len() as u64);
        numbers.insert(at, number);
        let changed = list(is_set, &numbers);
        let written = match choices.draw(2) {
            0 => {
                let read = plan.get(created);
                plan.put_back(read, vec![Edit::Set(place.pointer(), changed)])
            }
            1 => plan.patch(created, Method::MergePatch, place.content(changed)),
            _ => {
                let patch = json!([{ "op": "replace", "path": place.pointer(), "value": changed }]);
                plan.patch(created, Method::JsonPatch, patch)
            }
        };
        let second = (0..numbers.len()).find(|at| numbers[..*at].contains(&numbers[*at]));
        match second {
            Some(second) => {
                let causes = place.causes([(format!("[{second}]"), "Duplicate")]);
                plan.check_causes("repeated", ASSERTS, written, causes);
            }
            // Restores the stored elements, so that updates do not affect each other.
            None => {
                plan.check("distinct", ASSERTS, written, Expectation::Accepted);
                let back = plan.patch(created, Method::MergePatch, place.content(list(is_set, &stored)));
                plan.check("back", ASSERTS, back, Expectation::Content(place.content(list(is_set, &stored))));
            }
        }
    });
}

fn list(is_set: bool, numbers: &[u64]) -> Value {
    let element = |(at, number): (usize, &u64)| if is_set { json!(number) } else { json!({ "k": number, "v": at }) };
    numbers.iter().enumerate().map(element).collect()
}
