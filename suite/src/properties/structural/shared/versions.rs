//! Lists of versions, some with broken schemas.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{Example, causes_of, place_all};
use crate::scenario::{Cause, Expectation, Plan, StepId, Version};

/// `v1`, which stores, and others; each with up to two broken pieces, and no two with the same schema (the causes of equal
/// schemas are told once, CRDVAL-023).
pub(crate) fn versions_with_pieces(choices: &mut Choices, all: &[Example]) -> (Vec<Version>, Vec<Cause>) {
    let mut causes = Vec::new();
    let versions = choices.many("version", 1, 4, |choices, number| {
        let pieces = choices.many_average("piece", 0, 2, 1, |choices, _| choices.pick(all));
        let (mut schema, paths) = place_all(choices, &pieces);
        causes.extend(causes_of(&pieces, &paths));
        schema["properties"][format!("only-v{}", number + 1)] = json!({ "type": "string" });
        Version {
            name: format!("v{}", number + 1),
            served: choices.chance(1, 2),
            storage: number == 0,
            ..Version::only(schema)
        }
    });
    (versions, causes)
}

/// Demands of a definition's answer exactly these causes; none: that it is accepted.
pub(crate) fn demand_causes(plan: &mut Plan, step: StepId, causes: Vec<Cause>) {
    plan.count_case();
    if causes.is_empty() {
        plan.check("sound", &["STRUCT-035"], step, Expectation::Accepted);
    } else {
        plan.check_causes("all-versions", &["STRUCT-035"], step, causes);
    }
}
