//! CEL-001: which rules compile is known from the types of their operands, as they are drawn.

use std::collections::BTreeSet;

use crdible_generators::typing::{self, Rule};
use crdible_semantics::release::Change;

use super::shared::{CHECKING, SINGLE, of_rule, rule, spelled, with_rules};
use crate::prelude::*;
use crate::shared::{PIECES, accepted_or};

pub(super) const PROPERTY: Property = Property::new("cel-001-known-types", plan)
    .title("each rule with an operand of a wrong type, or an unknown name, is reported, and no other is")
    .asserts(&[
        "CEL-001",
        "CEL-011",
        "CEL-012/e2",
        "CEL-016/e1",
        "CEL-020",
        "CEL-022",
        "CEL-023",
        "CEL-023/e1",
        "CEL-025",
        "CEL-025/e1",
    ])
    .needs(CHECKING);

/// What may be a number or a text.
const UNION: &str = "p";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let has_unions = choices.release().has(Change::BoundedIntOrStrings);
    choices.many("piece", 1, PIECES, |choices, _| {
        let mut rules: Vec<(Rule, String)> = choices.case_parts("rule", |choices, _| {
            let drawn = Rule::draw(choices);
            let text = spelled(choices, &drawn.text);
            (drawn, text)
        });
        // Without a bound, a rule over one may cost too much.
        rules.retain(|(rule, _)| has_unions || !rule.fields.contains(UNION));
        // What is wrong is so for one requirement, which is the one to blame.
        let wrong = rules.iter().map(|(rule, _)| rule).filter(|rule| !rule.is_right).map(|rule| rule.requirement);
        let reasons: Vec<&str> = wrong.collect::<BTreeSet<_>>().into_iter().collect();
        let reason = if reasons.is_empty() { "CEL-001" } else { *choices.pick(&reasons) };
        rules.retain(|(rule, _)| rule.is_right || rule.requirement == reason);
        let fields: BTreeSet<&str> = rules.iter().flat_map(|(rule, _)| &rule.fields).copied().collect();
        let node = with_rules(typing::schema(&fields), rules.iter().map(|(_, text)| rule(text)));
        let wrong = rules.iter().enumerate().filter(|(_, (rule, _))| !rule.is_right);
        let causes = wrong.map(|(index, _)| of_rule(index, "rule", Reason::Invalid));
        let asserts = BTreeSet::from(["CEL-001", reason]);
        let place = Place::draw(choices, &SINGLE);
        let defined = plan.try_define(place.schema(node));
        plan.check("types", &Vec::from_iter(asserts), defined, accepted_or(place.schema_causes(causes)));
        plan.count_case();
    });
}
