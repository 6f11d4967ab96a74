//! A definition as typed values, read from its JSON in form.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `spec` of a definition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Spec {
    pub(super) group: String,
    pub(super) names: Names,
    pub(super) scope: String,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) versions: Vec<Version>,
    pub(super) conversion: Option<Conversion>,
    pub(super) preserve_unknown_fields: bool,
}

/// The names of a resource, as requested in `spec.names` and as accepted in `status.acceptedNames`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Names {
    /// The word in URLs.
    pub plural: String,
    /// What one object is called by people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub singular: String,
    /// Abbreviations for people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// `kind` of the objects.
    pub kind: String,
    /// `kind` of a list of them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub list_kind: String,
    /// Groups of resources for people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Version {
    pub(super) name: String,
    pub(super) served: bool,
    pub(super) storage: bool,
    pub(super) deprecated: bool,
    pub(super) deprecation_warning: Option<String>,
    pub(super) schema: Option<Validation>,
    pub(super) subresources: Option<Subresources>,
    pub(super) additional_printer_columns: Vec<Column>,
    pub(super) selectable_fields: Vec<SelectableField>,
}

impl Version {
    /// The JSON of `schema.openAPIV3Schema`.
    pub(super) fn schema_json(&self) -> Option<&Value> {
        self.schema.as_ref()?.open_api_v3_schema.as_ref()
    }

    pub(super) fn has_status(&self) -> bool {
        self.subresources.as_ref().is_some_and(|subresources| subresources.status.is_some())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Validation {
    #[serde(rename = "openAPIV3Schema")]
    pub(super) open_api_v3_schema: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Subresources {
    pub(super) status: Option<Value>,
    pub(super) scale: Option<Scale>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
pub(super) struct Scale {
    pub(super) spec_replicas_path: String,
    pub(super) status_replicas_path: String,
    pub(super) label_selector_path: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Column {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) type_name: String,
    pub(super) format: String,
    pub(super) description: String,
    pub(super) priority: i32,
    pub(super) json_path: String,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SelectableField {
    pub(super) json_path: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Conversion {
    pub(super) strategy: String,
    pub(super) webhook: Option<Webhook>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Webhook {
    pub(super) client_config: Option<ClientConfig>,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) conversion_review_versions: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ClientConfig {
    pub(super) url: Option<String>,
    pub(super) service: Option<Service>,
    pub(super) ca_bundle: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Service {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) path: Option<String>,
    pub(super) port: Option<i64>,
}

/// `status` of a definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Status {
    /// `None` is written as null: so it is right after a create (CRDVAL-018).
    pub(super) conditions: Option<Vec<Condition>>,
    pub(super) accepted_names: Names,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) stored_versions: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Condition {
    #[serde(rename = "type")]
    pub(super) type_name: String,
    pub(super) status: String,
    pub(super) last_transition_time: String,
    pub(super) reason: String,
    pub(super) message: String,
}

impl Spec {
    /// From a definition in form; a default one if it is not in form.
    pub(super) fn of(definition: &Value) -> Self {
        definition.get("spec").and_then(|spec| Self::deserialize(spec).ok()).unwrap_or_default()
    }

    pub(super) fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.storage)
    }

    /// Whether all versions have the same schema, which upstream then keeps once for all (CRDVAL-023).
    pub(super) fn shares_schema(&self) -> bool {
        self.shares(|version| version.schema.as_ref())
    }

    pub(super) fn shares_subresources(&self) -> bool {
        self.shares(|version| version.subresources.as_ref())
    }

    pub(super) fn shares_columns(&self) -> bool {
        self.shares(|version| Some(&version.additional_printer_columns))
    }

    pub(super) fn shares_selectable_fields(&self) -> bool {
        self.shares(|version| Some(&version.selectable_fields))
    }

    fn shares<T: PartialEq>(&self, part: impl Fn(&Version) -> Option<&T>) -> bool {
        self.versions.windows(2).all(|pair| part(&pair[0]) == part(&pair[1]))
    }
}

impl Status {
    /// From a definition in form; a default one if it is not in form.
    pub(super) fn of(definition: &Value) -> Self {
        definition.get("status").and_then(|status| Self::deserialize(status).ok()).unwrap_or_default()
    }

    pub(super) fn condition(&self, type_name: &str) -> Option<&Condition> {
        self.conditions.iter().flatten().find(|condition| condition.type_name == type_name)
    }

    pub(super) fn is_true(&self, type_name: &str) -> bool {
        self.condition(type_name).is_some_and(|condition| condition.status == "True")
    }

    /// Sets a condition; its time changes only with its status (LIFE-005).
    pub(super) fn set_condition(&mut self, type_name: &str, holds: bool, reason: &str, message: &str, now: &str) {
        let status = if holds { "True" } else { "False" };
        let mut condition = Condition {
            type_name: type_name.into(),
            status: status.into(),
            last_transition_time: now.into(),
            reason: reason.into(),
            message: message.into(),
        };
        let conditions = self.conditions.get_or_insert_default();
        match conditions.iter_mut().find(|present| present.type_name == type_name) {
            Some(present) => {
                if present.status == status {
                    condition.last_transition_time.clone_from(&present.last_transition_time);
                }
                *present = condition;
            }
            None => conditions.push(condition),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
