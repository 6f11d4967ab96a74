//! What a run creates and must remove again: the resources, and one object of them.
//!
//! The clean-up of a run, what `doctor` lists and removes, and the permissions in `deploy/guest.yaml` follow from
//! [`CREATED`]. Objects of a definition are in no row: they are removed with it.

use std::fmt;

use serde_json::{Value, json};

use crate::marks::DEFINITIONS;

/// A resource of the whole cluster of which a run creates objects. Each of them has the marks of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CreatedResource {
    /// The path of its collection.
    pub path: &'static str,
    /// What messages call one of its objects.
    pub noun: &'static str,
    /// The finalizer by which a server removes the instances of an object before the object itself (LIFE-015): without
    /// it they would stay in storage (LIFE-021). None if its objects have no instances.
    pub(crate) servers_finalizer: Option<&'static str>,
}

const DEFINITION: CreatedResource = CreatedResource {
    path: DEFINITIONS,
    noun: "definition",
    servers_finalizer: Some("customresourcecleanup.apiextensions.k8s.io"),
};

/// The resources of which a run creates objects.
pub const CREATED: [CreatedResource; 1] = [DEFINITION];

/// An object that a run created, or may have created.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CreatedObject {
    /// Its resource.
    pub resource: CreatedResource,
    /// Its name.
    pub name: String,
}

impl CreatedObject {
    /// The definition with this name.
    pub fn definition(name: impl Into<String>) -> Self {
        Self { resource: DEFINITION, name: name.into() }
    }

    /// The path of the object.
    pub fn path(&self) -> String {
        format!("{}/{}", self.resource.path, self.name)
    }
}

/// Its name.
impl fmt::Display for CreatedObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// How many objects there are of each resource, and what one of them is called. Resources without any are left out.
pub fn counts(objects: &[CreatedObject]) -> impl Iterator<Item = (usize, &'static str)> {
    let count = |resource: CreatedResource| objects.iter().filter(|object| object.resource == resource).count();
    CREATED.into_iter().map(move |resource| (count(resource), resource.noun)).filter(|(count, _)| *count > 0)
}

/// The document of a definition in a group, with these names and without a conversion.
pub(crate) fn definition(
    metadata: &Value,
    group: &str,
    scope: &str,
    plural: &str,
    kind: &str,
    versions: &Value,
) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": group,
            "scope": scope,
            "names": {
                "plural": plural, "singular": kind.to_lowercase(), "kind": kind, "listKind": format!("{kind}List"),
            },
            "versions": versions,
        },
    })
}

/// The collections of the instances of a definition, one for each served version.
pub(crate) fn collections(definition: &Value) -> Vec<String> {
    let spec = &definition["spec"];
    let (Some(group), Some(plural)) = (spec["group"].as_str(), spec["names"]["plural"].as_str()) else {
        return Vec::new();
    };
    let versions = spec["versions"].as_array().into_iter().flatten().filter(|version| version["served"] == true);
    let names = versions.filter_map(|version| version["name"].as_str());
    names.map(|version| format!("/apis/{group}/{version}/{plural}")).collect()
}

/// The merge patch after which a definition forbids nothing, and serves each version: then any stored object can be
/// updated, so that its finalizers can be removed (LIFE-016). Only for a definition that does forbid something:
/// kube-apiserver may take more than a minute to remove one that changed while it was going.
pub(crate) fn loosened(definition: &Value) -> Value {
    let anything = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let version = |version: &Value| {
        let mut version = version.clone();
        version["served"] = json!(true);
        version["schema"] = json!({ "openAPIV3Schema": anything });
        if let Some(fields) = version.as_object_mut() {
            // Their fields must be in the schema.
            fields.remove("selectableFields");
        }
        version
    };
    let versions: Vec<Value> = definition["spec"]["versions"].as_array().into_iter().flatten().map(version).collect();
    json!({ "spec": { "conversion": { "strategy": "None", "webhook": null }, "versions": versions } })
}

/// The objects in a list of such a collection that finalizers keep from being removed, each with its path.
pub(crate) fn held<'a>(collection: &str, list: &'a Value) -> impl Iterator<Item = (String, &'a Value)> {
    let items = list["items"].as_array().into_iter().flatten().filter(|item| has_finalizers(item));
    items.filter_map(move |item| Some((path_of_instance(collection, &item["metadata"])?, item)))
}

/// Whether an object has finalizers.
pub(crate) fn has_finalizers(object: &Value) -> bool {
    object["metadata"]["finalizers"].as_array().is_some_and(|names| !names.is_empty())
}

/// Whether an answer with this code says that the server has no such method, or no patches of this type.
pub(crate) fn lacks_patches(status: u16) -> bool {
    matches!(status, 405 | 415 | 501)
}

/// The object without finalizers, for a PUT.
pub(crate) fn released(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("finalizers");
    }
    object
}

/// The path of an object with this metadata in the collection of all namespaces: `/apis/G/V/PLURAL/NAME` or
/// `/apis/G/V/namespaces/NS/PLURAL/NAME`.
fn path_of_instance(collection: &str, metadata: &Value) -> Option<String> {
    let name = metadata["name"].as_str()?;
    match metadata["namespace"].as_str() {
        None => Some(format!("{collection}/{name}")),
        Some(namespace) => {
            let (prefix, plural) = collection.rsplit_once('/')?;
            Some(format!("{prefix}/namespaces/{namespace}/{plural}/{name}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{CREATED, collections, held, loosened};

    fn texts<'a>(rule: &'a Value, field: &str) -> BTreeSet<&'a str> {
        rule[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Beside the rules for objects of its definitions, which are for any group, and those for paths.
    #[test]
    fn the_permissions_of_a_guest_are_those_for_what_a_run_creates() {
        let manifest = include_bytes!("../../deploy/guest.yaml");
        let manifest = crdible_reference::yaml::read(manifest).expect("YAML");
        let rules = manifest["rules"].as_array().expect("a list of rules");
        let mut needed: BTreeSet<(&str, &str)> = BTreeSet::new();
        for resource in CREATED {
            let segments: Vec<&str> = resource.path.split('/').collect();
            let ["", "apis", group, _, plural] = segments[..] else { panic!("{}", resource.path) };
            let is_about =
                |rule: &&Value| texts(rule, "apiGroups").contains(group) && texts(rule, "resources").contains(plural);
            let rule = rules.iter().find(is_about).unwrap_or_else(|| panic!("no rule is about {plural}"));
            let verbs = texts(rule, "verbs");
            assert_eq!(verbs, BTreeSet::from(["create", "get", "list", "update", "patch", "delete"]), "{plural}");
            needed.insert((group, plural));
        }
        for rule in rules {
            for group in texts(rule, "apiGroups").into_iter().filter(|group| *group != "*") {
                for resource in texts(rule, "resources") {
                    let plural = resource.split('/').next().unwrap_or_default();
                    assert!(needed.contains(&(group, plural)), "{resource} of {group} is not needed");
                }
            }
        }
    }

    #[test]
    fn instances_are_found_at_each_served_version_and_in_each_namespace() {
        let version = |name: &str, served: bool| json!({ "name": name, "served": served });
        let versions = [version("v1", true), version("v2", false), version("v3", true)];
        let definition = json!({ "spec": { "group": "g", "names": { "plural": "things" }, "versions": versions } });
        assert_eq!(collections(&definition), ["/apis/g/v1/things", "/apis/g/v3/things"]);
        let list = json!({ "items": [
            { "metadata": { "name": "a", "finalizers": ["f"] } },
            { "metadata": { "name": "b", "finalizers": [] } },
            { "metadata": { "name": "c", "namespace": "n", "finalizers": ["f"] } },
        ] });
        let paths: Vec<String> = held("/apis/g/v1/things", &list).map(|(path, _)| path).collect();
        assert_eq!(paths, ["/apis/g/v1/things/a", "/apis/g/v1/namespaces/n/things/c"]);
    }

    #[test]
    fn a_loosened_definition_keeps_what_does_not_forbid() {
        let version = json!({
            "name": "v1", "served": false, "storage": true, "subresources": { "status": {} },
            "schema": { "openAPIV3Schema": { "type": "string" } }, "selectableFields": [{ "jsonPath": ".a" }],
        });
        let patch = loosened(&json!({ "metadata": { "name": "n" }, "spec": { "versions": [version] } }));
        let anything = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        let version = json!({
            "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
            "schema": { "openAPIV3Schema": anything },
        });
        let spec = json!({ "conversion": { "strategy": "None", "webhook": null }, "versions": [version] });
        assert_eq!(patch, json!({ "spec": spec }));
    }
}
