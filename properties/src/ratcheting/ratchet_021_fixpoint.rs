//! RATCHET-021: each update is compared with the result of the previous one; an invalid value cannot come back.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::replaced;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-021-fixpoint", plan)
    .title("each update is forgiven only what the last accepted update left invalid")
    .asserts(&["RATCHET-001", "RATCHET-021", "INV-081"])
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = TightenedShape { lists: 0, own_rules: false, max_depth: 1, ..TightenedShape::default() };
    let tightened = TightenedSchema::draw(choices, &shape);
    let definition = plan.define_schema(tightened.loose());
    let first = tightened.object(choices);
    let mut at = plan.create(definition, first.clone());
    plan.install_schema(definition, tightened.tight());
    let mut accepted: Vec<Value> = vec![first];
    choices.case_parts("update", |choices, _| {
        let Some(current) = accepted.last().cloned() else { return };
        // One in three returns to the previous content.
        let goes_back = accepted.len() > 1 && choices.chance(1, 3);
        let new = if goes_back { accepted[accepted.len() - 2].clone() } else { tightened.edited(choices, &current) };
        let causes = tightened.causes(&new, Some(&current));
        let is_accepted = causes.is_empty();
        let put = plan.put_back(at, vec![replaced(&new)]);
        let (name, asserts): (&str, &[&str]) = if goes_back {
            ("back", &["RATCHET-021", "INV-081"])
        } else {
            ("onwards", &["RATCHET-001", "RATCHET-021"])
        };
        plan.check(name, asserts, put, content_or(new.clone(), causes));
        plan.count_case();
        if is_accepted {
            at = put;
            accepted.push(new);
        }
    });
}
