//! The built-in resources, in one table that routing, discovery and `OpenAPI` read.

use crate::definitions;
use crate::events;
use crate::kind::Kind;

/// Which code serves a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    Namespaces,
    Definitions,
    Events(events::Version),
}

/// A built-in resource at one version.
#[derive(Debug)]
pub(crate) struct BuiltIn {
    pub(crate) served: Served,
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) singular: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) namespaced: bool,
    pub(crate) short_names: &'static [&'static str],
    pub(crate) categories: &'static [&'static str],
    /// Sorted by name.
    pub(crate) subresources: &'static [&'static str],
    pub(crate) deletes_collections: bool,
    /// The group and version in which upstream stores the objects; discovery publishes a hash of it (DISC-008).
    pub(crate) stored_as: [&'static str; 2],
}

/// Groups in upstream's order of priority; within a group sorted by name.
static ALL: [BuiltIn; 4] = [
    BuiltIn { served: Served::Events(events::Version::Core), group: "", ..EVENTS },
    BuiltIn {
        served: Served::Namespaces,
        group: "",
        version: "v1",
        plural: "namespaces",
        singular: "namespace",
        kind: "Namespace",
        namespaced: false,
        short_names: &["ns"],
        categories: &[],
        subresources: &["finalize", "status"],
        deletes_collections: false,
        stored_as: ["", "v1"],
    },
    EVENTS,
    BuiltIn {
        served: Served::Definitions,
        group: definitions::GROUP,
        version: "v1",
        plural: definitions::PLURAL,
        singular: "customresourcedefinition",
        kind: "CustomResourceDefinition",
        namespaced: false,
        short_names: &["crd", "crds"],
        categories: &["api-extensions"],
        subresources: &["status"],
        deletes_collections: true,
        // Upstream's first storage version, which the hash still uses.
        stored_as: [definitions::GROUP, "v1beta1"],
    },
];

/// Events in their own group.
const EVENTS: BuiltIn = BuiltIn {
    served: Served::Events(events::Version::Events),
    group: events::GROUP,
    version: "v1",
    plural: events::PLURAL,
    singular: "event",
    kind: "Event",
    namespaced: true,
    short_names: &["ev"],
    categories: &[],
    subresources: &[],
    deletes_collections: true,
    stored_as: ["", "v1"],
};

impl BuiltIn {
    /// The names that the engine needs.
    fn names(&self) -> Kind {
        Kind {
            group: self.group.into(),
            api_version: if self.group.is_empty() {
                self.version.into()
            } else {
                format!("{}/{}", self.group, self.version)
            },
            plural: self.plural.into(),
            kind: self.kind.into(),
            list_kind: format!("{}List", self.kind),
        }
    }
}

/// The names of a built-in resource.
pub(crate) fn names(served: Served) -> Kind {
    all().find(|resource| resource.served == served).map(BuiltIn::names).unwrap_or_default()
}

/// The built-in resources of a group; empty for a group that only definitions serve.
pub(crate) fn of_group(group: &str) -> impl Iterator<Item = &'static BuiltIn> {
    all().filter(move |resource| resource.group == group)
}

/// Whether a group is built in.
pub(crate) fn has_group(group: &str) -> bool {
    of_group(group).next().is_some()
}

/// All built-in group versions, without duplicates.
pub(crate) fn group_versions() -> Vec<[&'static str; 2]> {
    let mut found: Vec<_> = all().map(|resource| [resource.group, resource.version]).collect();
    found.dedup();
    found
}

/// All built-in resources.
pub(crate) fn all() -> impl Iterator<Item = &'static BuiltIn> {
    ALL.iter()
}
