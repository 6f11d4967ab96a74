//! CEL-029 and INV-085: a rule with `oldSelf` is evaluated if and only if there is an old value.

use super::{
    shared::{ruled, with_rules},
    transitions::{Transition, history},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-029"];
const LAW: &[&str] = &["CEL-029", "INV-085"];

pub(super) const PROPERTY: Property = Property::new("cel-029-transitions", plan)
    .title("a rule with oldSelf is evaluated by each update, for each value that was there before")
    .asserts(LAW)
    .needs(&[Capability::Storing, Capability::Rules])
    .edges(&[Edge { name: "equal-or-new", plan: equal_or_new }]);

const TRANSITIONS: [Transition; 6] = [
    Transition { rule: "self == oldSelf", is_optional: false, holds: |old, new| old.map(|old| new == old) },
    Transition { rule: "self != oldSelf", is_optional: false, holds: |old, new| old.map(|old| new != old) },
    Transition { rule: "self >= oldSelf", is_optional: false, holds: |old, new| old.map(|old| new >= old) },
    Transition { rule: "oldSelf >= self", is_optional: false, holds: |old, new| old.map(|old| old >= new) },
    Transition {
        rule: "oldSelf == 0 || self > 1",
        is_optional: false,
        holds: |old, new| old.map(|old| old == 0 || new > 1),
    },
    Transition { rule: "self > 0", is_optional: false, holds: |_, new| Some(new > 0) },
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    history(plan, choices, &TRANSITIONS, ASSERTS);
}

/// The law of INV-085: an object that never changes, and one that never is updated.
fn equal_or_new(plan: &mut Plan) {
    let set =
        json!({ "type": "array", "maxItems": 5, LIST_TYPE: "set", "items": { "type": "string", "maxLength": 5 } });
    let rows = [
        (json!({ "type": "integer" }), json!(1), json!(1), json!(2)),
        (json!({ "type": "string", "maxLength": 5 }), json!("a"), json!("a"), json!("b")),
        (set, json!(["a", "b"]), json!(["b", "a"]), json!(["a", "c"])),
        (object_of(json!({ "q": { "type": "boolean" } })), json!({}), json!({}), json!({ "q": false })),
        (json!({ "type": "string", "format": "duration" }), json!("60s"), json!("1m"), json!("61s")),
    ];
    let place = Place::spec().property("p");
    for (node, old, same, other) in rows {
        let plain = plan.define_schema(place.schema(ruled(node.clone(), "self == oldSelf")));
        let created = plan.create(plain, place.content(&old));
        plan.check("created", LAW, created, Expectation::Content(place.content(&old)));
        for (name, value, is_right) in [("again", &old, true), ("same", &same, true), ("other", &other, false)] {
            let put = plan.try_put_back(created, vec![Edit::Set(place.pointer(), value.clone())]);
            let causes = if is_right { vec![] } else { place.causes([("", "Invalid")]) };
            plan.check(name, LAW, put, content_or(place.content(value), causes));
        }
        let entry = json!({ "rule": "!oldSelf.hasValue()", "optionalOldSelf": true });
        let variant = plan.define_schema(place.schema(with_rules(node, [entry])));
        let created = plan.create(variant, place.content(&old));
        plan.check("created", LAW, created, Expectation::Content(place.content(&old)));
        for value in [&old, &same, &other] {
            let put = plan.try_put_back(created, vec![Edit::Set(place.pointer(), value.clone())]);
            plan.check_causes("updated", LAW, put, place.causes([("", "Invalid")]));
        }
        plan.count_case();
    }
}
