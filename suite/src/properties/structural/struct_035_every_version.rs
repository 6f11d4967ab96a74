//! STRUCT-035: the schema of every version is judged, served or not, on create and on update.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Example, JUDGING, broken_pieces, causes_of, of_json, place_all, try_update_versions};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Expectation, Plan, Scenario, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-035-every-version",
    title: "the causes of all versions' schemas come together when a definition is created, whether a version is served or stored",
    asserts: &["STRUCT-035"],
    needs: JUDGING,
    edges: &[],
    plan: on_create,
};

pub(super) const UPDATED: Property = Property {
    id: "struct-035-on-update",
    title: "the causes of all versions' schemas come together when a definition is updated",
    asserts: &["STRUCT-035"],
    needs: &[Capability::Serving],
    edges: &[],
    plan: on_update,
};

fn on_create(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let all = broken_pieces();
    choices.many("definition", 1, 3, |choices, _| {
        let (mut versions, causes) = versions(choices, &all);
        let stored = usize::try_from(choices.draw(versions.len() as u64 - 1)).unwrap_or(0);
        for (number, version) in versions.iter_mut().enumerate() {
            version.storage = number == stored;
        }
        let definition = plan.unborn();
        let defined = plan.try_define_versions(definition, versions);
        demand(&mut plan, defined, causes);
    });
    plan.finish()
}

fn on_update(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let all = broken_pieces();
    // The stored version stays: it is in `storedVersions`.
    let definition = of_json(&mut plan, json!({ "type": "object", "properties": { "spec": { "type": "object" } } }));
    choices.many("update", 1, 3, |choices, _| {
        let (versions, causes) = versions(choices, &all);
        let updated = try_update_versions(&mut plan, definition, &versions);
        demand(&mut plan, updated, causes);
    });
    plan.finish()
}

fn demand(plan: &mut Plan, step: usize, causes: Vec<Cause>) {
    plan.count_case();
    if causes.is_empty() {
        plan.check("sound", &["STRUCT-035"], step, Expectation::Accepted);
    } else {
        plan.check_causes("all-versions", &["STRUCT-035"], step, causes);
    }
}

/// `v1`, which stores, and others; each with up to two broken pieces, and no two with the same schema (the causes of equal
/// schemas are told once, CRDVAL-023).
fn versions(choices: &mut Choices, all: &[Example]) -> (Vec<Version>, Vec<Cause>) {
    let mut causes = Vec::new();
    let versions = choices.many("version", 1, 4, |choices, number| {
        let pieces = choices.many_average("piece", 0, 2, 1, |choices, _| choices.pick(all));
        let (mut schema, paths) = place_all(choices, &pieces);
        causes.extend(causes_of(&pieces, &paths));
        schema["properties"][format!("only-v{}", number + 1)] = json!({ "type": "string" });
        Version { name: format!("v{}", number + 1), served: choices.chance(1, 2), storage: number == 0, schema }
    });
    (versions, causes)
}
