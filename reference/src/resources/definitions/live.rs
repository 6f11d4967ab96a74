//! Definitions compiled for serving: parsed once, shared by all requests for instances.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crdible_semantics::Semantics;
use crdible_semantics::definition::{Names, Spec, Status};

use crate::engine::Engine;
use crate::metadata::fields;
use crate::store::{Collection, Life, ListQuery, Stored};
use crate::views::{Origin, Version, Views};
use crate::webhooks::conversion::Converter;

/// A definition, ready to serve.
#[allow(clippy::struct_excessive_bools, reason = "independent facts; most combinations can occur")]
pub(crate) struct Definition {
    /// What it was compiled from: the object as written, with the revision of that write and the current status.
    pub(crate) source: Stored,
    /// `<plural>.<group>`.
    pub(crate) name: String,
    pub(crate) group: String,
    pub(crate) plural: String,
    pub(crate) namespaced: bool,
    pub(crate) accepted: Names,
    pub(crate) names_accepted: bool,
    pub(crate) established: bool,
    /// Whether it is served although it is not established yet (LIFE-003).
    is_installing: bool,
    /// Whether the definition is being deleted.
    pub(crate) terminating: bool,
    pub(crate) versions: Arc<[Version]>,
    /// The index of the storage version in `versions`.
    pub(crate) storage: usize,
    /// How objects are converted.
    pub(crate) converter: Arc<Converter>,
    pub(crate) instances: Arc<dyn Collection>,
    /// Its objects at each version, if a webhook converts them, or if some are stored at a version that is gone: then
    /// no view can be filled, and lists and watches are answered as upstream does without a cache (VER-018).
    pub(crate) views: Option<Arc<Views>>,
    pub(crate) life: Life,
    /// A new life begins if this or the generation changes.
    uid: String,
    pub(super) generation: i64,
}

impl Definition {
    /// Compiles a stored definition. It continues the life of `before` if neither the specification, nor the accepted
    /// names, nor whether it is served changed; otherwise a new life begins at this store revision.
    pub(super) fn compile(
        source: Stored,
        semantics: &Arc<Semantics>,
        engine: &Engine,
        instances: Arc<dyn Collection>,
        before: Option<&Self>,
        revision: u64,
    ) -> Self {
        let object = &*source.object.value();
        let (spec, status) = (Spec::of(object), Status::of(object));
        let name = fields::text(object, "name").to_owned();
        let versions = spec.versions.iter().map(|version| Version::of(version, &spec, &status, semantics));
        let versions: Arc<[Version]> = versions.collect();
        let (uid, generation) = (fields::text(object, "uid").to_owned(), fields::generation(object));
        let established = status.is_true("Established");
        let is_installing = is_installing(&status) && !has_invalid_ca_bundle(&spec, semantics);
        let is_served = established || is_installing;
        let continues = |before: &&Self| {
            (before.uid.as_str(), before.generation, before.is_served()) == (uid.as_str(), generation, is_served)
                && before.accepted == status.accepted_names
        };
        let api_versions: Vec<&str> = versions.iter().map(|version| version.kind.api_version.as_str()).collect();
        let may_have_strays = before.is_none_or(|before| before.may_leave_strays(&api_versions));
        let before = before.filter(continues);
        let life = before.map_or_else(|| Life::begin(revision), |before| before.life.clone());
        let converter = Arc::new(Converter::of(&spec, Arc::clone(semantics), &engine.webhooks, &engine.depth));
        let views = match before {
            Some(before) => before.views.clone(),
            None if converter.uses_webhook() || (may_have_strays && has_others(&*instances, &api_versions)) => {
                let origin = Origin {
                    semantics: Arc::clone(semantics),
                    clock: Arc::clone(&engine.clock),
                    depth: Arc::clone(&engine.depth),
                    converter: Arc::clone(&converter),
                    versions: Arc::clone(&versions),
                    instances: Arc::clone(&instances),
                };
                let storage = spec.storage_version().map_or("", |version| &version.name);
                Some(Arc::new(Views::new(origin, storage)))
            }
            None => None,
        };
        Self {
            source: source.clone(),
            life,
            uid,
            generation,
            name,
            group: spec.group.clone(),
            plural: spec.names.plural.clone(),
            namespaced: spec.scope == "Namespaced",
            accepted: status.accepted_names.clone(),
            names_accepted: status.is_true("NamesAccepted"),
            established,
            is_installing,
            terminating: fields::is_terminating(object),
            versions,
            converter,
            views,
            storage: spec.versions.iter().position(|version| version.storage).unwrap_or_default(),
            instances,
        }
    }

    /// Whether a definition with these versions that replaces it may have objects that are stored at another one.
    fn may_leave_strays(&self, api_versions: &[&str]) -> bool {
        self.views.is_some()
            || self.versions.iter().any(|version| !api_versions.contains(&version.kind.api_version.as_str()))
    }

    /// Ends its life, and what depends on it.
    pub(super) fn end(&self) {
        self.life.end();
        if let Some(views) = &self.views {
            views.end();
        }
    }

    /// Whether its objects have URLs (LIFE-003).
    pub(crate) fn is_served(&self) -> bool {
        self.established || self.is_installing
    }

    /// The version with this name, if it is served.
    pub(crate) fn served(&self, version: &str) -> Option<&Version> {
        self.versions.iter().find(|candidate| candidate.served && candidate.name == version)
    }

    /// The version with this `apiVersion`.
    pub(crate) fn version_of(&self, api_version: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.kind.api_version == api_version)
    }
}

/// Whether an object is stored at none of these versions.
pub(super) fn has_others(instances: &dyn Collection, api_versions: &[&str]) -> bool {
    let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: None };
    let objects = instances.list(&query).map(|page| page.items).unwrap_or_default();
    objects.iter().any(|(_, stored)| {
        let object = stored.object.value();
        !api_versions.contains(&object["apiVersion"].as_str().unwrap_or_default())
    })
}

/// The reason in the condition `Established` after the names were accepted, until the definition is
/// established (LIFE-002).
pub(super) const INSTALLING: &str = "Installing";

/// Whether the names are accepted, and the definition only has to be established.
pub(super) fn is_installing(status: &Status) -> bool {
    let conditions = status.conditions.iter().flatten();
    conditions.into_iter().any(|found| found.type_name == "Established" && found.reason == INSTALLING)
}

/// Whether the `caBundle` of the conversion webhook is set and holds no valid certificate (LIFE-009).
pub(super) fn has_invalid_ca_bundle(spec: &Spec, semantics: &Semantics) -> bool {
    let webhook = spec.conversion.as_ref().and_then(|conversion| conversion.webhook.as_ref());
    let encoded = webhook.and_then(|webhook| webhook.client_config.as_ref()).map(|client| client.ca_bundle.as_str());
    encoded.is_some_and(|encoded| !encoded.is_empty() && !semantics.is_certificate_bundle(encoded))
}

/// All definitions by group and plural.
#[derive(Default)]
pub(crate) struct Live {
    groups: HashMap<String, BTreeMap<String, Arc<Definition>>>,
}

impl Live {
    pub(crate) fn find(&self, group: &str, plural: &str) -> Option<&Arc<Definition>> {
        self.groups.get(group)?.get(plural)
    }

    pub(crate) fn group(&self, group: &str) -> impl Iterator<Item = &Arc<Definition>> {
        self.groups.get(group).into_iter().flat_map(BTreeMap::values)
    }

    /// The names of all groups, sorted.
    pub(crate) fn group_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.groups.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Inserts a definition, and returns the one of the same name that it replaces.
    pub(super) fn insert(&mut self, definition: Arc<Definition>) -> Option<Arc<Definition>> {
        self.groups.entry(definition.group.clone()).or_default().insert(definition.plural.clone(), definition)
    }

    pub(super) fn remove(&mut self, group: &str, plural: &str) -> Option<Arc<Definition>> {
        let definitions = self.groups.get_mut(group)?;
        let removed = definitions.remove(plural);
        if definitions.is_empty() {
            self.groups.remove(group);
        }
        removed
    }
}
