//! The definitions of a scenario.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Webhook;

/// A CustomResourceDefinition without names: the executor generates group, plural, kind and everything derived
/// from them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Where its objects live.
    #[serde(default)]
    pub scope: Scope,
    /// The domain of its group.
    #[serde(default, skip_serializing_if = "Domain::is_default")]
    pub domain: Domain,
    /// `spec.versions`, in this order.
    pub versions: Vec<Version>,
    /// Who owns it and how long it lives.
    #[serde(default)]
    pub tenancy: Tenancy,
    /// `spec.conversion`; none means the strategy `None`. The pool never mixes definitions with different conversions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversion: Option<Value>,
    /// `spec.conversion` with strategy `Webhook`, to a webhook that crdible serves. Never together with `conversion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<Webhook>,
    /// It shares the group of this earlier definition instead of having its own, to test name conflicts. Only for a
    /// definition that is not installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<usize>,
}

impl Definition {
    /// A pooled definition with one served and stored version `v1` of this schema.
    pub fn of_schema(schema: Value) -> Self {
        Self::with_versions(vec![Version::only(schema)])
    }

    /// These versions, on the pool.
    pub fn with_versions(versions: Vec<Version>) -> Self {
        Self { versions, ..Self::default() }
    }

    /// The same, made for the scenario and removed after it.
    #[must_use]
    pub fn owned(self) -> Self {
        Self { tenancy: Tenancy::Own, ..self }
    }

    /// The same, with names but not installed.
    #[must_use]
    pub fn uninstalled(self) -> Self {
        Self { tenancy: Tenancy::Uninstalled, ..self }
    }

    /// The same, with objects converted by this webhook.
    #[must_use]
    pub fn converted_by(self, webhook: Webhook) -> Self {
        Self { webhook: Some(webhook), ..self }
    }

    /// The same, with objects in the namespace of the run.
    #[must_use]
    pub fn namespaced(self) -> Self {
        Self { scope: Scope::Namespaced, ..self }
    }

    /// The same, with a group below `k8s.io`, which needs an approval (CRDVAL-055).
    #[must_use]
    pub fn protected(self) -> Self {
        Self { domain: Domain::Protected, ..self }
    }

    /// The name of the storage version; of the first version if none is marked.
    pub fn storage_version(&self) -> &str {
        storage_version(&self.versions)
    }
}

/// The name of the version that is marked as storage; of the first version if none is.
pub fn storage_version(versions: &[Version]) -> &str {
    versions.iter().find(|version| version.storage).or(versions.first()).map_or("", |version| &version.name)
}

/// `spec.scope`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// Cluster-scoped: nothing but the definition is needed on the target.
    #[default]
    Cluster,
    /// Objects are in the namespace of the run.
    Namespaced,
}

/// The domain of a definition's group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// `crdible.dev`.
    #[default]
    Crdible,
    /// A subdomain of `k8s.io`, where a definition needs an approval (CRDVAL-055).
    Protected,
}

impl Domain {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Who owns a definition and how long it lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tenancy {
    /// Taken from the pool: its schema is replaced, and it has the history of all scenarios before.
    #[default]
    Pooled,
    /// Created for this scenario and removed after it.
    Own,
    /// Has names but is not installed: for requests about definitions themselves. If a request creates it, it is
    /// removed after the scenario.
    Uninstalled,
}

/// One entry of `spec.versions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// `name`.
    pub name: String,
    /// `served`.
    pub served: bool,
    /// `storage`.
    pub storage: bool,
    /// `schema.openAPIV3Schema`.
    pub schema: Value,
    /// Further fields: `subresources`, `additionalPrinterColumns`, ….
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub further: Map<String, Value>,
}

impl Version {
    /// The entry as the API has it.
    pub fn document(&self) -> Value {
        let mut document = self.further.clone();
        document.insert("name".into(), json!(self.name));
        document.insert("served".into(), json!(self.served));
        document.insert("storage".into(), json!(self.storage));
        document.insert("schema".into(), json!({ "openAPIV3Schema": self.schema }));
        Value::Object(document)
    }

    /// The only version `v1`, served and stored.
    pub fn only(schema: Value) -> Self {
        Self::named("v1", schema).stored()
    }

    /// A version that is served and is not the storage version.
    pub fn named(name: impl Into<String>, schema: Value) -> Self {
        Self { name: name.into(), served: true, storage: false, schema, further: Map::new() }
    }

    /// The same as the storage version.
    #[must_use]
    pub fn stored(self) -> Self {
        self.stored_if(true)
    }

    /// The same, the storage version or not.
    #[must_use]
    pub fn stored_if(self, storage: bool) -> Self {
        Self { storage, ..self }
    }

    /// The same, not served.
    #[must_use]
    pub fn unserved(self) -> Self {
        self.served_if(false)
    }

    /// The same, served or not.
    #[must_use]
    pub fn served_if(self, served: bool) -> Self {
        Self { served, ..self }
    }
}
