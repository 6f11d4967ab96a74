//! A decoded definition as typed values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `spec` of a definition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// The API group.
    pub group: String,
    /// The requested names.
    pub names: Names,
    /// `Cluster` or `Namespaced`.
    pub scope: String,
    /// The versions, in the order of the document.
    #[serde(deserialize_with = "null_is_empty")]
    pub versions: Vec<Version>,
    /// Whether it has a list of versions, if only an empty one: messages show null otherwise.
    #[serde(skip)]
    pub has_versions: bool,
    /// How objects are converted between versions.
    pub conversion: Option<Conversion>,
    /// Whether unknown fields are kept everywhere, as before v1 (CRDVAL-028).
    pub preserve_unknown_fields: bool,
}

/// The names of a resource, as requested in `spec.names` and as accepted in `status.acceptedNames`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Names {
    /// The name in URLs.
    pub plural: String,
    /// The name of one object, for display.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub singular: String,
    /// Abbreviations, for command lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// The `kind` of the objects.
    pub kind: String,
    /// The `kind` of lists.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub list_kind: String,
    /// Groups of resources, for command lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

/// One version of a definition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Version {
    /// The name in URLs and in `apiVersion`.
    pub name: String,
    /// Whether the version is served (VER-008, VER-009).
    pub served: bool,
    /// Whether objects are stored in this version (VER-014).
    pub storage: bool,
    /// Whether responses have a warning (VER-011).
    pub deprecated: bool,
    /// The text of that warning (VER-012).
    pub deprecation_warning: Option<String>,
    /// The schema of the objects.
    pub schema: Option<Validation>,
    /// `/status` and `/scale`.
    pub subresources: Option<Subresources>,
    /// The columns of tables.
    pub additional_printer_columns: Vec<Column>,
    /// The fields that selectors may use.
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
    /// Present if `/status` is enabled.
    pub status: Option<Value>,
    /// Present if `/scale` is enabled.
    pub scale: Option<Scale>,
}

/// The paths of the values of `/scale` (CRDVAL-041).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
pub struct Scale {
    /// The path of the desired number.
    pub spec_replicas_path: String,
    /// The path of the current number.
    pub status_replicas_path: String,
    /// The path of the selector, a string.
    pub label_selector_path: Option<String>,
}

/// A column of tables (CRDVAL-042).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The type of the cells.
    #[serde(rename = "type")]
    pub type_name: String,
    /// A hint on how to show the cells.
    pub format: String,
    /// The description, human-readable.
    pub description: String,
    /// 0 for a column of all tables, more for one of wide tables only.
    pub priority: i32,
    /// The path of the value.
    pub json_path: String,
}

/// A field that selectors may use (CRDVAL-043).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SelectableField {
    /// The path of the value.
    pub json_path: String,
}

impl SelectableField {
    /// The name of the field in selectors: the path without its first dot (FSEL-002).
    pub fn label(&self) -> &str {
        self.json_path.strip_prefix('.').unwrap_or(&self.json_path)
    }
}

/// How objects are converted between versions (CRDVAL-044).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Conversion {
    /// `None` or `Webhook`.
    pub strategy: String,
    /// The webhook that converts.
    pub webhook: Option<Webhook>,
}

/// A conversion webhook (CRDVAL-045..049).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Webhook {
    /// How to call it.
    pub client_config: Option<ClientConfig>,
    /// The versions of conversion reviews that it supports.
    #[serde(deserialize_with = "null_is_empty")]
    pub conversion_review_versions: Vec<String>,
}

/// How to call a webhook: by a URL or by a service.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClientConfig {
    /// The URL.
    pub url: Option<String>,
    /// The service.
    pub service: Option<Service>,
    /// The certificates to trust, in base64.
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
    /// The port. The default is 443.
    pub port: Option<i64>,
}

/// `status` of a definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// `None` is written as null, as right after a create (CRDVAL-018).
    pub conditions: Option<Vec<Condition>>,
    /// The accepted names.
    pub accepted_names: Names,
    /// All versions in which objects may have been stored (VER-017).
    #[serde(deserialize_with = "null_is_empty")]
    pub stored_versions: Vec<String>,
    /// The generation that a client says it describes (LIFE-001).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

/// One condition of a status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// The type (`Established`).
    #[serde(rename = "type")]
    pub type_name: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// When the status changed last. `None` is written as null.
    pub last_transition_time: Option<String>,
    /// The reason, in one word.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The reason, human-readable.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The generation that a client says it describes (LIFE-001).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

impl Spec {
    /// The spec of a decoded definition, or the default if it cannot be parsed.
    pub fn of(definition: &Value) -> Self {
        let spec = definition.get("spec").and_then(|spec| Self::deserialize(spec).ok()).unwrap_or_default();
        Self { has_versions: !definition["spec"]["versions"].is_null(), ..spec }
    }

    /// The first version that is marked as the storage version.
    pub fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.storage)
    }

    /// Whether all versions have the same schema, which upstream then stores once at the top (CRDVAL-023).
    pub fn shares_schema(&self) -> bool {
        self.shares(|version| version.schema.as_ref())
    }

    /// Whether all versions have the same subresources.
    pub fn shares_subresources(&self) -> bool {
        self.shares(|version| version.subresources.as_ref())
    }

    /// Whether all versions have the same columns.
    pub fn shares_columns(&self) -> bool {
        self.shares(|version| Some(&version.additional_printer_columns))
    }

    /// Whether all versions have the same selectable fields.
    pub fn shares_selectable_fields(&self) -> bool {
        self.shares(|version| Some(&version.selectable_fields))
    }

    fn shares<T: PartialEq>(&self, part: impl Fn(&Version) -> Option<&T>) -> bool {
        self.versions.windows(2).all(|pair| part(&pair[0]) == part(&pair[1]))
    }
}

impl Status {
    /// The status of a decoded definition, or the default if it cannot be parsed.
    pub fn of(definition: &Value) -> Self {
        definition.get("status").and_then(|status| Self::deserialize(status).ok()).unwrap_or_default()
    }

    /// The condition with this type.
    pub fn condition(&self, type_name: &str) -> Option<&Condition> {
        self.conditions.iter().flatten().find(|condition| condition.type_name == type_name)
    }

    /// Whether a condition is `True`.
    pub fn is_true(&self, type_name: &str) -> bool {
        self.condition(type_name).is_some_and(|condition| condition.status == "True")
    }

    /// Sets a condition. Its time changes only if its status changes (LIFE-005).
    pub fn set_condition(&mut self, type_name: &str, holds: bool, reason: &str, message: &str, now: &str) {
        let status = if holds { "True" } else { "False" };
        let mut condition = Condition {
            type_name: type_name.into(),
            status: status.into(),
            last_transition_time: Some(now.into()),
            reason: reason.into(),
            message: message.into(),
            observed_generation: None,
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
