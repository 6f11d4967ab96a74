//! The deletion of namespaces: their content is removed first, then their finalizer, then the namespace. The server
//! settles this before it responds, so clients see no delay.

use std::collections::BTreeMap;
use std::sync::Arc;

use crdible_semantics::managed_fields::Writer;
use serde_json::{Value, json};

use super::part::Part;
use super::tracked::namespace_fields;
use super::{FINALIZER, Namespaces, is_finalized};
use crate::kinds;
use crate::metadata::fields;
use crate::resources::definitions::{Registry, delete_all};
use crate::store::{Collection, Document, ListQuery};

/// The conditions of a deletion that nothing blocks: type, reason and message.
const UNBLOCKED: [(&str, &str, &str); 5] = [
    ("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    ("NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"),
    (
        "NamespaceDeletionContentFailure",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
    (REMAINING, "ContentRemoved", "All content successfully removed"),
    (HELD, "ContentHasNoFinalizers", "All content-preserving finalizers finished"),
];
const REMAINING: &str = "NamespaceContentRemaining";
const HELD: &str = "NamespaceFinalizersRemaining";

/// What is left in a namespace.
#[derive(Default)]
struct Remains {
    /// The number of objects by resource.
    resources: BTreeMap<String, usize>,
    /// The number of objects by finalizer that they wait for.
    finalizers: BTreeMap<String, usize>,
}

impl Namespaces {
    /// Continues the deletion of a namespace. Returns whether it is removed, or was not being deleted.
    pub(super) fn remove(&self, name: &str, registry: &Registry) -> bool {
        loop {
            let Some(stored) = self.collection.get(name) else { return true };
            if !fields::is_terminating(&stored.object.value()) {
                return true;
            }
            let mut object = stored.object.value().into_owned();
            let is_emptied = !has_finalizer(&object) || {
                let remains = delete_content(name, registry);
                set_conditions(&mut object, &remains, &registry.engine.now());
                remains.resources.is_empty()
            };
            if object != *stored.object.value() {
                // Conditions are stored in a separate write, before anything else.
                track(&mut object, &stored.object.value(), Part::Status, registry);
                let _ = self.collection.replace(name, stored.revision, Document::tree(object));
                continue;
            }
            if is_emptied && has_finalizer(&object) {
                drop_finalizer(&mut object);
                track(&mut object, &stored.object.value(), Part::Finalize, registry);
            }
            if is_finalized(&object) {
                if self.collection.remove(name, stored.revision).is_ok() {
                    return true;
                }
            } else if object == *stored.object.value()
                || self.collection.replace(name, stored.revision, Document::tree(object)).is_ok()
            {
                return false;
            }
        }
    }
}

/// Records the namespace controller as the manager of what it changed.
fn track(object: &mut Value, before: &Value, part: Part, registry: &Registry) {
    let writer = Writer::program("kube-controller-manager", registry.engine.now());
    registry.engine.semantics.track_fields(&namespace_fields(Some(part)), &writer, Some(before), object);
}

fn has_finalizer(object: &Value) -> bool {
    object["spec"]["finalizers"].as_array().is_some_and(|list| list.iter().any(|finalizer| finalizer == FINALIZER))
}

fn drop_finalizer(object: &mut Value) {
    let Some(spec) = object["spec"].as_object_mut() else { return };
    let mut finalizers = spec.remove("finalizers").unwrap_or_default();
    if let Some(list) = finalizers.as_array_mut() {
        list.retain(|finalizer| finalizer != FINALIZER);
        if !list.is_empty() {
            spec.insert("finalizers".into(), finalizers);
        }
    }
}

/// Deletes the content of a namespace. Returns what is left.
fn delete_content(name: &str, registry: &Registry) -> Remains {
    let built_in = kinds::all().filter(|resource| resource.namespaced).map(|resource| {
        // All versions share one collection.
        (format!("{}.{}", resource.plural, resource.group), registry.engine.store.collection(resource.plural))
    });
    let mut collections: Vec<(String, Arc<dyn Collection>)> = built_in.collect();
    {
        // Definitions that discovery does not show yet may have objects already.
        let serving = registry.serving();
        let groups = serving.group_names();
        let definitions = groups.iter().flat_map(|group| serving.group(group));
        let namespaced = definitions.filter(|definition| definition.namespaced);
        collections.extend(namespaced.map(|found| (found.name.clone(), Arc::clone(&found.instances))));
    }
    let (prefix, now) = (format!("{name}/"), registry.engine.now());
    let mut remains = Remains::default();
    for (resource, instances) in collections {
        if delete_all(&*instances, &prefix, &now) {
            continue;
        }
        let query = ListQuery { prefix: &prefix, after: None, revision: None, limit: 0, keep: None };
        let left = instances.list(&query).map(|page| page.items).unwrap_or_default();
        remains.resources.insert(resource, left.len());
        for (_, stored) in &left {
            for finalizer in fields::finalizers(&stored.object.value()) {
                *remains.finalizers.entry(finalizer.to_owned()).or_default() += 1;
            }
        }
    }
    remains
}

/// Sets the conditions that report what blocks the deletion. The time of a condition changes only with its status.
fn set_conditions(object: &mut Value, remains: &Remains, now: &str) {
    let list = |counts: &BTreeMap<String, usize>, verb: &str| {
        let items = counts.iter().map(|(name, count)| format!("{name} {verb} {count} resource instances"));
        items.collect::<Vec<_>>().join(", ")
    };
    let mut conditions = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
    for (kind, reason, message) in UNBLOCKED {
        let blocked = match kind {
            REMAINING if !remains.resources.is_empty() => Some((
                "SomeResourcesRemain",
                format!("Some resources are remaining: {}", list(&remains.resources, "has")),
            )),
            HELD if !remains.finalizers.is_empty() => Some((
                "SomeFinalizersRemain",
                format!("Some content in the namespace has finalizers remaining: {}", list(&remains.finalizers, "in")),
            )),
            _ => None,
        };
        let status = if blocked.is_some() { "True" } else { "False" };
        let (reason, message) = blocked.unwrap_or_else(|| (reason, message.to_owned()));
        let known = conditions.iter_mut().find(|condition| condition["type"] == kind);
        let time =
            known.as_ref().filter(|known| known["status"] == status).map(|known| known["lastTransitionTime"].clone());
        let condition = json!({
            "type": kind, "status": status, "lastTransitionTime": time.unwrap_or_else(|| now.into()),
            "reason": reason, "message": message,
        });
        match known {
            Some(known) => *known = condition,
            None => conditions.push(condition),
        }
    }
    object["status"]["conditions"] = conditions.into();
}
