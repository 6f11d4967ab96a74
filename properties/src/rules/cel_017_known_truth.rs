//! CEL-017: what is absent is an error, which logic may absorb; and what rules are for values, which is known as they
//! are drawn.

use std::collections::BTreeSet;

use crdible_generators::predicate::{Predicate, Printed, Subject};

use super::shared::{JUDGING, SINGLE, rule, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-017", "CEL-017/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-017-known-truth", plan)
    .title("each rule that is false or fails for an object gives one cause, and no other does")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// How deep rules are at most.
const DEPTH: usize = 3;
/// Of how many objects the same rules are judged: other rules show more than other objects.
const OBJECTS: usize = 4;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let subject = choices.span("node", |choices| choices.keyed("aim", Subject::draw));
    let rules: Vec<(Predicate, Printed)> = choices.many_parts("rule", 1, 8, |choices, _| {
        let predicate = Predicate::aimed(choices, &subject, DEPTH);
        let printed = predicate.print(choices);
        (predicate, printed)
    });
    let fields: BTreeSet<&str> = rules.iter().flat_map(|(_, printed)| &printed.fields).copied().collect();
    let node = with_rules(Subject::schema(&fields), rules.iter().map(|(_, printed)| rule(&printed.text)));
    let place = choices.span("node", |choices| Place::draw(choices, &SINGLE));
    let definition = plan.define_schema(place.schema(node));
    let mut aimed = Some(subject);
    choices.cases_up_to("value", OBJECTS, |choices, _| {
        let subject = aimed.take().unwrap_or_else(|| Subject::draw(choices));
        let broken = rules.iter().filter(|(predicate, _)| predicate.truth(&subject) != Ok(true));
        let causes: Vec<_> = broken.map(|_| ("", Reason::Invalid.name())).collect();
        Example::judged("truth", ASSERTS, subject.value(&fields), causes).create(plan, definition, &place);
    });
}
