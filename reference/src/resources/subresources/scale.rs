//! `/scale`: an object as a `Scale` of `autoscaling/v1` (SUB-019..031).

use std::sync::{Arc, LazyLock};

use crdible_semantics::Semantics;
use crdible_semantics::definition::Scale;
use crdible_semantics::managed_fields::{ScaleFields, Writer};
use serde_json::{Map, Value, json};

use crate::base::status::Failure;
use crate::engine::{BodyForm, Purpose};
use crate::kinds::{Kind, SCALE, SCALE_COLUMNS, SCALE_FIELDS};
use crate::messages::representation::Shown;
use crate::messages::table::Columns;
use crate::metadata::fields;
use crate::resources::definitions::Definition;
use crate::wire::shape::decode_object;

/// Represents a missing number of replicas while a patch is applied (SUB-024 `[Q]`).
const NO_REPLICAS: i64 = i32::MIN as i64;

/// The metadata fields that `/scale` shows (SUB-021).
const SHOWN_METADATA: [&str; 5] = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"];

static KIND: LazyLock<Kind> = LazyLock::new(|| Kind {
    group: "autoscaling".into(),
    api_version: "autoscaling/v1".into(),
    plural: "scales".into(),
    kind: "Scale".into(),
    list_kind: String::new(),
});

/// The `/scale` form of the objects of a definition.
pub(crate) struct ScaleForm<'a> {
    pub(crate) semantics: &'a Semantics,
    pub(crate) scale: &'a Scale,
    pub(crate) definition: &'a Definition,
    /// The version of the request.
    pub(crate) api_version: &'a str,
}

impl BodyForm for ScaleForm<'_> {
    fn kind(&self) -> &Kind {
        &KIND
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        decode_object(self.semantics, object, &SCALE)
    }

    fn show(&self, object: Shown, purpose: Purpose) -> Result<Shown, Failure> {
        let object = object.into_value();
        let replicas = self.semantics.read_replicas(&object, self.scale).map_err(Failure::without_reason)?;
        let wanted = match (replicas.wanted, purpose) {
            (Some(wanted), _) => wanted,
            (None, Purpose::Written) => 0,
            (None, Purpose::Patching) => NO_REPLICAS,
            (None, Purpose::Reading) => return Err(Failure::internal(self.no_replicas("does not exist"))),
        };
        let mut spec = Map::new();
        if wanted != 0 {
            spec.insert("replicas".into(), wanted.into());
        }
        let mut status = Map::from_iter([("replicas".to_owned(), Value::from(replicas.present))]);
        if !replicas.selector.is_empty() {
            status.insert("selector".into(), replicas.selector.into());
        }
        let mut metadata = fields::metadata(&object).cloned().unwrap_or_default();
        metadata.retain(|key, _| SHOWN_METADATA.contains(&key.as_str()));
        let scale = json!({
            "apiVersion": KIND.api_version, "kind": KIND.kind, "metadata": metadata, "spec": spec, "status": status,
        });
        Ok(scale.into())
    }

    fn wanted(&self, body: Value, old: &Value, writer: &Writer) -> Result<Value, Failure> {
        // The old values are read first, because they must have the right types (SUB-028).
        let before = self.semantics.read_replicas(old, self.scale).map_err(Failure::without_reason)?.wanted;
        let replicas = body.pointer("/spec/replicas").and_then(Value::as_i64).unwrap_or_default();
        if replicas == NO_REPLICAS {
            return Err(Failure::bad_request(self.no_replicas("cannot be empty")));
        }
        let mut object = old.clone();
        self.semantics.write_replicas(&mut object, self.scale, replicas).map_err(Failure::internal)?;
        // Writing the current number changes nothing, not even its manager (SUB-026).
        if before != Some(replicas) {
            let fields = ScaleFields { paths: self.definition, api_version: self.api_version, scale: &SCALE_FIELDS };
            let before = self.show(old.clone().into(), Purpose::Patching)?.into_value();
            self.semantics.track_scale(&fields, writer, &before, &body, &mut object);
        }
        let revision = fields::text(&body, "resourceVersion");
        if !revision.is_empty() {
            fields::set(&mut object, "resourceVersion", revision);
        }
        Ok(object)
    }

    fn own_columns(&self) -> Option<Arc<Columns>> {
        static COLUMNS: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(Columns::of_kind(SCALE_COLUMNS)));
        Some(Arc::clone(&COLUMNS))
    }

    fn is_whole(&self) -> bool {
        false
    }

    fn may_be_unconditional(&self) -> bool {
        true
    }
}

impl ScaleForm<'_> {
    fn no_replicas(&self, why: &str) -> String {
        format!("the spec replicas field {:?} {why}", self.scale.spec_replicas_path)
    }
}
