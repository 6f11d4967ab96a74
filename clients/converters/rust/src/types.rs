//! The types of all versions.
//!
//! Whatever may be absent is an `Option` that is left out when it is `None`, so that absent, zero and empty stay apart.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// The group of these objects.
pub const GROUP: &str = "converters.crdible.dev";

/// An object of any version.
#[derive(Debug, Serialize, Deserialize)]
pub struct Backup<Spec, Status> {
    #[serde(rename = "apiVersion")]
    pub api_version: String,
    pub kind: String,
    #[serde(default)]
    pub metadata: ObjectMeta,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<Spec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
}

/// The hub: the version that all others are converted to.
pub mod v1 {
    use super::*;

    pub type Backup = super::Backup<Spec, Status>;

    #[derive(Debug, Serialize, Deserialize)]
    pub struct Spec {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<Source>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub cron: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub targets: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub excludes: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub retention: Option<Retention>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub limits: Option<Limits>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub paused: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub settings: Option<BTreeMap<String, String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub priority: Option<i32>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    pub struct Source {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub host: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub port: Option<i32>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    pub struct Retention {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub count: Option<i32>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    pub struct Limits {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub bytes: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rate: Option<f64>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Status {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub phase: Option<String>,
        /// A text, because a type for times would write some of them in another way.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub last_run: Option<String>,
    }
}

/// The version with the names of fields that v1 changed.
pub mod v1beta1 {
    use super::{
        v1::{Limits, Retention, Source, Status},
        *,
    };

    pub type Backup = super::Backup<Spec, Status>;

    #[derive(Debug, Serialize, Deserialize)]
    pub struct Spec {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<Source>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub schedule: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub targets: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub excludes: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub retention: Option<Retention>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub limits: Option<Limits>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub suspend: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub settings: Option<BTreeMap<String, String>>,
    }
}

/// The first version, which is flat.
pub mod v1alpha1 {
    use super::*;

    pub type Backup = super::Backup<Spec, Status>;

    #[derive(Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Spec {
        /// A host, or a host and a port: `db:5432`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub schedule: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub target: Option<String>,
        /// Patterns, with commas between them.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub excludes: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout_seconds: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub keep: Option<i32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub max_bytes: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub max_rate: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub suspend: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub settings: Option<Vec<Setting>>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    pub struct Setting {
        pub name: String,
        pub value: String,
    }

    #[derive(Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Status {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub state: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub last_run: Option<String>,
    }
}
