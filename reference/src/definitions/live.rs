//! Definitions compiled for serving: parsed once, shared by all requests for instances.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crdible_semantics::definition::{Names, Scale, Spec, Status};
use crdible_semantics::{Schema, Semantics};
use tokio::sync::watch;

use crate::conversion::Converter;
use crate::engine::{Engine, Kind};
use crate::managed_fields::{self, Type};
use crate::metadata::fields;
use crate::storage::{Collection, Reading, Stored};
use crate::table::Columns;
use crate::views::{Origin, Views};

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
    /// Its objects at each version, if a webhook converts them.
    pub(crate) views: Option<Arc<Views>>,
    pub(crate) life: Life,
    /// A new life begins if this or the generation changes.
    uid: String,
    pub(super) generation: i64,
}

/// A period in which a definition serves its objects unchanged. Watches end with it (REST-066).
#[derive(Clone, Debug)]
pub(crate) struct Life {
    ended: Arc<watch::Sender<bool>>,
    /// The store revision at which it began; older revisions are not available (REST-065).
    pub(crate) since: u64,
}

impl Life {
    pub(crate) fn begin(since: u64) -> Self {
        Self { ended: Arc::new(watch::Sender::new(false)), since }
    }

    /// Returns a receiver that turns true when the life ends.
    pub(crate) fn ends(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ended, &other.ended)
    }
}

/// One version of a definition.
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) kind: Kind,
    pub(crate) schema: Arc<Schema>,
    /// Identifies how its objects are read, for caches.
    pub(crate) reading: Reading,
    pub(crate) columns: Arc<Columns>,
    pub(crate) has_status: bool,
    /// The paths of `/scale`, if it is enabled.
    pub(crate) scale: Option<Scale>,
    /// Labels of the selectable fields, without those of metadata (FSEL-002).
    pub(crate) selectable: Vec<String>,
    /// The deprecation warning sent with every response (VER-012).
    pub(crate) deprecation: Option<String>,
    /// The type of its objects for field management, built when first needed.
    fields: OnceLock<Arc<Type>>,
}

impl Version {
    /// The type of its objects for field management.
    pub(crate) fn fields(&self) -> Arc<Type> {
        Arc::clone(self.fields.get_or_init(|| Arc::new(managed_fields::of_instances(&self.schema))))
    }
}

impl Definition {
    /// Compiles a stored definition. It continues the life of `before` if neither the specification, nor the accepted names, nor
    /// whether it is served changed; otherwise a new life begins at this store revision.
    pub(super) fn compile(
        source: Stored,
        semantics: &Arc<dyn Semantics>,
        engine: &Engine,
        instances: Arc<dyn Collection>,
        before: Option<&Self>,
        revision: u64,
    ) -> Self {
        let object = &*source.object.value();
        let (spec, status) = (Spec::of(object), Status::of(object));
        let name = fields::text(object, "name").to_owned();
        let versions = spec.versions.iter().map(|version| {
            let parsed = version.schema_json().and_then(|json| Schema::parse(json).ok());
            Version {
                name: version.name.clone(),
                served: version.served,
                kind: Kind {
                    group: spec.group.clone(),
                    api_version: format!("{}/{}", spec.group, version.name),
                    plural: spec.names.plural.clone(),
                    kind: status.accepted_names.kind.clone(),
                    list_kind: status.accepted_names.list_kind.clone(),
                },
                schema: Arc::new(parsed.map(|(schema, _)| schema).unwrap_or_default()),
                reading: Reading::unique(),
                columns: Arc::new(Columns::of_version(&version.additional_printer_columns)),
                has_status: version.has_status(),
                scale: version.subresources.as_ref().and_then(|subresources| subresources.scale.clone()),
                selectable: version.selectable_fields.iter().map(|field| field.label().to_owned()).collect(),
                deprecation: semantics.deprecation_warning(&spec, version),
                fields: OnceLock::new(),
            }
        });
        let (uid, generation) = (fields::text(object, "uid").to_owned(), fields::generation(object));
        let established = status.is_true("Established");
        let is_installing = is_installing(&status) && !has_invalid_ca_bundle(&spec, &**semantics);
        let is_served = established || is_installing;
        let continues = |before: &&Self| {
            (before.uid.as_str(), before.generation, before.is_served()) == (uid.as_str(), generation, is_served)
                && before.accepted == status.accepted_names
        };
        let before = before.filter(continues);
        let life = before.map_or_else(|| Life::begin(revision), |before| before.life.clone());
        let versions: Arc<[Version]> = versions.collect();
        let converter = Arc::new(Converter::of(&spec, Arc::clone(semantics), engine));
        let views = match before {
            Some(before) => before.views.clone(),
            None if converter.uses_webhook() => {
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

/// The reason in the condition `Established` after the names were accepted, until the definition is established (LIFE-002).
pub(super) const INSTALLING: &str = "Installing";

/// Whether the names are accepted, and the definition only has to be established.
pub(super) fn is_installing(status: &Status) -> bool {
    let conditions = status.conditions.iter().flatten();
    conditions.into_iter().any(|found| found.type_name == "Established" && found.reason == INSTALLING)
}

/// Whether the `caBundle` of the conversion webhook is set and holds no valid certificate (LIFE-009).
pub(super) fn has_invalid_ca_bundle(spec: &Spec, semantics: &dyn Semantics) -> bool {
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
