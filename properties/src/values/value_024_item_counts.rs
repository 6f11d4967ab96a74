//! VALUE-024: the number of elements.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-024"];

pub(super) const PROPERTY: Property = Property::new("value-024-item-counts", plan)
    .title("minItems and maxItems count all elements, including nulls and duplicates")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (least, most) = choices.span("node", |choices| {
        let mut bound = || choices.chance(2, 3).then(|| choices.up_to(4));
        (bound(), bound())
    });
    let mut node = Map::from_iter([
        ("type".to_owned(), json!("array")),
        ("items".to_owned(), json!({ "type": "string", "nullable": true })),
    ]);
    node.extend(least.map(|least| ("minItems".to_owned(), json!(least))));
    node.extend(most.map(|most| ("maxItems".to_owned(), json!(most))));
    plan.at_any_place(choices, &Value::Object(node), |choices| {
        let elements =
            choices.many("element", 0, 6, |choices, _| choices.pick(&[json!("a"), json!("b"), Value::Null]).clone());
        let count = elements.len();
        let mut causes = Vec::new();
        causes.extend(least.filter(|least| count < *least).map(|_| ("", "Invalid")));
        causes.extend(most.filter(|most| count > *most).map(|_| ("", "TooMany")));
        Example::judged("count", ASSERTS, Value::Array(elements), causes)
    })
}
