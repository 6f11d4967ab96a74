//! Namespaces: enough of them that objects can live in one (REST-074).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use crdible_semantics::Violation;
use serde_json::{Value, json};

use crate::definitions::{Registry, delete_all};
use crate::engine::{BodyForm, Deletion, Engine, Kind, Resource, Update};
use crate::metadata::{fields, names};
use crate::patch::PatchType;
use crate::selectors::Field;
use crate::status::{Cause, Failure};
use crate::storage::{Collection, ListQuery, Stored};
use crate::table::Columns;
use crate::watch::{AsStored, Reader};

/// Namespaces that are there from the start.
const INITIAL: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// All namespaces.
pub(crate) struct Namespaces {
    collection: Arc<dyn Collection>,
    kind: Kind,
    /// How many are being deleted.
    terminating: AtomicUsize,
}

impl Namespaces {
    /// Makes the initial namespaces.
    pub(crate) fn new(engine: &Engine) -> Self {
        let collection = engine.store.collection("namespaces");
        for name in INITIAL {
            let object = json!({
                "apiVersion": "v1", "kind": "Namespace",
                "metadata": {
                    "name": name, "uid": engine.identities.uid(), "creationTimestamp": engine.now(),
                    "labels": {"kubernetes.io/metadata.name": name},
                },
                "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"},
            });
            // A store that was used before has it already.
            let _ = collection.insert(name, object);
        }
        let kind = Kind {
            group: String::new(),
            api_version: "v1".into(),
            plural: "namespaces".into(),
            kind: "Namespace".into(),
            list_kind: "NamespaceList".into(),
        };
        Self { collection, kind, terminating: AtomicUsize::new(0) }
    }

    /// Whether objects may be created in a namespace.
    pub(crate) fn admit(&self, namespace: &str, kind: &Kind, name: &str) -> Result<(), Failure> {
        let Some(stored) = self.collection.get(namespace) else {
            return Err(Failure::not_found("", "namespaces", namespace));
        };
        if !fields::is_terminating(&stored.object) {
            return Ok(());
        }
        let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
        let mut failure = Failure::forbidden(&kind.group, &kind.plural, name, &why);
        if let Some(details) = &mut failure.details {
            details.causes.push(Cause {
                reason: "NamespaceTerminating",
                message: format!("namespace {namespace} is being terminated"),
                field: "metadata.namespace".into(),
            });
        }
        Err(failure)
    }

    /// Goes on with the deletion of namespaces, if there are any to delete.
    pub(crate) fn settle_terminating(&self, registry: &Registry) {
        if self.terminating.load(Ordering::Relaxed) == 0 {
            return;
        }
        let terminating = |stored: &Stored| fields::is_terminating(&stored.object);
        let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: &terminating };
        let Ok(page) = self.collection.list(&query) else {
            return;
        };
        let mut left = 0;
        for (name, stored) in page.items {
            if !Self::empty(&name, registry) || self.collection.remove(&name, stored.revision).is_err() {
                left += 1;
            }
        }
        self.terminating.store(left, Ordering::Relaxed);
    }

    /// Deletes what is in a namespace; tells whether nothing is left.
    fn empty(name: &str, registry: &Registry) -> bool {
        let collections: Vec<Arc<dyn Collection>> = {
            let live = registry.live();
            let groups = live.group_names();
            let definitions = groups.iter().flat_map(|group| live.group(group));
            definitions
                .filter(|definition| definition.namespaced)
                .map(|definition| Arc::clone(&definition.instances))
                .collect()
        };
        let (prefix, now) = (format!("{name}/"), registry.engine.now());
        let mut empty = true;
        for instances in collections {
            empty &= delete_all(&*instances, &prefix, &now);
        }
        empty
    }
}

/// Namespaces as a resource of the engine.
pub(crate) struct NamespaceResource<'a> {
    pub(crate) namespaces: &'a Namespaces,
    pub(crate) registry: &'a Registry,
}

impl BodyForm for NamespaceResource<'_> {
    fn kind(&self) -> &Kind {
        &self.namespaces.kind
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        let mut unknown = self.registry.semantics.coerce_metadata(object).map_err(|error| error.to_string())?;
        let Some(root) = object.as_object_mut() else {
            return Err("not a JSON object".into());
        };
        root.retain(|key, _| {
            let known = ["apiVersion", "kind", "metadata", "spec", "status"].contains(&key.as_str());
            if !known {
                unknown.push(key.to_owned());
            }
            known
        });
        Ok(unknown)
    }
}

impl Update for NamespaceResource<'_> {
    fn prepare_update(&self, object: &mut Value, old: &Value) {
        for field in ["spec", "status"] {
            object[field] = old.get(field).cloned().unwrap_or_default();
        }
        label(object);
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn updated_violations(&self, _object: &Value, _old: &Value) -> Vec<Violation> {
        Vec::new()
    }
}

impl Resource for NamespaceResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        &self.namespaces.collection
    }

    fn field(&self, label: &str) -> Option<Field> {
        match label {
            "metadata.name" => Some(Field::Metadata("name")),
            "status.phase" => Some(Field::At(vec!["status".to_owned(), "phase".to_owned()])),
            _ => None,
        }
    }

    fn later_patch_types(&self) -> &[PatchType] {
        &[PatchType::Apply, PatchType::Strategic]
    }

    fn prepare_create(&self, object: &mut Value) {
        object["spec"] = json!({"finalizers": ["kubernetes"]});
        object["status"] = json!({"phase": "Active"});
        fields::remove(object, "generation");
        label(object);
    }

    fn name_rule(&self) -> fn(&str) -> Vec<&'static str> {
        names::label_faults
    }

    fn created_violations(&self, _object: &Value) -> Vec<Violation> {
        Vec::new()
    }

    fn encode(&self, mut object: Value) -> Result<Value, Failure> {
        fields::remove(&mut object, "generation");
        Ok(object)
    }

    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        AsStored.read(stored)
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(AsStored)
    }

    fn columns(&self) -> Arc<Columns> {
        static COLUMNS: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(Columns::of_namespaces()));
        Arc::clone(&COLUMNS)
    }

    fn deletion(&self, object: &Value, _propagation: Option<&str>, now: &str) -> Deletion {
        if fields::is_terminating(object) {
            return Deletion::Unchanged;
        }
        let mut marked = object.clone();
        fields::set(&mut marked, "deletionTimestamp", now);
        marked["status"] = json!({"phase": "Terminating"});
        Deletion::Keep(marked)
    }

    /// Its own finalizer stands in `spec`, so it goes with its content alone.
    fn goes_after_update(&self, _object: &Value) -> bool {
        false
    }

    fn written(&self, name: &str) {
        let stored = self.namespaces.collection.get(name);
        if stored.is_some_and(|stored| fields::is_terminating(&stored.object)) {
            self.namespaces.terminating.fetch_add(1, Ordering::Relaxed);
            self.namespaces.settle_terminating(self.registry);
        }
    }
}

/// The label that every namespace bears.
fn label(object: &mut Value) {
    let name = fields::text(object, "name").to_owned();
    if !name.is_empty()
        && let Some(metadata) = fields::metadata_mut(object)
    {
        let labels = metadata.entry("labels").or_insert_with(|| json!({}));
        if let Some(labels) = labels.as_object_mut() {
            labels.insert("kubernetes.io/metadata.name".into(), name.into());
        }
    }
}
