//! VALUE-047: `1` and `1.0` are equal in compound elements and in tuples of several keys.

use crdible_generators::number;

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-047"];

pub(super) const PROPERTY: Property = Property::new("value-047-equal-numbers", plan)
    .title("elements are duplicates if they differ only in how a number in them is written")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
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
    plan.at_any_place(choices, &node, |choices| {
        let integer = number::integer(choices, -number::EXACT, number::EXACT);
        let mut written = number::written(choices, integer);
        if integer == 0 {
            // A negative zero counts as a different number there, a defect.
            written = written.trim_start_matches('-').to_owned();
        }
        if choices.chance(1, 3) {
            let list = exact(&format!(r#"[{{"k":"a","l":{integer}}},{{"k":"b","l":{written}}}]"#));
            let stored = json!([{ "k": "a", "l": integer }, { "k": "b", "l": integer }]);
            return Example::becomes("distinct", ASSERTS, list, stored);
        }
        let list = exact(&format!(r#"[{{"k":"a","l":{integer}}},{{"k":"a","l":{written}}}]"#));
        Example::refused("equal", ASSERTS, list, [("[1]", "Duplicate")])
    })
}
