//! Lists of versions, some with invalid schemas.

use crate::prelude::*;
use crate::shared::{accepted_or, host};

/// `v1`, the storage version, and others; each with up to two invalid pieces, and no two with the same schema, because
/// the causes of equal schemas are reported once (CRDVAL-023).
pub(crate) fn versions_with_pieces(choices: &mut Choices, all: &[Piece]) -> (Vec<Version>, Vec<Cause>) {
    let mut causes = Vec::new();
    let versions = choices.many("version", 1, 4, |choices, number| {
        let pieces = choices.many_average("piece", 0, 2, 1, |choices, _| choices.pick(all));
        let (mut schema, places) = host::plant_all(choices, &pieces);
        causes.extend(host::causes_of(&pieces, &places));
        let name = format!("v{}", number + 1);
        schema["properties"][format!("only-{name}")] = json!({ "type": "string" });
        Version::named(name, schema).served_if(choices.chance(1, 2)).stored_if(number == 0)
    });
    (versions, causes)
}

/// Checks that a definition is rejected with exactly these causes, or accepted if there are none.
pub(crate) fn check_versions(plan: &mut Plan, step: StepId, causes: Vec<Cause>) {
    let name = if causes.is_empty() { "sound" } else { "all-versions" };
    plan.check(name, &["STRUCT-035"], step, accepted_or(causes));
    plan.count_case();
}
