//! LIFE-001 to LIFE-005, LIFE-010: a definition without conflicts becomes established, and stays so.

use super::shared::{condition_for, make, schema};
use crate::prelude::*;
use crate::shared::{
    definitions::{merge, patch, put, read, replacing_versions},
    holds_nothing, names_decided,
};

pub(super) const PROPERTY: Property = Property::new("life-002-establishment", plan)
    .title("a definition without name conflicts becomes established and stays established")
    .asserts(&["LIFE-001", "LIFE-002", "LIFE-002/e1", "LIFE-003", "LIFE-004", "LIFE-005", "LIFE-010", "REST-013"])
    .needs(&[Capability::Serving, Capability::Conditions, Capability::DefinitionUpdates]);

/// The names that the definition requests.
struct Requested {
    names: Value,
    renames: usize,
}

impl Requested {
    /// The names of the executor, and perhaps further ones; and the edits that request them.
    fn draw(choices: &mut Choices) -> (Self, Vec<Edit>) {
        let mut names = json!({ "plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList" });
        let mut edits = Vec::new();
        for (field, value) in [
            ("singular", json!(*choices.pick(&["lone", "things"]))),
            ("shortNames", choices.pick(&[json!(["t"]), json!(["u", "t"])]).clone()),
            ("categories", json!(["all", "some"])),
            ("kind", json!("Other")),
            ("listKind", json!("Others")),
        ] {
            if choices.chance(1, 3) {
                edits.push(Edit::Set(format!("/spec/names/{field}"), value.clone()));
                names[field] = value;
            }
        }
        // What is not stated is derived from the kind.
        let kind = names["kind"].as_str().unwrap_or_default().to_owned();
        for (field, derived) in [("singular", kind.to_lowercase()), ("listKind", format!("{kind}List"))] {
            if choices.chance(1, 4) {
                edits.push(Edit::Remove(format!("/spec/names/{field}")));
                names[field] = json!(derived);
            }
        }
        (Self { names, renames: 0 }, edits)
    }

    /// Other names, which no definition has.
    fn rename(&mut self, choices: &mut Choices) -> Value {
        self.renames += 1;
        let number = self.renames;
        let mut changed = json!({ "categories": [format!("c{number}")] });
        for (field, value) in [
            ("singular", json!(format!("single{number}"))),
            ("shortNames", choices.pick(&[json!([format!("s{number}")]), json!([])]).clone()),
            ("listKind", json!(format!("Many{number}"))),
        ] {
            if choices.chance(1, 2) {
                changed[field] = value;
            }
        }
        for (field, value) in changed.as_object().into_iter().flatten() {
            self.names[field] = value.clone();
        }
        changed
    }

    fn decided(&self) -> NamedCheck {
        names_decided(self.names.clone(), true, true)
    }

    fn accepted(&self) -> NamedCheck {
        NamedCheck::AcceptedNames { names: self.names.clone() }
    }
}

/// One version or two; the second may be the storage version.
fn versions(choices: &mut Choices, further: &[&str]) -> Vec<Version> {
    let (several, second) = (choices.chance(1, 2), choices.chance(1, 2));
    let first = Version::named("v1", schema(further)).stored_if(!several || !second);
    if several { vec![first, Version::named("v2", schema(&[])).stored_if(second)] } else { vec![first] }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.uninstalled();
    let (mut requested, edits) = Requested::draw(choices);
    let listed = versions(choices, &[]);
    let storage = json!([crdible_scenario::storage_version(&listed)]);
    let made = make(plan, definition, listed, edits);
    plan.check("created", &["REST-013"], made, accepted_as(201));
    plan.check("stored", &["LIFE-002", "LIFE-002/e1"], made, at("/status/storedVersions", storage.clone()));
    for pointer in ["/status/conditions", "/status/acceptedNames"] {
        plan.check("nothing-yet", &["LIFE-002/e1"], made, holds_nothing(pointer));
    }
    let early = read(plan, definition);
    plan.check("early", &["LIFE-002/e1"], early, NamedCheck::EstablishedAfterNames);
    plan.check("early-form", &["LIFE-001"], early, NamedCheck::Conditions);

    let settled = read(plan, definition);
    plan.repeat_until(settled, requested.decided());
    plan.check("names", &["LIFE-002"], settled, requested.accepted());
    plan.check("accepted", &["LIFE-002"], settled, condition_for("NamesAccepted", "True", "NoConflicts"));
    plan.check("established", &["LIFE-002"], settled, condition_for("Established", "True", "InitialNamesAccepted"));
    plan.check("still-stored", &["LIFE-002"], settled, at("/status/storedVersions", storage));
    plan.check("form", &["LIFE-001"], settled, NamedCheck::Conditions);
    let list = plan.list(definition, "v1");
    plan.repeat_until(list, Expectation::Accepted);
    plan.check("served", &["LIFE-003"], list, Expectation::Accepted);

    choices.cases_up_to("update", 4, |choices, number| {
        plan.count_case();
        update(choices, plan, definition, &mut requested, number);
        let after = read(plan, definition);
        plan.repeat_until(after, requested.decided());
        plan.check("renamed", &["LIFE-010"], after, requested.accepted());
        plan.check("names-stay-accepted", &["LIFE-010"], after, condition_for("NamesAccepted", "True", "NoConflicts"));
        let established = condition_for("Established", "True", "InitialNamesAccepted");
        plan.check("stays-established", &["LIFE-004"], after, established);
        plan.check("since", &["LIFE-005"], after, NamedCheck::Transitions.against(settled));
        plan.check("form-after", &["LIFE-001"], after, NamedCheck::Conditions);
    });
    let list = plan.list(definition, "v1");
    plan.repeat_until(list, Expectation::Accepted);
    plan.check("still-served", &["LIFE-003", "LIFE-004"], list, Expectation::Accepted);
}

/// Changes something that is no reason to change a condition.
fn update(choices: &mut Choices, plan: &mut Plan, definition: usize, requested: &mut Requested, number: usize) {
    let accepted = |plan: &mut Plan, step: StepId| plan.check("updated", &["LIFE-005"], step, Expectation::Accepted);
    match choices.weighted(&[2, 2, 3, 2]) {
        0 => {
            let updated = merge(plan, definition, json!({ "metadata": { "labels": { "l": format!("x{number}") } } }));
            accepted(plan, updated);
        }
        1 => {
            let field = format!("f{number}");
            let versions = vec![
                Version::named("v1", schema(&[&field])).stored_if(choices.chance(1, 2)),
                Version::named("v2", schema(&[])),
            ];
            let stores_first = versions[0].storage;
            let versions: Vec<Version> = versions
                .into_iter()
                .map(
                    |version| if stores_first { version } else { Version { storage: version.name == "v2", ..version } },
                )
                .collect();
            let updated = patch(plan, definition, replacing_versions(&versions));
            accepted(plan, updated);
        }
        2 => {
            let updated = merge(plan, definition, json!({ "spec": { "names": requested.rename(choices) } }));
            accepted(plan, updated);
        }
        _ => {
            let before = plan.read(Resource::Definition { definition });
            let time = "2001-01-01T00:00:00Z";
            let condition = |kind: &str, status: &str| json!({ "type": kind, "status": status, "reason": "R", "message": "m", "lastTransitionTime": time });
            let status = choices
                .pick(&[
                    json!({ "conditions": [condition("Established", "False")], "storedVersions": ["v1"] }),
                    json!({ "conditions": [condition("NamesAccepted", "False"), condition("Other", "True")] }),
                    json!({ "acceptedNames": { "plural": "others", "kind": "X" } }),
                ])
                .clone();
            let updated = put(plan, definition, before, false, vec![Edit::Set("/status".into(), status)]);
            plan.check("status-ignored", &["LIFE-005"], updated, same_at("/status", before));
        }
    }
}
