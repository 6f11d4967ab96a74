//! VALUE-047, where kube-apiserver 1.36 breaks it: numbers as elements of a set, and as the only key of a map list.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{JUDGING, LIST_MAP_KEYS, LIST_TYPE, Sample, exact, samples};
use crate::{properties::Property, scenario::Scenario};

const ASSERTS: &[&str] = &["VALUE-047"];

pub(super) const PROPERTY: Property = Property {
    id: "value-047-defect-numbers",
    title: "`1` and `1.0` are one element of a set, and one key of a map list",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let is_set = choices.chance(1, 2);
    let kind = *choices.pick(&["integer", "number"]);
    let node = if is_set {
        json!({ "type": "array", LIST_TYPE: "set", "items": { "type": kind } })
    } else {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
            "type": "object", "required": ["k"], "properties": { "k": { "type": kind } },
        } })
    };
    samples(choices, &node, |choices| {
        let number = choices.between(0, 9);
        let text =
            if is_set { format!("[{number},{number}.0]") } else { format!(r#"[{{"k":{number}}},{{"k":{number}.0}}]"#) };
        Sample::refused("equal", ASSERTS, exact(&text), [("[1]", "Duplicate")])
    })
}
