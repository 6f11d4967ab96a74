//! The definitions of a scenario.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A CustomResourceDefinition without names: the executor supplies group, plural, kind and everything derived from them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Where its objects live.
    #[serde(default)]
    pub scope: Scope,
    /// Where its group lies.
    #[serde(default, skip_serializing_if = "Domain::is_default")]
    pub domain: Domain,
    /// `spec.versions`, in this order.
    pub versions: Vec<Version>,
    /// Whose definition it is.
    #[serde(default)]
    pub tenancy: Tenancy,
    /// Its group is that of this earlier definition, not one of its own: for names that are taken. Only for one that is not installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<usize>,
}

impl Definition {
    /// One served and stored version `v1` with this schema, on the pool.
    pub fn of_schema(schema: Value) -> Self {
        Self { versions: vec![Version::only(schema)], ..Self::default() }
    }

    /// The name of the storage version; the first version where none is marked.
    pub fn storage_version(&self) -> &str {
        storage_version(&self.versions)
    }
}

/// The name of the version marked as storage; of the first where none is.
pub(crate) fn storage_version(versions: &[Version]) -> &str {
    versions.iter().find(|version| version.storage).or(versions.first()).map_or("", |version| &version.name)
}

/// `spec.scope`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// Objects without a namespace: nothing but the definition is needed on the target.
    #[default]
    Cluster,
    /// Objects in the namespace of the run.
    Namespaced,
}

/// The domain of a definition's group, which is always one of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// `crdible.dev`.
    #[default]
    Crdible,
    /// Below `k8s.io`, where a definition needs an approval (CRDVAL-055).
    Protected,
}

impl Domain {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Whose definition it is, and how long it lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tenancy {
    /// Borrowed from the pool: its schema is replaced, its history is that of all scenarios before.
    #[default]
    Pooled,
    /// Made for this scenario and removed after it.
    Own,
    /// Has names but is not installed: for requests about definitions themselves. If one of them makes it, it goes with the scenario.
    Unborn,
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
    /// The entry as the server wants it.
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
        Self { name: "v1".into(), served: true, storage: true, schema, further: Map::new() }
    }
}
