//! DISC-008: the hash of the storage version.

use crdible_scenario::StorageHash;

use super::{
    documents::{Group, until},
    served::{Served, universe, unmade},
};
use crate::prelude::*;
use crate::shared::{
    definitions::{make, patch},
    names::Names,
};

pub(super) const PROPERTY: Property = Property::new("disc-008-storage-version-hash", plan)
    .title("all served versions show the same storageVersionHash, which depends on the storage version")
    .asserts(&["DISC-008", "DISC-008/e1"])
    .needs(&[Capability::Discovery, Capability::DefinitionUpdates]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let universe = universe(choices);
    let definition = unmade(plan, false, None);
    let mut served = Served::draw(choices, definition, false, Names::given(0), &universe).serving();
    make(plan, definition, served.versions(), served.edits());
    // A list that shows the hash of each storage version, and one of those that were shown before the change.
    let (mut known, mut before): (Vec<(&'static str, StepId)>, Option<StepId>) = (Vec::new(), None);
    choices.many_average("setting", 1, 4, 3, |choices, number| {
        if number > 0 {
            served.store_elsewhere(choices);
            served.serve_others(choices);
            patch(plan, definition, served.patch());
        }
        let storage = served.storage();
        let is_shown = served.at(storage).is_some();
        let mut last = None;
        for version in served.versions() {
            let list = Group { of: definition, universe: &universe, shown: vec![&served] };
            // Also until it is gone: when it is served again, its list may otherwise be one of two changes ago.
            list.read_version(plan, &version.name);
            if !version.served {
                continue;
            }
            let same = known.iter().find(|(of, _)| *of == storage).map(|(_, step)| *step);
            // What is shown at first may be the hash from before the change.
            let expected = match (is_shown, same, before) {
                (false, ..) => hash(StorageHash::None, None),
                (true, Some(same), _) => hash(StorageHash::Same, Some(same)),
                (true, None, Some(before)) => hash(StorageHash::Other, Some(before)),
                (true, None, None) => hash(StorageHash::Same, None),
            };
            let resource = Resource::GroupVersion { definition, version: version.name };
            let shown = until(plan, Request::get(resource), expected.clone());
            plan.check("hash", &["DISC-008", "DISC-008/e1"], shown, expected);
            if is_shown && same.is_none() {
                for (_, other) in &known {
                    plan.check("another", &["DISC-008"], shown, hash(StorageHash::Other, Some(*other)));
                }
                known.push((storage, shown));
            }
            last = is_shown.then_some(shown);
        }
        before = last;
        plan.count_case();
    });
}

/// The hash of the resource is the same as in another list, or another one; or there is none.
fn hash(hash: StorageHash, other: Option<StepId>) -> Expectation {
    Expectation::Named { check: NamedCheck::StorageHash { resource: "things".to_owned(), hash }, of: other }
}
