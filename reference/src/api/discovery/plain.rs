//! Unaggregated discovery: one document per level (DISC-002..005).

use crdible_semantics::Semantics;
use serde_json::{Map, Value, json};

use super::{Group, Resource, Subresource, all_groups, find_group};
use crate::messages::request::{CHECKS, Health};
use crate::resources::definitions::Live;

/// `/api`.
pub(crate) fn core_versions() -> Value {
    json!({
        "kind": "APIVersions", "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": ""}],
    })
}

/// `/apis`.
pub(crate) fn groups(live: &Live, semantics: &Semantics) -> Value {
    let groups: Vec<Value> = all_groups(live, semantics).iter().map(group_entry).collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

/// `/apis/GROUP`; `None` for a group that serves nothing.
pub(crate) fn group(name: &str, live: &Live, semantics: &Semantics) -> Option<Value> {
    let mut entry = group_entry(&find_group(name, live, semantics)?);
    entry["kind"] = "APIGroup".into();
    entry["apiVersion"] = "v1".into();
    Some(entry)
}

/// `/apis/GROUP/VERSION`, `/api/v1`; `None` for a version that is not served.
pub(crate) fn resources(group: &str, version: &str, live: &Live, semantics: &Semantics) -> Option<Value> {
    let found = find_group(group, live, semantics)?;
    let found = found.versions.iter().find(|candidate| candidate.name == version)?;
    let entries = |resource: &Resource| {
        let parts = resource.subresources.iter().map(|part| subresource_entry(resource, *part));
        std::iter::once(resource_entry(resource)).chain(parts).collect::<Vec<_>>()
    };
    let resources: Vec<Value> = found.resources.iter().flat_map(entries).collect();
    let group_version = group_version(group, version);
    let mut list = json!({"kind": "APIResourceList", "groupVersion": group_version, "resources": resources});
    // Upstream leaves it out for the core group.
    if !group.is_empty() {
        list["apiVersion"] = "v1".into();
    }
    Some(list)
}

/// `/`: all root paths, in byte order.
pub(crate) fn paths(live: &Live, semantics: &Semantics) -> Value {
    let mut paths = Vec::new();
    for probe in Health::PROBES {
        paths.push(format!("/{probe}"));
        paths.extend(CHECKS.map(|check| format!("/{probe}/{check}")));
    }
    let fixed = ["/api", "/api/v1", "/apis", "/apis/", "/openapi/v2", "/openapi/v3", "/version"];
    paths.extend(fixed.map(str::to_owned));
    for group in all_groups(live, semantics) {
        let root = format!("/apis/{}", group.name);
        paths.extend(group.versions.iter().map(|version| format!("{root}/{}", version.name)));
        paths.push(root);
    }
    paths.sort_unstable();
    json!({ "paths": paths })
}

fn group_entry(group: &Group) -> Value {
    let versions: Vec<Value> = group
        .versions
        .iter()
        .map(|version| json!({"groupVersion": group_version(&group.name, &version.name), "version": version.name}))
        .collect();
    json!({"name": group.name, "preferredVersion": versions.first(), "versions": versions})
}

fn resource_entry(resource: &Resource) -> Value {
    let mut entry = Map::new();
    entry.insert("name".into(), resource.plural.as_str().into());
    entry.insert("singularName".into(), resource.singular.as_str().into());
    entry.insert("namespaced".into(), resource.namespaced.into());
    entry.insert("kind".into(), resource.kind.as_str().into());
    entry.insert("verbs".into(), resource.verbs.into());
    for (key, words) in [("shortNames", &resource.short_names), ("categories", &resource.categories)] {
        if !words.is_empty() {
            entry.insert(key.into(), words.clone().into());
        }
    }
    if let Some(hash) = &resource.storage_hash {
        entry.insert("storageVersionHash".into(), hash.as_str().into());
    }
    Value::Object(entry)
}

fn subresource_entry(resource: &Resource, part: Subresource) -> Value {
    let mut entry = json!({
        "name": format!("{}/{}", resource.plural, part.name()),
        "singularName": "",
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": part.verbs(),
    });
    if part == Subresource::Scale {
        entry["group"] = "autoscaling".into();
        entry["version"] = "v1".into();
        entry["kind"] = "Scale".into();
    }
    entry
}

fn group_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}
