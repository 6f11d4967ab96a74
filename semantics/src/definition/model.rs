//! A definition as typed values, read from its JSON in form.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `spec` of a definition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// The API group.
    pub group: String,
    /// The names that are asked for.
    pub names: Names,
    /// `Cluster` or `Namespaced`.
    pub scope: String,
    /// The versions, in the order of the document.
    #[serde(deserialize_with = "null_is_empty")]
    pub versions: Vec<Version>,
    /// How objects get from one version to another.
    pub conversion: Option<Conversion>,
    /// Whether unknown fields stay everywhere, as definitions before v1 had it (CRDVAL-028).
    pub preserve_unknown_fields: bool,
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

/// One version of a definition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Version {
    /// The word in URLs and in `apiVersion`.
    pub name: String,
    /// Whether requests at this version are answered (VER-008, VER-009).
    pub served: bool,
    /// Whether objects are written in this version (VER-014).
    pub storage: bool,
    /// Whether answers carry a warning (VER-011).
    pub deprecated: bool,
    /// The text of that warning (VER-012).
    pub deprecation_warning: Option<String>,
    /// What objects look like.
    pub schema: Option<Validation>,
    /// `/status` and `/scale`.
    pub subresources: Option<Subresources>,
    /// Columns of tables.
    pub additional_printer_columns: Vec<Column>,
    /// Fields that selectors may name.
    pub selectable_fields: Vec<SelectableField>,
}

impl Version {
    /// The JSON of `schema.openAPIV3Schema`.
    pub fn schema_json(&self) -> Option<&Value> {
        self.schema.as_ref()?.open_api_v3_schema.as_ref()
    }

    /// Whether the version has the status subresource.
    pub fn has_status(&self) -> bool {
        self.subresources.as_ref().is_some_and(|subresources| subresources.status.is_some())
    }
}

/// `schema` of a version.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Validation {
    /// The schema as written.
    #[serde(rename = "openAPIV3Schema")]
    pub open_api_v3_schema: Option<Value>,
}

/// `subresources` of a version.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Subresources {
    /// Present where `/status` is on.
    pub status: Option<Value>,
    /// Present where `/scale` is on.
    pub scale: Option<Scale>,
}

/// Where `/scale` finds its values (CRDVAL-041).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
pub struct Scale {
    /// The wanted number.
    pub spec_replicas_path: String,
    /// The number there is.
    pub status_replicas_path: String,
    /// The selector as text.
    pub label_selector_path: Option<String>,
}

/// A column of tables (CRDVAL-042).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Column {
    /// Its head.
    pub name: String,
    /// The type of its cells.
    #[serde(rename = "type")]
    pub type_name: String,
    /// A hint on how to show them.
    pub format: String,
    /// What it is, for people.
    pub description: String,
    /// 0 is shown always, more only in wide tables.
    pub priority: i32,
    /// Where its value is.
    pub json_path: String,
}

/// A field that selectors may name (CRDVAL-043).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SelectableField {
    /// Where its value is.
    pub json_path: String,
}

impl SelectableField {
    /// What selectors call the field: the path without its first dot (FSEL-002).
    pub fn label(&self) -> &str {
        self.json_path.strip_prefix('.').unwrap_or(&self.json_path)
    }
}

/// How objects get from one version to another (CRDVAL-044).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Conversion {
    /// `None` or `Webhook`.
    pub strategy: String,
    /// Whom to ask.
    pub webhook: Option<Webhook>,
}

/// A conversion webhook (CRDVAL-045..049).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Webhook {
    /// Where it is.
    pub client_config: Option<ClientConfig>,
    /// The versions of reviews that it understands.
    #[serde(deserialize_with = "null_is_empty")]
    pub conversion_review_versions: Vec<String>,
}

/// Where a webhook is: at a URL, or behind a service.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClientConfig {
    /// The URL.
    pub url: Option<String>,
    /// The service.
    pub service: Option<Service>,
    /// Base64 of the certificates to trust.
    pub ca_bundle: String,
}

/// A service of the cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Service {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The path of the request.
    pub path: Option<String>,
    /// The port; 443 unless told.
    pub port: Option<i64>,
}

/// `status` of a definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// `None` is written as null: so it is right after a create (CRDVAL-018).
    pub conditions: Option<Vec<Condition>>,
    /// The names that are in use.
    pub accepted_names: Names,
    /// All versions in which objects may be stored (VER-017).
    #[serde(deserialize_with = "null_is_empty")]
    pub stored_versions: Vec<String>,
}

/// One condition of a status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// What it is about (`Established`).
    #[serde(rename = "type")]
    pub type_name: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// Since when.
    pub last_transition_time: String,
    /// Why, in one word.
    pub reason: String,
    /// Why, for people.
    pub message: String,
}

impl Spec {
    /// From a definition in form; a default one if it is not in form.
    pub fn of(definition: &Value) -> Self {
        definition.get("spec").and_then(|spec| Self::deserialize(spec).ok()).unwrap_or_default()
    }

    /// The first version that is marked as the storage version.
    pub fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.storage)
    }

    /// Whether all versions have the same schema, which upstream then keeps once for all (CRDVAL-023).
    pub fn shares_schema(&self) -> bool {
        self.shares(|version| version.schema.as_ref())
    }

    /// The same for subresources.
    pub fn shares_subresources(&self) -> bool {
        self.shares(|version| version.subresources.as_ref())
    }

    /// The same for columns.
    pub fn shares_columns(&self) -> bool {
        self.shares(|version| Some(&version.additional_printer_columns))
    }

    /// The same for selectable fields.
    pub fn shares_selectable_fields(&self) -> bool {
        self.shares(|version| Some(&version.selectable_fields))
    }

    fn shares<T: PartialEq>(&self, part: impl Fn(&Version) -> Option<&T>) -> bool {
        self.versions.windows(2).all(|pair| part(&pair[0]) == part(&pair[1]))
    }
}

impl Status {
    /// From a definition in form; a default one if it is not in form.
    pub fn of(definition: &Value) -> Self {
        definition.get("status").and_then(|status| Self::deserialize(status).ok()).unwrap_or_default()
    }

    /// The condition of this type.
    pub fn condition(&self, type_name: &str) -> Option<&Condition> {
        self.conditions.iter().flatten().find(|condition| condition.type_name == type_name)
    }

    /// Whether a condition is `True`.
    pub fn is_true(&self, type_name: &str) -> bool {
        self.condition(type_name).is_some_and(|condition| condition.status == "True")
    }

    /// Sets a condition; its time changes only with its status (LIFE-005).
    pub fn set_condition(&mut self, type_name: &str, holds: bool, reason: &str, message: &str, now: &str) {
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

    /// The status as JSON.
    pub fn to_json(&self) -> Value {
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
