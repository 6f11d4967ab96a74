//! The versions of definitions, compiled for serving.

use std::sync::{Arc, OnceLock};

use crdible_semantics::definition::{self, Scale, Spec, Status};
use crdible_semantics::managed_fields::FieldType;
use crdible_semantics::{Rules, Schema, Semantics, json};
use serde_json::Value;

use crate::base::status::Failure;
use crate::kinds::{Kind, METADATA_FIELDS};
use crate::messages::table::Columns;
use crate::store::{Reading, Stored};
use crate::webhooks::conversion::{Converter, Deadline};

/// One version of a definition.
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) kind: Kind,
    pub(crate) schema: Arc<Schema>,
    /// Identifies how its objects are read, for caches.
    pub(crate) reading: Reading,
    pub(crate) columns: Arc<Columns>,
    pub(crate) has_status: bool,
    /// The paths of `/scale`, if it is enabled.
    pub(crate) scale: Option<Scale>,
    /// Labels of the selectable fields, without those of metadata (FSEL-002).
    pub(crate) selectable: Vec<String>,
    /// The deprecation warning sent with every response (VER-012).
    pub(crate) deprecation: Option<String>,
    /// The type of its objects for field management, built when first needed.
    fields: OnceLock<Arc<FieldType>>,
    /// The rules of its objects, compiled when first needed.
    rules: OnceLock<Rules>,
}

impl Version {
    /// A version of a definition with this specification and status.
    pub(crate) fn of(version: &definition::Version, spec: &Spec, status: &Status, semantics: &Semantics) -> Self {
        // As it is read from the store: a default of 1.0 is 1.
        let stored = version.schema_json().map(|schema| {
            let mut stored = schema.clone();
            json::store_form(&mut stored);
            stored
        });
        let parsed = stored.and_then(|schema| Schema::parse(&schema).ok());
        Self {
            name: version.name.clone(),
            served: version.served,
            kind: Kind {
                group: spec.group.clone(),
                api_version: format!("{}/{}", spec.group, version.name),
                plural: spec.names.plural.clone(),
                kind: status.accepted_names.kind.clone(),
                list_kind: status.accepted_names.list_kind.clone(),
            },
            schema: Arc::new(parsed.map(|(schema, _)| schema).unwrap_or_default()),
            reading: Reading::unique(),
            columns: Arc::new(Columns::of_version(&version.additional_printer_columns)),
            has_status: version.has_status(),
            scale: version.subresources.as_ref().and_then(|subresources| subresources.scale.clone()),
            selectable: version.selectable_fields.iter().map(|field| field.label().to_owned()).collect(),
            deprecation: semantics.deprecation_warning(spec, version),
            fields: OnceLock::new(),
            rules: OnceLock::new(),
        }
    }

    /// The type of its objects for field management.
    pub(crate) fn fields(&self, semantics: &Semantics) -> Arc<FieldType> {
        let compile = || Arc::new(semantics.type_of_fields(&self.schema, &METADATA_FIELDS));
        Arc::clone(self.fields.get_or_init(compile))
    }

    /// The rules of its objects.
    pub(crate) fn rules(&self, semantics: &Semantics) -> &Rules {
        self.rules.get_or_init(|| Rules::of(&self.schema, semantics))
    }

    /// Reads a stored object at this version, without its `resourceVersion`. `versions` are all versions of the
    /// definition, between which `converter` converts.
    pub(crate) fn read(
        &self,
        stored: &Stored,
        versions: &[Self],
        semantics: &Semantics,
        converter: &Converter,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        let mut object = stored.object.value().into_owned();
        let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        let same_version = api_version == self.kind.api_version;
        let stored_version = if same_version {
            Some(self)
        } else {
            versions.iter().find(|version| version.kind.api_version == api_version)
        };
        let Some(stored_version) = stored_version else {
            let message = format!("request to convert CR from an invalid group/version: {api_version}");
            return Err(Failure::unexplained(message));
        };
        if !same_version && converter.uses_webhook() {
            semantics.read_stored(&mut object, &stored_version.schema);
            return converter.convert_and_settle(object, &self.kind.api_version, &self.schema, deadline);
        }
        semantics.read(&mut object, &stored_version.schema, &self.schema, same_version);
        if !same_version && let Some(root) = object.as_object_mut() {
            root.insert("apiVersion".into(), self.kind.api_version.as_str().into());
        }
        Ok(object)
    }
}
