//! CEL-038 to CEL-040: rules whose cost is known, as they are drawn, to be far from all limits.

use std::collections::BTreeSet;

use crdible_generators::costly::Costly;

use super::shared::{CHECKING, of_rule};
use crate::prelude::*;
use crate::shared::{PIECES, accepted_or};

pub(super) const PROPERTY: Property = Property::new("cel-038-known-costs", plan)
    .title("rules that cost a tenth of the limit are accepted; each of ten times the limit of all is refused")
    .asserts(&["CEL-038", "CEL-038/e1", "CEL-039", "CEL-040"])
    .needs(CHECKING);

/// Of this number of rules each is among the most expensive, which are named (CEL-039).
const RULES_OF_ONE: usize = 4;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let rules = choices.many_parts("rule", 1, RULES_OF_ONE, |choices, _| Costly::draw(choices));
        let place = Place::draw(choices, &Places { containers: &[Container::Object], ..Places::ANY });
        let (mut properties, mut causes) = (Map::new(), Vec::new());
        let mut asserts = BTreeSet::from(["CEL-038", "CEL-040"]);
        for (number, costly) in rules.iter().enumerate() {
            let name = format!("p{number}");
            if costly.is_dear() {
                let cause = of_rule(0, costly.member(), Reason::Forbidden);
                let field = format!(".properties[{name}]{}{}", costly.path(), cause.field);
                // It is above the limit of one rule, and one of those that bring all of them above theirs.
                causes.extend(place.schema_causes(vec![Cause { field, ..cause }; 2]));
                asserts.insert("CEL-039");
            }
            if !costly.path().is_empty() {
                asserts.insert("CEL-038/e1");
            }
            properties.insert(name, costly.schema());
        }
        if !causes.is_empty() {
            causes.push(Cause::new("openAPIV3Schema", Reason::Forbidden.name()));
        }
        let defined = plan.try_define(place.schema(object_of(Value::Object(properties))));
        plan.check("costs", &Vec::from_iter(asserts), defined, accepted_or(causes));
        plan.count_case();
    });
}
