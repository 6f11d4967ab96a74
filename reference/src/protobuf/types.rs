//! The types that have messages.

use super::table::Field;
use super::{definition, discovery, meta, resources};

/// The kind of the options of a deletion. Upstream says nothing more about them than the error.
pub(crate) const OPTIONS: &str = "DeleteOptions";

/// The table of a type that is read or written; `None` for a type that has no messages.
pub(super) fn table_of(api_version: &str, kind: &str) -> Option<&'static [Field]> {
    Some(match (api_version, kind) {
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition") => &definition::DEFINITION,
        ("apiextensions.k8s.io/v1", "CustomResourceDefinitionList") => &definition::DEFINITION_LIST,
        ("v1", "Namespace") => &resources::NAMESPACE,
        ("v1", "NamespaceList") => &resources::NAMESPACE_LIST,
        ("v1", "Event") => &resources::CORE_EVENT,
        ("v1", "EventList") => &resources::CORE_EVENT_LIST,
        ("events.k8s.io/v1", "Event") => &resources::EVENT,
        ("events.k8s.io/v1", "EventList") => &resources::EVENT_LIST,
        ("v1", "Status") => &meta::STATUS,
        ("v1", OPTIONS) => &meta::DELETE_OPTIONS,
        ("meta.k8s.io/v1" | "meta.k8s.io/v1beta1", "PartialObjectMetadata") => &meta::PARTIAL,
        ("meta.k8s.io/v1", "PartialObjectMetadataList") => &meta::PARTIAL_LIST,
        ("meta.k8s.io/v1beta1", "PartialObjectMetadataList") => &meta::PARTIAL_LIST_V1BETA1,
        // Some documents of the core group do not state their version.
        ("", "APIVersions") => &discovery::VERSIONS,
        ("v1", "APIGroupList") => &discovery::GROUP_LIST,
        ("v1", "APIGroup") => &discovery::GROUP,
        ("" | "v1", "APIResourceList") => &discovery::RESOURCE_LIST,
        ("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList") => &discovery::AGGREGATED,
        _ => return None,
    })
}
