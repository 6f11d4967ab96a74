//! Aggregated discovery: all groups in one document (DISC-011).

use crdible_semantics::{Release, Semantics, release::Change};
use http::HeaderMap;
use http::header::{CACHE_CONTROL, HeaderValue, IF_NONE_MATCH};
use serde_json::{Value, json};

use super::{Group, Resource, Subresource, all_groups, built_in_group};
use crate::api::etag;
use crate::kinds;
use crate::messages::answer::Answer;
use crate::messages::representation::Format;
use crate::resources::definitions::Live;
use crate::wire::json;

/// The media type of the response. Clients check its parameters.
fn content_type(format: Format) -> &'static str {
    match format {
        Format::Json | Format::PrettyJson => "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        Format::Yaml => "application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        Format::Protobuf => "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    }
}

/// `/apis`.
pub(crate) fn aggregated_groups(live: &Live, semantics: &Semantics, format: Format, headers: &HeaderMap) -> Answer {
    list(&all_groups(live, semantics), semantics.release, format, headers)
}

/// `/api`.
pub(crate) fn aggregated_core(release: Release, format: Format, headers: &HeaderMap) -> Answer {
    let core: Vec<Group> = built_in_group("").into_iter().collect();
    list(&core, release, format, headers)
}

/// The list, or 304 if the client already has it. Any cache may keep it, but must revalidate it.
fn list(groups: &[Group], release: Release, format: Format, headers: &HeaderMap) -> Answer {
    let items: Vec<Value> = groups.iter().map(|group| item(group, release)).collect();
    let list = json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items,
    });
    // The same in every format, like upstream.
    let hash = etag::hash(&json::write(&list));
    let public = (CACHE_CONTROL, HeaderValue::from_static("public"));
    // Upstream compares the header as a whole, unlike for OpenAPI documents.
    let known = headers.get(IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == format!("\"{hash}\"").as_bytes());
    Answer { vary: true, headers: vec![public], ..Answer::bytes(content_type(format), format.write(&list).into()) }
        .tagged(&hash, known)
}

fn item(group: &Group, release: Release) -> Value {
    let versions = group.versions.iter().map(|version| {
        let mut resources: Vec<&Resource> = version.resources.iter().collect();
        resources.sort_by(|a, b| a.plural.cmp(&b.plural));
        let resources: Vec<Value> =
            resources.into_iter().map(|resource| entry(resource, &group.name, &version.name)).collect();
        json!({"version": version.name, "resources": resources, "freshness": "Current"})
    });
    let versions: Vec<Value> = versions.collect();
    let mut metadata = if group.name.is_empty() { json!({}) } else { json!({"name": group.name}) };
    if !release.has(Change::NoNullCreationTime) {
        metadata["creationTimestamp"] = Value::Null;
    }
    json!({"metadata": metadata, "versions": versions})
}

fn entry(resource: &Resource, group: &str, version: &str) -> Value {
    // For built-in resources, upstream leaves both empty.
    let (group, version) = if kinds::has_group(group) { ("", "") } else { (group, version) };
    let mut entry = json!({
        "resource": resource.plural,
        "responseKind": {"group": group, "version": version, "kind": resource.kind},
        "scope": if resource.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": resource.singular,
        "verbs": resource.verbs,
    });
    for (key, words) in [("shortNames", &resource.short_names), ("categories", &resource.categories)] {
        if !words.is_empty() {
            entry[key] = words.clone().into();
        }
    }
    let parts: Vec<Value> = resource
        .subresources
        .iter()
        .map(|part| {
            let kind = match part {
                Subresource::Status | Subresource::Finalize => entry["responseKind"].clone(),
                Subresource::Scale => json!({"group": "autoscaling", "version": "v1", "kind": "Scale"}),
            };
            json!({"subresource": part.name(), "responseKind": kind, "verbs": part.verbs()})
        })
        .collect();
    if !parts.is_empty() {
        entry["subresources"] = parts.into();
    }
    entry
}
