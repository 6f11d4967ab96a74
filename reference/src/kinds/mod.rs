//! The built-in kinds, each declared once: what it is called, what it can do, its fields and its columns. Routing,
//! discovery, `OpenAPI`, protobuf, tables, and the decoding of bodies follow from this.
//!
//! A new kind is a file here, a row in [`ALL`], a variant of [`Served`] and the code that serves it.

mod built_in;
mod column;
mod declaration;
mod definition;
mod dialect;
mod discovery;
mod event;
mod kind;
mod meta;
mod models;
mod namespace;
mod scale;
mod schema;

pub(crate) use built_in::{BuiltIn, Served};
pub(crate) use column::{Column, NAME};
pub(crate) use declaration::{Content, Count, Element, Field, Presence, Topology, Type};
pub(crate) use definition::DEFINITION;
pub(crate) use dialect::Dialect;
pub(crate) use event::{CORE_EVENT, EVENT};
pub(crate) use kind::Kind;
pub(crate) use meta::{API_VERSION, DELETE_OPTIONS, KIND, LIST_META, OBJECT_META, PATCH, STATUS};
pub(crate) use models::{METADATA_FIELDS, Models, SCALE_FIELDS, group_version_kind};
pub(crate) use namespace::NAMESPACE;
pub(crate) use scale::{SCALE, SCALE_COLUMNS};

/// Groups in upstream's order of priority; within a group sorted by name.
static ALL: [&BuiltIn; 4] = [&CORE_EVENT, &NAMESPACE, &EVENT, &DEFINITION];

/// All built-in resources.
pub(crate) fn all() -> impl Iterator<Item = &'static BuiltIn> {
    ALL.into_iter()
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

/// The type of a document that is read or written in protobuf; `None` for one that has no messages.
pub(crate) fn type_of(api_version: &str, kind: &str) -> Option<&'static Type> {
    Some(match (api_version, kind) {
        ("v1", "Status") => &STATUS,
        ("v1", "DeleteOptions") => &DELETE_OPTIONS,
        ("meta.k8s.io/v1" | "meta.k8s.io/v1beta1", "PartialObjectMetadata") => &meta::PARTIAL,
        ("meta.k8s.io/v1", "PartialObjectMetadataList") => &meta::PARTIAL_LIST,
        ("meta.k8s.io/v1beta1", "PartialObjectMetadataList") => &meta::PARTIAL_LIST_V1BETA1,
        // Some documents of the core group do not state their version.
        ("", "APIVersions") => &discovery::VERSIONS,
        ("v1", "APIGroupList") => &discovery::GROUP_LIST,
        ("v1", "APIGroup") => &discovery::GROUP,
        ("" | "v1", "APIResourceList") => &discovery::RESOURCE_LIST,
        ("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList") => &discovery::AGGREGATED,
        (api_version, kind) => all().map(|own| (own, own.names())).find_map(|(own, names)| match kind {
            _ if names.api_version != api_version => None,
            kind if kind == names.kind => Some(own.object),
            kind if kind == names.list_kind => Some(own.list),
            _ => None,
        })?,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn fields_have_names_and_numbers_of_their_own() {
        let mut open: Vec<&Type> =
            all().flat_map(|own| [own.object, own.list]).chain([&STATUS, &DELETE_OPTIONS]).collect();
        let mut seen = BTreeSet::new();
        while let Some(of) = open.pop() {
            if seen.insert(of.name) {
                let fields = || of.fields();
                let names: BTreeSet<_> = fields().map(|field| field.name).collect();
                assert_eq!(names.len(), fields().count(), "{}", of.name);
                let numbered = || fields().map(|field| field.number).filter(|number| *number > 0);
                assert_eq!(numbered().collect::<BTreeSet<_>>().len(), numbered().count(), "{}", of.name);
                open.extend(fields().filter_map(Field::target));
            }
        }
        assert!(seen.len() > 40, "{seen:?}");
    }
}
