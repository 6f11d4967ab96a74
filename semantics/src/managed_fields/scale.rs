//! Field management of `/scale`: who manages the number of replicas (SUB-026, SUB-029).

use std::sync::Arc;

use serde_json::{Value, json};

use super::entries::{Entry, Managers};
use super::metadata;
use super::set::FieldSet;
use super::track::managers_of;
use super::tracked::{NoType, Tracked};
use super::types::FieldType;
use super::writer::Writer;
use crate::Semantics;

/// The path of the number in a Scale.
const IN_SCALE: [&str; 2] = ["spec", "replicas"];
/// The version of Scales.
const VERSION: &str = "autoscaling/v1";

/// Field management of Scales, which have this type.
struct Scales<'t>(&'t Arc<FieldType>);

impl Tracked for Scales<'_> {
    fn api_version(&self) -> &str {
        VERSION
    }

    fn subresource(&self) -> &'static str {
        "scale"
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        if api_version == VERSION { Ok(Arc::clone(self.0)) } else { Err(NoType::Refused) }
    }

    fn blank(&self) -> Value {
        json!({"apiVersion": VERSION, "kind": "Scale"})
    }
}

/// Where the objects of a definition have the number of replicas.
pub trait ScalePaths {
    /// Whether the version exists.
    fn knows(&self, api_version: &str) -> bool;

    /// The path of the number in a version, if that has `/scale`.
    fn replicas_at(&self, api_version: &str) -> Option<Vec<&str>>;
}

/// Field management of an object whose number of replicas is written through `/scale`.
pub struct ScaleFields<'a> {
    /// Where the object has it.
    pub paths: &'a dyn ScalePaths,
    /// The version of the request.
    pub api_version: &'a str,
    /// The type of Scales.
    pub scale: &'a Arc<FieldType>,
}

impl ScaleFields<'_> {
    pub(crate) fn track(
        &self,
        semantics: &Semantics,
        writer: &Writer,
        before: &Value,
        after: &Value,
        object: &mut Value,
    ) {
        let present = managers_of(semantics, object);
        let (mut old_scale, mut new_scale) = (before.clone(), after.clone());
        metadata::set(&mut old_scale, semantics.write_managers(self.of_scale(&present)));
        semantics.track_fields(&Scales(self.scale), writer, Some(&old_scale), &mut new_scale);
        let written = self.of_object(present, managers_of(semantics, &new_scale));
        metadata::set(object, semantics.write_managers(written));
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
