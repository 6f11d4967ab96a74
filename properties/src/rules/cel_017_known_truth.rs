//! CEL-017: what is absent is an error, which logic may absorb; and what rules are for values, which is known as they
//! are drawn.

use std::collections::BTreeSet;

use crdible_generators::predicate::{Predicate, Printed, Subject};

use super::shared::{JUDGING, SINGLE, Table, known, rule, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-017", "CEL-017/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-017-known-truth", plan)
    .title("each rule that is false or fails for an object gives one cause, and no other does")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

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

fn edge(plan: &mut Plan) {
    let list = json!({ "type": "array", "maxItems": 5, "items": { "type": "integer" } });
    // What is false or fails refuses; negated, only what fails.
    let rules = [
        known("self.all(x, 10 / x > 0)", json!([[1, 2], []]), json!([[1, 0], [0, -1]])),
        known("!self.all(x, 10 / x > 0)", json!([[0, -1], [-1, 0]]), json!([[1, 2], [1, 0]])),
        known("self.exists(x, 10 / x > 0)", json!([[0, 1], [1, 0]]), json!([[], [0, -1], [-1]])),
        known("!self.exists(x, 10 / x > 0)", json!([[], [-1]]), json!([[0, -1], [1, 0]])),
        known("self.exists_one(x, 10 / x > 0)", json!([[1, -1]]), json!([[1, 0], [1, 2], []])),
        known("!self.exists_one(x, 10 / x > 0)", json!([[1, 2], []]), json!([[1, 0], [1, -1]])),
        known("self[0] == 1 || self[1] == 1", json!([[1], [2, 1]]), json!([[2], [2, 2], []])),
        known("self[1] == 1 || self[0] == 1", json!([[1], [2, 1]]), json!([[2], [2, 2], []])),
        known("!(self[0] == 1 && self[1] == 1)", json!([[2], [1, 2]]), json!([[1], [1, 1], []])),
        known("!(self[1] == 1 && self[0] == 1)", json!([[2], [1, 2]]), json!([[1], [1, 1], []])),
        known("self[?1].orValue(5) == 5", json!([[1], [1, 5], []]), json!([[5, 1]])),
        known("self.size() == 0 ? true : self[0] == 1", json!([[], [1]]), json!([[2]])),
    ];
    Table::new(list, rules).try_all(plan, ASSERTS);
}
