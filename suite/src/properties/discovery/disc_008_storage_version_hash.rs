//! DISC-008: the hash of the storage version.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{
    documents::{Group, until},
    served::{Served, universe, unmade},
};
use crate::{
    properties::{
        Capability, Property,
        shared::{
            definitions::{make, patch},
            names::Names,
        },
    },
    scenario::{Expectation, Plan, Request, Resource, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "disc-008-storage-version-hash",
    title: "all served versions of a resource show the same hash, which is another one for another storage version, and none if that is not served",
    asserts: &["DISC-008", "DISC-008/e1"],
    needs: &[Capability::Discovery, Capability::DefinitionUpdates],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let universe = universe(choices);
    let definition = unmade(&mut plan, false, None);
    let mut served = Served::draw(choices, definition, false, Names::given(0), &universe).serving();
    make(&mut plan, definition, served.versions(), served.edits());
    // A list that showed the hash of each storage version, and the storage version that was shown last.
    let mut known: Vec<(&'static str, StepId)> = Vec::new();
    choices.many_average("setting", 1, 4, 3, |choices, number| {
        if number > 0 {
            served.store_elsewhere(choices);
            served.serve_others(choices);
            patch(&mut plan, definition, served.patch());
        }
        let storage = served.storage();
        let is_shown = served.at(storage).is_some();
        for version in served.versions().into_iter().filter(|version| version.served) {
            let list = Group { of: definition, universe: &universe, shown: vec![&served] };
            list.read_version(&mut plan, &version.name);
            let hash = |relation: &str| json!({ "resource": "things", "hash": relation });
            let same = known.iter().find(|(of, _)| *of == storage).map(|(_, step)| *step);
            let expected = match (is_shown, same, known.last()) {
                (false, ..) => Expectation::named_with("storage-hash@1", hash("none")),
                (true, Some(same), _) => Expectation::named_of("storage-hash@1", same, hash("same")),
                (true, None, Some((_, other))) => Expectation::named_of("storage-hash@1", *other, hash("other")),
                (true, None, None) => Expectation::named_with("storage-hash@1", hash("same")),
            };
            let resource = Resource::GroupVersion { definition, version: version.name };
            let shown = until(&mut plan, Request::get(resource), expected.clone());
            plan.check("hash", &["DISC-008", "DISC-008/e1"], shown, expected);
            if is_shown && same.is_none() {
                known.push((storage, shown));
            }
        }
        plan.count_case();
    });
    plan.finish()
}
