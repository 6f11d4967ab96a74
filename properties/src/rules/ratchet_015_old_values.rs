//! RATCHET-015: a rule that looks at old values is never forgiven.

use super::{
    forgiveness::Verdict,
    shared::{forbidding, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["RATCHET-015"];

pub(super) const PROPERTY: Property = Property::new("ratchet-015-old-values", plan)
    .title("a rule with oldSelf is never forgiven, not even by an update that changes nothing")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules]);

/// A rule of a number that is added later: whether it looks at old values, and whether it holds for the old and the new
/// one.
struct Added {
    rule: &'static str,
    is_optional: bool,
    uses_old: bool,
    holds: fn(i64, i64) -> bool,
}

const ADDED: [Added; 7] = [
    Added { rule: "self < 5", is_optional: false, uses_old: false, holds: |_, new| new < 5 },
    Added { rule: "self != 6", is_optional: false, uses_old: false, holds: |_, new| new != 6 },
    Added { rule: "self < 5 || oldSelf < 0", is_optional: false, uses_old: true, holds: |_, new| new < 5 },
    Added { rule: "self != oldSelf", is_optional: false, uses_old: true, holds: |old, new| new != old },
    Added { rule: "self > oldSelf", is_optional: false, uses_old: true, holds: |old, new| new > old },
    Added { rule: "oldSelf.orValue(0) < 0 || self < 5", is_optional: true, uses_old: true, holds: |_, new| new < 5 },
    Added { rule: "!oldSelf.hasValue()", is_optional: true, uses_old: true, holds: |_, _| false },
];

/// Where the number is: a member of something that correlates.
const CONTAINERS: [&[Container]; 4] =
    [&[], &[Container::Object], &[Container::Map], &[Container::Object, Container::Map]];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (containers, added) = choices.span("node", |choices| {
        (*choices.pick(&CONTAINERS), choices.many("rule", 1, 4, |choices, _| choices.pick(&ADDED)))
    });
    let place = containers.iter().fold(Place::spec().property("p"), |place, container| place.child(*container));
    let number = json!({ "type": "integer" });
    let message = |index: usize| format!("rule {index} is broken");
    let entry = |(index, added): (usize, &&Added)| {
        let mut entry = forbidding(added.rule, &message(index));
        if added.is_optional {
            entry["optionalOldSelf"] = json!(true);
        }
        entry
    };
    let ruled = with_rules(number.clone(), added.iter().enumerate().map(entry));
    let definition = plan.define_schema(place.schema(number));
    let stored = choices.many_parts("object", 1, 3, |choices, _| {
        let old = choices.between(3, 7);
        let news = choices.many_parts("update", 1, 3, |choices, _| {
            let new = if choices.chance(1, 2) { old } else { choices.between(3, 7) };
            (new, choices.chance(1, 2))
        });
        (plan.create(definition, place.content(json!(old))), old, news)
    });
    plan.install_schema(definition, place.schema(ruled));
    let field = place.field();
    for (created, old, news) in stored {
        for (new, has_label) in news {
            let mut verdict = Verdict::default();
            for (index, added) in added.iter().enumerate() {
                if !(added.holds)(old, new) {
                    verdict.add(field.clone(), &message(index), !added.uses_old && old == new);
                }
            }
            let mut edits = vec![Edit::Set(place.pointer(), json!(new))];
            if has_label {
                edits.push(Edit::Set("/metadata/labels".to_owned(), json!({ "l": "x" })));
            }
            let put = plan.try_put_back(created, edits);
            verdict.check(plan, "never-forgiven", ASSERTS, put, place.content(json!(new)));
        }
    }
}
