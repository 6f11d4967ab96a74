//! VER-017, INV-047 and INV-098: which versions a definition says that it stored.

use crdible_generators::{
    choice::Choices,
    update::{VersionPlan, versions_update},
};
use serde_json::{Value, json};

use super::shared::{own, version};
use crate::{
    properties::{Capability, Property},
    scenario::{Body, Cause, Expectation, Method, Plan, Request, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "ver-017-stored-versions",
    title: "storedVersions lists each version that ever stored, once, in order of first use, and none of them can be dropped",
    asserts: &["VER-017", "INV-047", "INV-098"],
    needs: &[Capability::Serving],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let schema = json!({ "type": "object" });
    let mut versions = vec![
        VersionPlan { name: "v1", served: true, storage: true },
        VersionPlan { name: "v2", served: true, storage: false },
    ];
    let mut stored = vec!["v1"];
    let listed = versions.iter().map(|entry| version(entry.name, entry.served, entry.storage, &schema)).collect();
    let definition = own(&mut plan, listed);
    choices.many("update", 1, 8, |choices, _| {
        let update = versions_update(choices, &versions, &stored);
        let listed: Vec<Value> = (update.versions.iter())
            .map(|VersionPlan { name, served, storage }| {
                json!({
                    "name": name, "served": served, "storage": storage, "schema": { "openAPIV3Schema": schema },
                })
            })
            .collect();
        let replace = json!([{ "op": "replace", "path": "/spec/versions", "value": listed }]);
        let written =
            plan.send(Request::new(Method::JsonPatch, Resource::Definition { definition }, Body::json(replace)));
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
        let pointer = "/status/storedVersions".to_owned();
        let expected = Expectation::At { pointer, value: Some(json!(stored)) };
        plan.check("listed", &["VER-017", "INV-047", "INV-098"], written, expected);
    });
    plan.finish()
}
