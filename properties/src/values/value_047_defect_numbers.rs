//! VALUE-047, where kube-apiserver violates it: numbers as elements of a set, and as the only key of a map list;
//! also negative zeros in compound elements and in tuples of several keys.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-047"];

pub(super) const PROPERTY: Property = Property::new("value-047-defect-numbers", plan)
    .title("1 and 1.0 are duplicates as elements of a set, and as the key of a map list")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 4) {
        return zeros(plan, choices);
    }
    let is_set = choices.chance(1, 2);
    let kind = *choices.pick(&["integer", "number"]);
    let node = if is_set {
        json!({ "type": "array", LIST_TYPE: "set", "items": { "type": kind } })
    } else {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
            "type": "object", "required": ["k"], "properties": { "k": { "type": kind } },
        } })
    };
    plan.at_any_place(choices, &node, |choices| {
        let number = choices.between(0, 9);
        let text =
            if is_set { format!("[{number},{number}.0]") } else { format!(r#"[{{"k":{number}}},{{"k":{number}.0}}]"#) };
        Example::refused("equal", ASSERTS, exact(&text), [("[1]", "Duplicate")])
    })
}

/// Elements of two fields, one of which is a zero with or without a sign.
fn zeros(plan: &mut Plan, choices: &mut Choices) {
    let kind = *choices.pick(&["integer", "number"]);
    let mut items = json!({
        "type": "object", "required": ["k", "l"],
        "properties": { "k": { "type": "string" }, "l": { "type": kind } },
    });
    let node = if choices.chance(1, 2) {
        items[MAP_TYPE] = json!("atomic");
        json!({ "type": "array", LIST_TYPE: "set", "items": items })
    } else {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k", "l"], "items": items })
    };
    plan.at_any_place(choices, &node, |choices| {
        let (plain, signed) = (*choices.pick(&["0", "0.0"]), *choices.pick(&["-0.0", "-0e1"]));
        let list = exact(&format!(r#"[{{"k":"a","l":{plain}}},{{"k":"a","l":{signed}}}]"#));
        Example::refused("equal-zeros", ASSERTS, list, [("[1]", "Duplicate")])
    })
}
