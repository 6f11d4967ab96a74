//! Field management of `/scale`: who manages the number of replicas (SUB-026, SUB-029).

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::compile::of_model;
use super::entries::{self, Entry, Managers};
use super::set::FieldSet;
use super::tracked::{NoType, Tracked};
use super::types::Type;
use super::writer::Writer;
use super::{FIELD, managers_of, track};
use crate::api::openapi::SCALE;
use crate::metadata::fields;

/// The path of the number in a Scale.
const IN_SCALE: [&str; 2] = ["spec", "replicas"];
/// The version of Scales.
const VERSION: &str = "autoscaling/v1";

/// Field management of Scales.
struct Scales;

impl Tracked for Scales {
    fn api_version(&self) -> &str {
        VERSION
    }

    fn subresource(&self) -> &'static str {
        "scale"
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<Type>, NoType> {
        static TYPE: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(of_model(SCALE)));
        if api_version == VERSION { Ok(Arc::clone(&TYPE)) } else { Err(NoType::Refused) }
    }

    fn blank(&self) -> Value {
        json!({"apiVersion": VERSION, "kind": "Scale"})
    }
}

/// Where the objects of a definition have the number of replicas.
pub(crate) trait ScalePaths {
    /// Whether the version exists.
    fn knows(&self, api_version: &str) -> bool;

    /// The path of the number in a version, if that has `/scale`.
    fn replicas_at(&self, api_version: &str) -> Option<Vec<&str>>;
}

/// Field management of an object whose number of replicas is written through `/scale`.
pub(crate) struct ScaleFields<'a> {
    pub(crate) paths: &'a dyn ScalePaths,
    /// The version of the request.
    pub(crate) api_version: &'a str,
}

impl ScaleFields<'_> {
    /// Sets the `managedFields` of `object`, which already has the number of the Scale `after`.
    pub(crate) fn track(&self, writer: &Writer, before: &Value, after: &Value, object: &mut Value) {
        let present = managers_of(object);
        let (mut old_scale, mut new_scale) = (before.clone(), after.clone());
        fields::set(&mut old_scale, FIELD, entries::write(self.of_scale(&present)));
        track(&Scales, writer, Some(&old_scale), &mut new_scale);
        let written = self.of_object(present, managers_of(&new_scale));
        if written.is_empty() {
            fields::remove(object, FIELD);
        } else {
            fields::set(object, FIELD, entries::write(written));
        }
    }

    /// The managers of the number, as managers of a Scale.
    fn of_scale(&self, present: &Managers) -> Managers {
        let number = in_scale();
        let managers = present.iter().filter(|(_, entry)| {
            let path = self.paths.replicas_at(&entry.api_version);
            path.is_some_and(|path| entry.fields.has(&path))
        });
        let in_scale =
            |entry: &Entry| Entry { fields: number.clone(), api_version: VERSION.to_owned(), time: entry.time.clone() };
        managers.map(|(identity, entry)| (identity.clone(), in_scale(entry))).collect()
    }

    /// Removes the number from managers that lost it, and adds it to those that manage it now.
    fn of_object(&self, present: Managers, mut of_scale: Managers) -> Managers {
        let times: Vec<_> = present.iter().map(|(identity, entry)| (identity.clone(), entry.time.clone())).collect();
        let mut managers = Managers::new();
        for (identity, mut entry) in present {
            if !self.paths.knows(&entry.api_version) {
                continue;
            }
            let path = self.paths.replicas_at(&entry.api_version).filter(|path| entry.fields.has(path));
            if let Some(path) = path
                && of_scale.remove(&identity).is_none()
            {
                let mut number = FieldSet::default();
                number.insert(&path);
                entry.fields = entry.fields.difference(&number);
                if entry.fields.is_empty() {
                    continue;
                }
            }
            managers.insert(identity, entry);
        }
        let path = self.paths.replicas_at(self.api_version).unwrap_or_default();
        for (identity, entry) in of_scale {
            if !entry.fields.has(&IN_SCALE) {
                continue;
            }
            let mut fields = FieldSet::default();
            fields.insert(&path);
            let time = times.iter().find(|(known, _)| *known == identity).and_then(|(_, time)| time.clone());
            managers.insert(identity, Entry { fields, api_version: self.api_version.to_owned(), time });
        }
        managers
    }
}

fn in_scale() -> FieldSet {
    let mut set = FieldSet::default();
    set.insert(&IN_SCALE);
    set
}
