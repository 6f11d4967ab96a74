//! Discovery (section 12.1): which groups, versions and resources are served. Both formats are built from one model, so
//! that they always agree (DISC-012).

mod aggregated;
mod plain;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crdible_semantics::Semantics;
use sha2::{Digest as _, Sha256};

use crate::kinds::{self, BuiltIn};
use crate::resources::definitions::{Definition, Live};

pub(crate) use aggregated::{aggregated_core, aggregated_groups};
pub(crate) use plain::{core_versions, group, groups, paths, resources};

/// Verbs of built-in resources.
const BUILT_IN_VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
/// Verbs of built-in resources that do not support `deletecollection`.
const BUILT_IN_VERBS_WITHOUT_COLLECTION: [&str; 7] = ["create", "delete", "get", "list", "patch", "update", "watch"];
/// Verbs of instances (DISC-005).
const VERBS: [&str; 8] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
/// Verbs of instances while their definition is being deleted (DISC-005).
const TERMINATING_VERBS: [&str; 5] = ["delete", "deletecollection", "get", "list", "watch"];

/// A group with its versions in order of priority (VER-005).
struct Group {
    name: String,
    versions: Vec<GroupVersion>,
}

struct GroupVersion {
    name: String,
    resources: Vec<Resource>,
}

struct Resource {
    plural: String,
    singular: String,
    kind: String,
    namespaced: bool,
    verbs: &'static [&'static str],
    short_names: Vec<String>,
    categories: Vec<String>,
    subresources: Vec<Subresource>,
    /// Shows clients whether the storage version changed; `None` if that version is not served (DISC-008).
    storage_hash: Option<String>,
}

/// A subresource (DISC-006, DISC-007).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subresource {
    /// Has the kind of the resource.
    Status,
    /// Has the kind of the resource too; only supports `update`.
    Finalize,
    /// Has its own kind.
    Scale,
}

impl Subresource {
    fn named(name: &str) -> Option<Self> {
        [Self::Status, Self::Finalize, Self::Scale].into_iter().find(|part| part.name() == name)
    }

    fn verbs(self) -> &'static [&'static str] {
        match self {
            Self::Status | Self::Scale => &["get", "patch", "update"],
            Self::Finalize => &["update"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Finalize => "finalize",
            Self::Scale => "scale",
        }
    }
}

/// A built-in group.
fn built_in_group(name: &str) -> Option<Group> {
    let mut versions: Vec<GroupVersion> = Vec::new();
    for resource in kinds::of_group(name) {
        match versions.iter_mut().find(|version| version.name == resource.version) {
            Some(version) => version.resources.push(built_in_resource(resource)),
            None => versions
                .push(GroupVersion { name: resource.version.into(), resources: vec![built_in_resource(resource)] }),
        }
    }
    (!versions.is_empty()).then(|| Group { name: name.to_owned(), versions })
}

fn built_in_resource(resource: &BuiltIn) -> Resource {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let [group, version] = resource.stored_as;
    Resource {
        plural: resource.plural.into(),
        singular: resource.singular.into(),
        kind: resource.kind.into(),
        namespaced: resource.namespaced,
        verbs: if resource.deletes_collections { &BUILT_IN_VERBS } else { &BUILT_IN_VERBS_WITHOUT_COLLECTION },
        short_names: words(resource.short_names),
        categories: words(resource.categories),
        subresources: resource.subresources.iter().filter_map(|name| Subresource::named(name)).collect(),
        storage_hash: Some(storage_hash(group, version, resource.kind)),
    }
}

/// All groups except the core group.
fn all_groups(live: &Live, semantics: &Semantics) -> Vec<Group> {
    let mut names: Vec<&str> = kinds::all().map(|resource| resource.group).filter(|name| !name.is_empty()).collect();
    names.dedup();
    let mut groups: Vec<Group> = names.into_iter().filter_map(built_in_group).collect();
    groups.extend(live.group_names().into_iter().filter_map(|name| live_group(name, live, semantics)));
    groups
}

/// A group of definitions: the union of what established definitions serve (VER-006, DISC-001).
fn live_group(name: &str, live: &Live, semantics: &Semantics) -> Option<Group> {
    let established: Vec<&Definition> =
        live.group(name).filter(|definition| definition.established).map(AsRef::as_ref).collect();
    let served = |definition: &&Definition| -> Vec<String> {
        definition.versions.iter().filter(|version| version.served).map(|version| version.name.clone()).collect()
    };
    let mut names: Vec<String> = established.iter().flat_map(served).collect();
    names.sort_unstable();
    names.dedup();
    semantics.sort_versions(&mut names);
    let versions = names.into_iter().map(|version| {
        let serving = established.iter().filter(|definition| definition.served(&version).is_some());
        let resources = serving.map(|definition| resource(definition, &version)).collect();
        GroupVersion { name: version, resources }
    });
    let versions: Vec<GroupVersion> = versions.collect();
    (!versions.is_empty()).then(|| Group { name: name.to_owned(), versions })
}

fn resource(definition: &Definition, version: &str) -> Resource {
    let accepted = &definition.accepted;
    let served = definition.served(version);
    let has_status = served.is_some_and(|version| version.has_status);
    let has_scale = served.is_some_and(|version| version.scale.is_some());
    let parts = [(Subresource::Status, has_status), (Subresource::Scale, has_scale)];
    let storage = definition.versions.get(definition.storage).filter(|version| version.served);
    Resource {
        plural: accepted.plural.clone(),
        singular: accepted.singular.clone(),
        kind: accepted.kind.clone(),
        namespaced: definition.namespaced,
        verbs: if definition.terminating { &TERMINATING_VERBS } else { &VERBS },
        short_names: accepted.short_names.clone(),
        categories: accepted.categories.clone(),
        subresources: parts.into_iter().filter_map(|(part, is_on)| is_on.then_some(part)).collect(),
        storage_hash: storage.map(|version| storage_hash(&definition.group, &version.name, &accepted.kind)),
    }
}

/// The `storageVersionHash` of a resource (DISC-008).
fn storage_hash(group: &str, storage_version: &str, kind: &str) -> String {
    let digest = Sha256::digest(format!("{group}/{storage_version}/{kind}"));
    STANDARD.encode(&digest[..8])
}

/// The group with this name, if it serves anything.
fn find_group(name: &str, live: &Live, semantics: &Semantics) -> Option<Group> {
    built_in_group(name).or_else(|| live_group(name, live, semantics))
}
