//! Events as a resource of the engine.

use std::sync::{Arc, LazyLock};

use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::{Violation, name};
use serde_json::Value;

use super::tracked::event_fields;
use super::{EventVersion, Events, columns, conversion, validation};
use crate::base::status::Failure;
use crate::engine::{Admission, BodyForm, Deletion, MetadataCheck, Operation, Resource, Update, by_finalizers};
use crate::kinds::Kind;
use crate::messages::patch::PatchType;
use crate::messages::request::ResourcePath;
use crate::messages::selectors::SelectableField;
use crate::messages::table::Columns;
use crate::messages::watch::Reader;
use crate::resources::definitions::Registry;
use crate::resources::namespaces::Namespaces;
use crate::store::{Collection, Document, Reading, Stored};
use crate::wire::shape::decode_object;

/// Selectable fields of the object that an event is about.
const OBJECT_FIELDS: [&str; 7] = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/// Events in one version.
pub(crate) struct EventResource<'a> {
    pub(crate) events: &'a Events,
    pub(crate) namespaces: &'a Namespaces,
    pub(crate) registry: &'a Registry,
    pub(crate) version: EventVersion,
}

/// An event converted to the core version.
fn core(event: &Value) -> Value {
    let mut event = event.clone();
    conversion::convert(&mut event, EventVersion::Core);
    event
}

impl BodyForm for EventResource<'_> {
    fn kind(&self) -> &Kind {
        self.version.kind().names()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        decode_object(&self.registry.engine.semantics, object, self.version.kind().object)
    }
}

impl Update for EventResource<'_> {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        Box::new(event_fields(self.version))
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        validation::updated(&core(object), &core(old), self.version)
    }
}

impl Resource for EventResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        self.events.collection()
    }

    fn is_namespaced(&self) -> bool {
        true
    }

    fn is_cached(&self) -> bool {
        false
    }

    fn is_declarative(&self) -> bool {
        true
    }

    fn lacks_method(&self, path: &ResourcePath, method: &str) -> bool {
        path.namespace.is_none() && method != "GET"
    }

    fn takes_any_revision(&self) -> bool {
        true
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn model(&self) -> Option<&'static Value> {
        Some(self.version.kind().model())
    }

    fn later_patch_types(&self) -> &[PatchType] {
        &[PatchType::Apply]
    }

    fn admit(&self, write: &Admission<'_>) -> Result<(), Failure> {
        let Admission { operation: Operation::Create, namespace, name } = *write else { return Ok(()) };
        namespace.map_or(Ok(()), |namespace| self.namespaces.admit(namespace, self.kind(), name))
    }

    fn name_rule(&self) -> fn(&str) -> Vec<&'static str> {
        match self.version {
            EventVersion::Core => name::path_segment_faults,
            EventVersion::Events => name::dns1123_subdomain_faults,
        }
    }

    fn metadata_check(&self) -> MetadataCheck {
        match self.version {
            EventVersion::Core => MetadataCheck::ByServer,
            EventVersion::Events => MetadataCheck::ByType,
        }
    }

    /// The core group in both versions, since upstream's internal type belongs to it.
    fn kind_in_errors(&self) -> (&str, &str) {
        ("", "Event")
    }

    fn kind_in_precondition_errors(&self, _is_one_of_many: bool) -> (&str, &str) {
        self.kind_in_errors()
    }

    fn field(&self, label: &str) -> Option<SelectableField> {
        let at = |keys: &[&str]| SelectableField::At(keys.iter().map(|key| (*key).to_owned()).collect());
        let (object, reporter) = match self.version {
            EventVersion::Core => ("involvedObject", "reportingComponent"),
            EventVersion::Events => ("regarding", "reportingController"),
        };
        match label {
            "metadata.name" => Some(SelectableField::Name),
            "metadata.namespace" => Some(SelectableField::Namespace),
            "reason" | "type" => Some(at(&[label])),
            "source" if self.version == EventVersion::Core => {
                let places = [vec!["source".to_owned(), "component".to_owned()], vec![reporter.to_owned()]];
                Some(SelectableField::FirstOf(places.into()))
            }
            label if label == reporter => Some(at(&[reporter])),
            label => {
                let field = label.strip_prefix(object)?.strip_prefix('.')?;
                OBJECT_FIELDS.contains(&field).then(|| at(&[object, field]))
            }
        }
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        validation::created(&core(object), self.version)
    }

    fn encode(&self, mut object: Value) -> Result<Document, Failure> {
        conversion::convert(&mut object, EventVersion::Core);
        // Kept as text, since there may be many events.
        Ok(Document::text(&object))
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(EventReader(self.version))
    }

    fn columns(&self) -> Arc<Columns> {
        columns::columns(self.version)
    }

    /// Nothing depends on an event, so the propagation policy is ignored.
    fn deletion(&self, object: &Value, _propagation: Option<&str>, now: &str) -> Deletion {
        by_finalizers(object, Some("Background"), now)
    }

    fn written(&self, _name: &str) {
        self.events.record_write();
        self.namespaces.settle_terminating(self.registry);
    }
}

/// Reads events in a version.
struct EventReader(EventVersion);

impl Reader for EventReader {
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        let mut event = stored.object.value().into_owned();
        conversion::convert(&mut event, self.0);
        Ok(event)
    }

    fn reading(&self) -> Option<Reading> {
        static CORE: LazyLock<Reading> = LazyLock::new(Reading::unique);
        (self.0 == EventVersion::Core).then(|| *CORE)
    }
}
