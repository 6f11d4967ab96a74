//! VALUE-047: `1` and `1.0` are equal inside compound elements and in key tuples of several keys.

use crdible_generators::{choice::Choices, number};
use serde_json::json;

use super::shared::{JUDGING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Sample, exact, samples};
use crate::{properties::Property, scenario::Scenario};

const ASSERTS: &[&str] = &["VALUE-047"];

pub(super) const PROPERTY: Property = Property {
    id: "value-047-equal-numbers",
    title: "elements that differ only in how a number within is written are equal",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let is_set = choices.chance(1, 2);
    let mut items = json!({
        "type": "object", "required": ["k", "l"],
        "properties": { "k": { "type": "string" }, "l": { "type": "integer" } },
    });
    let node = if is_set {
        items[MAP_TYPE] = json!("atomic");
        json!({ "type": "array", LIST_TYPE: "set", "items": items })
    } else {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k", "l"], "items": items })
    };
    samples(choices, &node, |choices| {
        let integer = number::integer(choices, -number::EXACT, number::EXACT);
        let mut written = number::written(choices, integer);
        if integer == 0 {
            // A negative zero is another number there, a defect.
            written = written.trim_start_matches('-').to_owned();
        }
        if choices.chance(1, 3) {
            let list = exact(&format!(r#"[{{"k":"a","l":{integer}}},{{"k":"b","l":{written}}}]"#));
            let stored = json!([{ "k": "a", "l": integer }, { "k": "b", "l": integer }]);
            return Sample::becomes("distinct", ASSERTS, list, stored);
        }
        let list = exact(&format!(r#"[{{"k":"a","l":{integer}}},{{"k":"a","l":{written}}}]"#));
        Sample::refused("equal", ASSERTS, list, [("[1]", "Duplicate")])
    })
}
