//! CRDVAL-019, CRDVAL-020, VER-017/e1: writes of the status of a definition.

use super::shared::schema;
use crate::prelude::*;
use crate::shared::definitions::{check_causes, merge, patch, replacing_versions};

pub(super) const PROPERTY: Property = Property::new("crdval-019-status-writes", plan)
    .title("a write of a definition's /status may store any storedVersions, and changes nothing else")
    .asserts(&["CRDVAL-019", "CRDVAL-019/e1", "CRDVAL-020", "VER-017", "VER-017/e1"])
    .needs(&[Capability::Serving, Capability::StoredVersions, Capability::DefinitionUpdates]);

/// The versions that the definition has.
const NAMES: [&str; 3] = ["v1", "v2", "v3"];
/// The status of a definition.
const STATUS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$plural.$group/status";

/// A definition, as the model knows it.
struct Known<'a> {
    plan: &'a mut Plan,
    definition: usize,
    /// The read before any write: its names stay as they are.
    read: StepId,
    stored: Vec<String>,
    storage: &'static str,
}

fn versions(storage: &str) -> Vec<Version> {
    NAMES.map(|name| Version::named(name, schema(&[])).stored_if(name == storage)).into()
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let storage = *choices.pick::<&str>(&NAMES);
    let definition = plan.define(Definition::with_versions(versions(storage)).owned());
    let read = plan.read(Resource::Definition { definition });
    let mut known = Known { plan, definition, read, stored: vec![storage.to_owned()], storage };
    choices.cases("write", |choices, number| {
        known.plan.count_case();
        match choices.weighted(&[3, 2, 2]) {
            0 => known.write_status(choices),
            1 => known.update(json!({ "metadata": { "labels": { "l": format!("x{number}") } } })),
            _ => known.change_storage(choices),
        }
    });
}

impl Known<'_> {
    /// Stores a list through `/status`, and tries to change the spec there.
    fn write_status(&mut self, choices: &mut Choices) {
        let mut list: Vec<String> = Vec::new();
        // Not an empty list, which a quirk fills.
        choices.many_average("stored", 1, 4, 1, |choices, _| {
            let name = *choices.pick(&["v1", "v2", "v3", "v9", "v8"]);
            if !list.iter().any(|listed| listed == name) {
                list.push(name.to_owned());
            }
        });
        let target = Resource::Path { definition: self.definition, path: STATUS.to_owned() };
        let mut written = json!({ "status": { "storedVersions": list } });
        if choices.chance(1, 3) {
            written["spec"] = json!({ "names": { "shortNames": ["t"] } });
        }
        let step = self.plan.send(Request::merge_patch(target, written));
        let shown = at("/status/storedVersions", Value::from(list.clone()));
        self.plan.check("status-written", &["CRDVAL-019", "VER-017", "VER-017/e1"], step, shown);
        self.plan.check("spec-ignored", &["CRDVAL-020"], step, same_at("/spec/names", self.read));
        self.stored = list;
    }

    /// A merge patch of the main endpoint.
    fn update(&mut self, patch: Value) {
        let step = merge(self.plan, self.definition, patch);
        self.check_update(step);
    }

    fn change_storage(&mut self, choices: &mut Choices) {
        let storage = *choices.pick::<&str>(&NAMES);
        let step = patch(self.plan, self.definition, replacing_versions(&versions(storage)));
        let before = std::mem::replace(&mut self.storage, storage);
        if !self.check_update(step) {
            self.storage = before;
        }
    }

    /// An update is refused at each stored version that does not exist; else the storage version is in the list.
    /// Returns whether it is accepted.
    fn check_update(&mut self, step: StepId) -> bool {
        let unknown: Vec<usize> =
            (0..self.stored.len()).filter(|&at| !NAMES.contains(&self.stored[at].as_str())).collect();
        if !unknown.is_empty() {
            let cause = |at: &usize| Cause::new(format!("status.storedVersions[{at}]"), Reason::Invalid);
            let causes: Vec<Cause> = unknown.iter().map(cause).collect();
            let asserts = &["CRDVAL-019", "VER-017/e1"];
            check_causes(self.plan, "update-refused", asserts, step, &causes);
            return false;
        }
        if !self.stored.iter().any(|listed| listed == self.storage) {
            self.stored.push(self.storage.to_owned());
        }
        let shown = at("/status/storedVersions", Value::from(self.stored.clone()));
        let asserts = &["CRDVAL-019/e1", "VER-017", "VER-017/e1"];
        self.plan.check("storage-added", asserts, step, shown);
        true
    }
}
