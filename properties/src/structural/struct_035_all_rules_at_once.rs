//! STRUCT-035: all violations of the structural rules in a schema are reported in one answer.

use super::shared::{JUDGING, broken_pieces};
use crate::prelude::*;
use crate::shared::{PIECES, host};

pub(super) const PROPERTY: Property = Property::new("struct-035-all-rules-at-once", plan)
    .title("a schema that violates several rules at several places is rejected with the causes of all of them")
    .asserts(&["STRUCT-035"])
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let all = broken_pieces();
    choices.many("schema", 1, 3, |choices, _| {
        let pieces = choices.many("piece", 2, PIECES, |choices, _| choices.pick(&all));
        let (schema, places) = host::plant_all(choices, &pieces);
        let defined = plan.try_define(schema);
        plan.check_causes("all-causes", &["STRUCT-035"], defined, host::causes_of(&pieces, &places));
        plan.count_case();
    });
}
