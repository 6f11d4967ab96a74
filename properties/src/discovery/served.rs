//! What a definition serves, under which names, and what discovery must say of it.

use crdible_scenario::{Scope, Tenancy};

use crate::prelude::*;
use crate::shared::{definitions::replacing_versions, names::Names};

/// Names of versions, in the order in which discovery lists them: the example of VER-002.
const IN_ORDER: [&str; 10] =
    ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];

const VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const VERBS_WHILE_TERMINATING: [&str; 5] = ["delete", "deletecollection", "get", "list", "watch"];
const VERBS_OF_PARTS: [&str; 3] = ["get", "patch", "update"];

/// One version of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) version: &'static str,
    pub(super) is_served: bool,
    pub(super) status: bool,
    pub(super) scale: bool,
}

/// A definition as discovery shows it.
#[derive(Clone, Debug)]
pub(super) struct Served {
    /// Its number in the scenario.
    pub(super) number: usize,
    pub(super) is_namespaced: bool,
    /// The names that it was given.
    pub(super) names: Names,
    pub(super) settings: Vec<Setting>,
    storage: &'static str,
    pub(super) is_terminating: bool,
}

/// The versions of a scenario, in the order of discovery.
pub(super) fn universe(choices: &mut Choices) -> Vec<&'static str> {
    let mut left: Vec<usize> = (0..IN_ORDER.len()).collect();
    let mut chosen: Vec<usize> = choices.many_average("version", 2, 4, 3, |choices, _| {
        let at = choices.index(left.len());
        left.remove(at)
    });
    chosen.sort_unstable();
    chosen.into_iter().map(|at| IN_ORDER[at]).collect()
}

/// Names for a definition that the scenario itself makes, with objects in the namespace of the run or in none; perhaps
/// in the group of another.
pub(super) fn unmade(plan: &mut Plan, is_namespaced: bool, beside: Option<usize>) -> usize {
    let scope = if is_namespaced { Scope::Namespaced } else { Scope::Cluster };
    plan.define(Definition { scope, tenancy: Tenancy::Uninstalled, beside, ..Definition::default() })
}

impl Served {
    /// A definition that has some of these versions, and serves some of them.
    pub(super) fn draw(
        choices: &mut Choices,
        number: usize,
        is_namespaced: bool,
        names: Names,
        universe: &[&'static str],
    ) -> Self {
        let storage = *choices.pick(universe);
        let settings = settings(choices, universe, storage);
        Self { number, is_namespaced, names, settings, storage, is_terminating: false }
    }

    /// It has and serves other versions. The storage version stays: something may be stored in it.
    pub(super) fn change(&mut self, choices: &mut Choices, universe: &[&'static str]) {
        self.settings = settings(choices, universe, self.storage);
    }

    /// Another storage version, of those that it has.
    pub(super) fn store_elsewhere(&mut self, choices: &mut Choices) {
        let versions: Vec<&'static str> = self.settings.iter().map(|setting| setting.version).collect();
        self.storage = *choices.pick(&versions);
    }

    /// Other versions are served, of those that it has.
    pub(super) fn serve_others(&mut self, choices: &mut Choices) {
        for setting in &mut self.settings {
            setting.is_served = choices.chance(3, 4);
        }
    }

    /// A version of it that is served.
    pub(super) fn at(&self, version: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.version == version && setting.is_served)
    }

    /// It serves at least its storage version.
    pub(super) fn serving(mut self) -> Self {
        for setting in self.settings.iter_mut().filter(|setting| setting.version == self.storage) {
            setting.is_served = true;
        }
        self
    }

    /// Its storage version.
    pub(super) fn storage(&self) -> &'static str {
        self.storage
    }

    /// `spec.versions`.
    pub(super) fn versions(&self) -> Vec<Version> {
        let number = || object_of(json!({ "n": { "type": "integer" } }));
        let of = |setting: &Setting| {
            let mut subresources = Map::new();
            if setting.status {
                subresources.insert("status".to_owned(), json!({}));
            }
            if setting.scale {
                let paths = json!({ "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n" });
                subresources.insert("scale".to_owned(), paths);
            }
            let schema = object_of(json!({ "spec": number(), "status": number() }));
            let version = Version::named(setting.version, schema).stored_if(setting.version == self.storage);
            let further = Map::from_iter([("subresources".to_owned(), Value::Object(subresources))]);
            Version { further, ..version.served_if(setting.is_served) }
        };
        self.settings.iter().map(of).collect()
    }

    /// What gives a new definition its names, except for those that it has anyway.
    pub(super) fn edits(&self) -> Vec<Edit> {
        let Names { singular, short, categories, .. } = &self.names;
        let names = [("singular", json!(singular)), ("shortNames", json!(short)), ("categories", json!(categories))];
        names.into_iter().map(|(field, value)| Edit::Set(format!("/spec/names/{field}"), value)).collect()
    }

    /// The JSON patch that makes an older setting this one.
    pub(super) fn patch(&self) -> Value {
        replacing_versions(&self.versions())
    }

    /// Its entry in the list of resources of a version, with its verbs or without.
    pub(super) fn entry(&self, with_verbs: bool) -> Value {
        let Names { plural, singular, kind, .. } = &self.names;
        let mut entry = self.with_lists(json!({
            "name": plural, "singularName": singular, "namespaced": self.is_namespaced, "kind": kind,
        }));
        if with_verbs {
            entry["verbs"] = json!(self.verbs());
        }
        entry
    }

    pub(super) fn verbs(&self) -> &'static [&'static str] {
        if self.is_terminating { &VERBS_WHILE_TERMINATING } else { &VERBS }
    }

    /// The entry of a subresource.
    pub(super) fn part(&self, part: &str) -> Value {
        let kind = if part == "scale" { "Scale" } else { &self.names.kind };
        let mut entry = json!({
            "name": self.name_of(part), "singularName": "", "namespaced": self.is_namespaced, "kind": kind,
            "verbs": VERBS_OF_PARTS,
        });
        if part == "scale" {
            entry["group"] = json!("autoscaling");
            entry["version"] = json!("v1");
        }
        entry
    }

    /// The name of a subresource in the list of resources.
    pub(super) fn name_of(&self, part: &str) -> String {
        format!("{}/{part}", self.names.plural)
    }

    /// Its entries in the list of resources of a version; none if it does not serve it.
    pub(super) fn entries(&self, version: &str) -> Vec<Value> {
        let Some(setting) = self.at(version) else { return Vec::new() };
        let parts = PARTS.iter().filter(|part| setting.has(part)).map(|part| self.part(part));
        std::iter::once(self.entry(true)).chain(parts).collect()
    }

    /// What aggregated discovery says of it at a version; nothing if it does not serve it.
    pub(super) fn aggregated(&self, version: &str) -> Option<Value> {
        let setting = self.at(version)?;
        let Names { plural, singular, kind, .. } = &self.names;
        let own = json!({ "group": "$group", "version": version, "kind": kind });
        let scale = json!({ "group": "autoscaling", "version": "v1", "kind": "Scale" });
        let part = |part: &&str| {
            let kind = if *part == "scale" { &scale } else { &own };
            json!({ "subresource": part, "responseKind": kind, "verbs": VERBS_OF_PARTS })
        };
        let parts: Vec<Value> =
            PARTS.iter().copied().filter(|part| setting.has(part)).map(|name| part(&name)).collect();
        Some(self.with_lists(json!({
            "resource": plural, "responseKind": own, "singularResource": singular, "verbs": self.verbs(),
            "scope": if self.is_namespaced { "Namespaced" } else { "Cluster" }, "subresources": parts,
        })))
    }

    /// Lists of names that are empty are left out.
    fn with_lists(&self, mut entry: Value) -> Value {
        for (field, names) in [("shortNames", &self.names.short), ("categories", &self.names.categories)] {
            if !names.is_empty() {
                entry[field] = json!(names);
            }
        }
        entry
    }
}

/// The subresources that a version may have.
pub(super) const PARTS: [&str; 2] = ["status", "scale"];

impl Setting {
    pub(super) fn has(&self, part: &str) -> bool {
        if part == "scale" { self.scale } else { self.status }
    }
}

/// Some of these versions in any order, with the storage version.
fn settings(choices: &mut Choices, universe: &[&'static str], storage: &str) -> Vec<Setting> {
    let mut settings = Vec::new();
    for &version in universe {
        let kind = choices.weighted(&[3, 1, 1]);
        let (status, scale) = (choices.chance(1, 3), choices.chance(1, 3));
        if kind != 2 || version == storage {
            settings.push(Setting { version, is_served: kind == 0, status, scale });
        }
    }
    if choices.chance(1, 2) {
        settings.reverse();
    }
    settings
}
