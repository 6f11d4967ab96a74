//! Custom resources (the objects of a definition) as a resource of the engine.

use std::sync::{Arc, LazyLock};

use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::release::Change;
use crdible_semantics::{RuleFindings, Schema, Semantics, Violation, json};
use serde_json::Value;

use crate::base::status::Failure;
use crate::engine::{Admission, BodyForm, Operation, Resource, Update};
use crate::kinds::Kind;
use crate::messages::patch::PatchType;
use crate::messages::selectors::SelectableField;
use crate::messages::table::Columns;
use crate::messages::watch::Reader;
use crate::metadata::fields;
use crate::resources::definitions::{Definition, Registry};
use crate::resources::instance_fields::InstanceFields;
use crate::resources::namespaces::Namespaces;
use crate::store::{Collection, Document, Life, Reading, Stored};
use crate::views::{Version, View};
use crate::webhooks::conversion::Deadline;

/// The objects of one definition at one version.
pub(crate) struct InstanceResource<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) namespaces: &'a Namespaces,
    pub(crate) definition: &'a Arc<Definition>,
    pub(crate) version: &'a Version,
    /// Whether CEL rules are not evaluated.
    pub(crate) ignore_rules: bool,
    /// Until when the request may wait for a webhook.
    pub(crate) deadline: Deadline,
}

impl InstanceResource<'_> {
    fn storage_version(&self) -> &Version {
        self.definition.versions.get(self.definition.storage).unwrap_or(self.version)
    }

    fn check_scale(&self, object: &Value, found: &mut Vec<Violation>) {
        if let Some(scale) = &self.version.scale {
            self.registry.engine.semantics.check_scale_spec(object, scale, found);
            self.registry.engine.semantics.check_scale_status(object, scale, found);
        }
    }
}

impl BodyForm for InstanceResource<'_> {
    fn kind(&self) -> &Kind {
        &self.version.kind
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        let decoded = self.registry.engine.semantics.decode(object, &self.version.schema);
        decoded.map(|decoded| decoded.unknown_fields).map_err(|error| error.to_string())
    }

    fn decode_other(&self, object: &mut Value) -> Result<Vec<String>, String> {
        let text = |field: &str| object.get(field).and_then(Value::as_str).unwrap_or_default();
        let group = text("apiVersion").split_once('/').map_or("", |(group, _)| group);
        // For a kind of this group, the schema is that of the body's own version; without such a version nothing is
        // known.
        let schema = if group == self.definition.group && text("kind") == self.kind().kind {
            self.definition.version_of(text("apiVersion")).map_or(&*NOTHING, |version| &version.schema)
        } else {
            &*ANYTHING
        };
        let decoded = self.registry.engine.semantics.decode(object, schema);
        decoded.map(|decoded| decoded.unknown_fields).map_err(|error| error.to_string())
    }
}

/// A schema that knows only what every object has.
static NOTHING: LazyLock<Arc<Schema>> = LazyLock::new(Arc::default);

/// A schema that decodes metadata and preserves everything else.
static ANYTHING: LazyLock<Arc<Schema>> =
    LazyLock::new(|| Arc::new(Schema { preserve_unknown_fields: Some(true), ..Schema::default() }));

impl Update for InstanceResource<'_> {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        let Self { definition, version, deadline, .. } = *self;
        let semantics = &*self.registry.engine.semantics;
        Box::new(InstanceFields { definition, version, is_status: false, semantics, deadline })
    }

    fn prepare_update(&self, object: &mut Value, old: &Value) {
        if self.version.has_status {
            self.registry.engine.semantics.keep_status(object, Some(old));
        }
    }

    fn next_generation(&self, object: &Value, old: &Value) -> Option<i64> {
        let changed = fields::differ_outside_metadata(object, old);
        Some(self.registry.controllers.next_generation(fields::generation(old), changed))
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        let mut found = self.registry.engine.semantics.object_violations(object, &self.version.schema, Some(old));
        self.check_scale(object, &mut found);
        found
    }

    fn rule_findings(&self, object: &Value, old: Option<&Value>, found: &[Violation]) -> RuleFindings {
        let semantics = &self.registry.engine.semantics;
        let rules = self.version.rules(semantics);
        if self.ignore_rules || rules.is_empty() {
            return RuleFindings::default();
        }
        match semantics.skipped_rules(found) {
            Some(skipped) => RuleFindings { violations: vec![skipped], warnings: Vec::new() },
            None => semantics.rule_findings(rules, object, &self.version.schema, old),
        }
    }

    fn warnings(&self, object: &Value, old: Option<&Value>) -> Vec<String> {
        let known: Vec<&str> = old.into_iter().flat_map(fields::finalizers).collect();
        let added = fields::finalizers(object).filter(|finalizer| !known.contains(finalizer));
        added.filter_map(finalizer_warning).collect()
    }
}

impl Resource for InstanceResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        &self.definition.instances
    }

    fn later_patch_types(&self) -> &[PatchType] {
        &[PatchType::Apply]
    }

    fn accepts_creates(&self) -> Result<(), Failure> {
        if !self.definition.terminating || self.registry.engine.semantics.release.has(Change::ForbiddenWhileTerminating)
        {
            return Ok(());
        }
        let kind = self.kind();
        let message = "create not allowed while custom resource definition is terminating";
        Err(Failure::method_not_allowed(&kind.group, &kind.plural, message))
    }

    fn admit(&self, write: &Admission<'_>) -> Result<(), Failure> {
        let Admission { operation: Operation::Create, namespace, name } = *write else { return Ok(()) };
        if self.definition.terminating {
            let kind = self.kind();
            let why = "create not allowed while custom resource definition is terminating";
            return Err(Failure::forbidden(&kind.group, &kind.plural, name, why));
        }
        namespace.map_or(Ok(()), |namespace| self.namespaces.admit(namespace, self.kind(), name))
    }

    fn prepare_create(&self, object: &mut Value) {
        fields::set(object, "generation", 1);
        if self.version.has_status {
            self.registry.engine.semantics.keep_status(object, None);
        }
    }

    fn is_namespaced(&self) -> bool {
        self.definition.namespaced
    }

    fn field(&self, label: &str) -> Option<SelectableField> {
        match label {
            "metadata.name" => Some(SelectableField::Name),
            "metadata.namespace" => self.definition.namespaced.then_some(SelectableField::Namespace),
            label if self.version.selectable.iter().any(|known| known == label) => {
                Some(SelectableField::At(label.split('.').map(str::to_owned).collect()))
            }
            _ => None,
        }
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        let mut found = self.registry.engine.semantics.object_violations(object, &self.version.schema, None);
        self.check_scale(object, &mut found);
        found
    }

    fn encode(&self, mut object: Value) -> Result<Document, Failure> {
        let storage = self.storage_version();
        if storage.name != self.version.name {
            let (converter, api_version) = (&self.definition.converter, &storage.kind.api_version);
            if converter.uses_webhook() {
                object = converter.convert_and_settle(object, api_version, &storage.schema, self.deadline)?;
            } else {
                object = converter.convert(object, api_version, None)?;
                self.registry.engine.semantics.encode(&mut object, &storage.schema);
            }
        }
        json::store_form(&mut object);
        Ok(Document::text(&object))
    }

    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        let Definition { converter, versions, .. } = &**self.definition;
        self.version.read(stored, versions, &self.registry.engine.semantics, converter, self.deadline)
    }

    fn reading(&self) -> Option<Reading> {
        Some(self.version.reading)
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(InstanceReader {
            semantics: Arc::clone(&self.registry.engine.semantics),
            definition: Arc::clone(self.definition),
            version: self.version.name.clone(),
        })
    }

    fn view(&self) -> Option<&View> {
        self.definition.views.as_ref()?.at(&self.version.name).map(|view| &**view)
    }

    fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Unlike for a write, a webhook gets the `resourceVersion` of an object that exists.
    fn round_trip(&self, mut object: Value) -> Result<Value, Failure> {
        let (storage, converter) = (self.storage_version(), &self.definition.converter);
        if storage.name == self.version.name || !converter.uses_webhook() {
            fields::remove(&mut object, "resourceVersion");
            return self.read(&Stored { revision: 0, object: self.encode(object)? });
        }
        let mut stored =
            converter.convert_and_settle(object, &storage.kind.api_version, &storage.schema, self.deadline)?;
        json::store_form(&mut stored);
        self.registry.engine.semantics.read_stored(&mut stored, &storage.schema);
        let Version { kind, schema, .. } = self.version;
        converter.convert_and_settle(stored, &kind.api_version, schema, self.deadline)
    }

    fn columns(&self) -> Arc<Columns> {
        Arc::clone(&self.version.columns)
    }

    fn life(&self) -> Option<Life> {
        Some(self.definition.life.clone())
    }

    fn written(&self, _name: &str) {
        // The definition may have started to terminate after this request was routed.
        let now = self.registry.find(&self.definition.group, &self.definition.plural);
        if now.is_some_and(|definition| definition.terminating) {
            self.registry.settle(&self.definition.name);
        }
        self.namespaces.settle_terminating(self.registry);
    }
}

/// Reads the objects of a watch.
struct InstanceReader {
    semantics: Arc<Semantics>,
    definition: Arc<Definition>,
    version: String,
}

impl Reader for InstanceReader {
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        let version = self
            .definition
            .served(&self.version)
            .ok_or_else(|| Failure::internal(format!("{} is not served any more", self.version)))?;
        let Definition { converter, versions, .. } = &*self.definition;
        version.read(stored, versions, &self.semantics, converter, None)
    }

    fn reading(&self) -> Option<Reading> {
        self.definition.served(&self.version).map(|version| version.reading)
    }
}

/// The warning for a newly added finalizer without a domain or a path (REST-070).
fn finalizer_warning(finalizer: &str) -> Option<String> {
    let advice = match finalizer {
        "orphan" | "foregroundDeletion" | "kubernetes" => return None,
        name if name.contains('/') => return None,
        name if name.contains('.') => "prefer a domain-qualified finalizer name including a path (/)",
        _ => "prefer a domain-qualified finalizer name",
    };
    Some(format!(
        "metadata.finalizers: \"{finalizer}\": {advice} to avoid accidental conflicts with other finalizer writers"
    ))
}
