//! CEL-030: a rule with `optionalOldSelf` is always evaluated, with an optional that is empty without an old value.

use super::transitions::{Transition, history};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-030"];

pub(super) const PROPERTY: Property = Property::new("cel-030-optional-old", plan)
    .title("a rule with optionalOldSelf is evaluated by each write, and its old value is empty for what is new")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules]);

const TRANSITIONS: [Transition; 7] = [
    Transition {
        rule: "oldSelf.hasValue() || self < 3",
        is_optional: true,
        holds: |old, new| Some(old.is_some() || new < 3),
    },
    Transition {
        rule: "!oldSelf.hasValue() || self < 3",
        is_optional: true,
        holds: |old, new| Some(old.is_none() || new < 3),
    },
    Transition {
        rule: "oldSelf.orValue(1) <= self",
        is_optional: true,
        holds: |old, new| Some(old.unwrap_or(1) <= new),
    },
    Transition {
        rule: "self == oldSelf.orValue(self)",
        is_optional: true,
        holds: |old, new| Some(old.is_none_or(|old| old == new)),
    },
    Transition {
        rule: "oldSelf.optMap(o, o != self).orValue(true)",
        is_optional: true,
        holds: |old, new| Some(old != Some(new)),
    },
    // Without an old value there is an error.
    Transition {
        rule: "self > 2 || oldSelf.value() < 3",
        is_optional: true,
        holds: |old, new| Some(new > 2 || old.is_some_and(|old| old < 3)),
    },
    Transition { rule: "self >= oldSelf", is_optional: false, holds: |old, new| old.map(|old| new >= old) },
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    history(plan, choices, &TRANSITIONS, ASSERTS);
}
