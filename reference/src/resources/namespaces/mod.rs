//! Namespaces (REST-074).

mod part;
mod part_update;
mod removal;
mod resource;
mod tracked;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crdible_semantics::managed_fields::Writer;
use serde_json::{Value, json};

pub(crate) use part::Part;
pub(crate) use part_update::PartUpdate;
pub(crate) use resource::NamespaceResource;
use tracked::namespace_fields;

use crate::base::status::{Cause, Failure};
use crate::engine::Engine;
use crate::kinds::{Kind, NAMESPACE};
use crate::metadata::fields;
use crate::resources::definitions::Registry;
use crate::store::{Collection, Document, ListQuery, Stored};

/// The finalizer that is removed once a namespace that is being deleted is empty.
const FINALIZER: &str = "kubernetes";
/// Namespaces that exist from the start.
const INITIAL: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// All namespaces.
pub(crate) struct Namespaces {
    collection: Arc<dyn Collection>,
    /// The number of namespaces that are being deleted.
    terminating: AtomicUsize,
}

impl Namespaces {
    /// Opens the collection of namespaces, and creates the initial ones.
    pub(crate) fn new(engine: &Engine) -> Self {
        let collection = engine.store.collection(NAMESPACE.plural);
        for name in INITIAL {
            let mut object = json!({
                "apiVersion": "v1", "kind": "Namespace",
                "metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name}},
            });
            let writer = Writer::program("kube-apiserver", engine.now());
            engine.semantics.track_fields(&namespace_fields(None), &writer, None, &mut object);
            object["spec"] = json!({"finalizers": [FINALIZER]});
            object["status"] = json!({"phase": "Active"});
            fields::set(&mut object, "uid", engine.identities.uid());
            fields::set(&mut object, "creationTimestamp", engine.now());
            // Fails if the store was used before and has it already.
            let _ = collection.insert(name, Document::tree(object));
        }
        Self { collection, terminating: AtomicUsize::new(0) }
    }

    /// Checks whether objects may be created in a namespace.
    pub(crate) fn admit(&self, namespace: &str, kind: &Kind, name: &str) -> Result<(), Failure> {
        let Some(stored) = self.collection.get(namespace) else {
            return Err(Failure::not_found("", "namespaces", namespace));
        };
        if !fields::is_terminating(&stored.object.value()) {
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

    /// Settles the consequences of writing a namespace.
    fn settle(&self, name: &str, registry: &Registry) {
        let stored = self.collection.get(name);
        if stored.is_some_and(|stored| fields::is_terminating(&stored.object.value())) {
            self.terminating.fetch_add(1, Ordering::Relaxed);
            self.settle_terminating(registry);
        }
    }

    /// Continues the deletion of namespaces, if any is being deleted.
    pub(crate) fn settle_terminating(&self, registry: &Registry) {
        if self.terminating.load(Ordering::Relaxed) == 0 {
            return;
        }
        let terminating = |stored: &Stored| fields::is_terminating(&stored.object.value());
        let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: Some(&terminating) };
        let Ok(page) = self.collection.list(&query) else {
            return;
        };
        let left = page.items.iter().filter(|(name, _)| !self.remove(name, registry)).count();
        self.terminating.store(left, Ordering::Relaxed);
    }
}

/// Whether a namespace is being deleted and has no finalizers left.
fn is_finalized(object: &Value) -> bool {
    let finalizers = object["spec"]["finalizers"].as_array();
    fields::is_terminating(object)
        && finalizers.is_none_or(Vec::is_empty)
        && fields::finalizers(object).next().is_none()
}
