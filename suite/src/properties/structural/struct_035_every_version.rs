//! STRUCT-035: the schema of every version is judged when a definition is created, served or not.

use crdible_generators::choice::Choices;

use super::shared::{JUDGING, broken_pieces, demand_causes, versions_with_pieces};
use crate::{
    properties::Property,
    scenario::{Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-035-every-version",
    title: "the causes of all versions' schemas come together when a definition is created, whether a version is served or stored",
    asserts: &["STRUCT-035"],
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let all = broken_pieces();
    choices.many("definition", 1, 3, |choices, _| {
        let (mut versions, causes) = versions_with_pieces(choices, &all);
        let stored = usize::try_from(choices.draw(versions.len() as u64 - 1)).unwrap_or(0);
        for (number, version) in versions.iter_mut().enumerate() {
            version.storage = number == stored;
        }
        let definition = plan.unborn();
        let defined = plan.try_define_versions(definition, versions);
        demand_causes(&mut plan, defined, causes);
    });
    plan.finish()
}
