//! STRUCT-035: all four rules hold, and all that breaks them in a schema comes in one answer.

use crdible_generators::choice::Choices;

use super::shared::{JUDGING, PIECES, broken_pieces, causes_of, place_all};
use crate::{
    properties::Property,
    scenario::{Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-035-all-rules-at-once",
    title: "a schema that breaks several rules at several places is refused with the causes of all of them together",
    asserts: &["STRUCT-035"],
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let all = broken_pieces();
    choices.many("schema", 1, 3, |choices, _| {
        let pieces = choices.many("piece", 2, PIECES, |choices, _| choices.pick(&all));
        let (schema, paths) = place_all(choices, &pieces);
        let defined = plan.try_define(schema);
        plan.check_causes("all-causes", &["STRUCT-035"], defined, causes_of(&pieces, &paths));
        plan.count_case();
    });
    plan.finish()
}
