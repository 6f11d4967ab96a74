//! VER-017, INV-047 and INV-098: the versions that a definition lists as stored.

use crdible_generators::update::{VersionPlan, versions_update};

use super::shared::own;
use crate::prelude::*;
use crate::shared::definitions::{patch, replacing_versions};

pub(super) const PROPERTY: Property = Property::new("ver-017-stored-versions", plan)
    .title("storedVersions lists every version that was ever the storage version, in order of first use")
    .asserts(&["VER-017", "INV-047", "INV-098"])
    .needs(&[Capability::Serving]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut versions = vec![
        VersionPlan { name: "v1", served: true, storage: true },
        VersionPlan { name: "v2", served: true, storage: false },
    ];
    let mut stored = vec!["v1"];
    let definition = own(plan, listed(&versions));
    choices.many_average("update", 1, 8, 4, |choices, _| {
        let update = versions_update(choices, &versions, &stored);
        let written = patch(plan, definition, replacing_versions(&listed(&update.versions)));
        plan.count_case();
        if !update.lost.is_empty() {
            let place = |name: &&str| stored.iter().position(|stored| stored == name);
            let causes = update.lost.iter().filter_map(place);
            let causes = causes.map(|at| Cause::new(format!("status.storedVersions[{at}]"), "Invalid")).collect();
            plan.check_causes("lost", &["VER-017", "INV-047"], written, causes);
            return;
        }
        versions = update.versions;
        if let Some(storage) = versions.iter().find(|version| version.storage)
            && !stored.contains(&storage.name)
        {
            stored.push(storage.name);
        }
        let expected = at("/status/storedVersions", json!(stored));
        plan.check("listed", &["VER-017", "INV-047", "INV-098"], written, expected);
    });
}

fn listed(versions: &[VersionPlan]) -> Vec<Version> {
    let version = |plan: &VersionPlan| {
        let version = Version::named(plan.name, json!({ "type": "object" }));
        version.served_if(plan.served).stored_if(plan.storage)
    };
    versions.iter().map(version).collect()
}
