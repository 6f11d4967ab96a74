//! The protobuf messages, with the field names and numbers of upstream's `generated.proto`. A field is optional if an
//! absent value differs from the zero value.

use std::collections::BTreeMap;

use prost::Message;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::go_time::{Moment, SECOND};

/// The envelope of every message: `k8s.io.apimachinery.pkg.runtime.Unknown`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Unknown {
    #[prost(message, optional, tag = "1")]
    pub(super) type_meta: Option<TypeMeta>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) raw: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TypeMeta {
    #[prost(string, tag = "1")]
    pub(super) api_version: String,
    #[prost(string, tag = "2")]
    pub(super) kind: String,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeleteOptions {
    #[prost(int64, optional, tag = "1")]
    grace_period_seconds: Option<i64>,
    #[prost(message, optional, tag = "2")]
    preconditions: Option<Preconditions>,
    #[prost(bool, optional, tag = "3")]
    orphan_dependents: Option<bool>,
    #[prost(string, optional, tag = "4")]
    propagation_policy: Option<String>,
    #[prost(string, repeated, tag = "5")]
    dry_run: Vec<String>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct Preconditions {
    #[prost(string, optional, tag = "1")]
    uid: Option<String>,
    #[prost(string, optional, tag = "2")]
    resource_version: Option<String>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectMeta {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    generate_name: String,
    #[prost(string, tag = "3")]
    namespace: String,
    #[prost(string, tag = "4")]
    self_link: String,
    #[prost(string, tag = "5")]
    uid: String,
    #[prost(string, tag = "6")]
    resource_version: String,
    #[prost(int64, tag = "7")]
    generation: i64,
    #[prost(message, optional, tag = "8")]
    creation_timestamp: Option<Time>,
    #[prost(message, optional, tag = "9")]
    deletion_timestamp: Option<Time>,
    #[prost(int64, optional, tag = "10")]
    deletion_grace_period_seconds: Option<i64>,
    #[prost(btree_map = "string, string", tag = "11")]
    labels: BTreeMap<String, String>,
    #[prost(btree_map = "string, string", tag = "12")]
    annotations: BTreeMap<String, String>,
    #[prost(message, repeated, tag = "13")]
    owner_references: Vec<OwnerReference>,
    #[prost(string, repeated, tag = "14")]
    finalizers: Vec<String>,
    #[prost(message, repeated, tag = "17")]
    managed_fields: Vec<ManagedFieldsEntry>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct OwnerReference {
    #[prost(string, tag = "1")]
    kind: String,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(string, tag = "4")]
    uid: String,
    #[prost(string, tag = "5")]
    api_version: String,
    #[prost(bool, optional, tag = "6")]
    controller: Option<bool>,
    #[prost(bool, optional, tag = "7")]
    block_owner_deletion: Option<bool>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct ManagedFieldsEntry {
    #[prost(string, tag = "1")]
    manager: String,
    #[prost(string, tag = "2")]
    operation: String,
    #[prost(string, tag = "3")]
    api_version: String,
    #[prost(message, optional, tag = "4")]
    time: Option<Time>,
    #[prost(string, tag = "6")]
    fields_type: String,
    #[prost(message, optional, tag = "7")]
    fields_v1: Option<FieldsV1>,
    #[prost(string, tag = "8")]
    subresource: String,
}

/// A set of fields, encoded as JSON.
#[derive(Clone, PartialEq, Message)]
struct FieldsV1 {
    #[prost(string, tag = "1")]
    raw: String,
}

impl Serialize for FieldsV1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = if self.raw.is_empty() { "{}" } else { &self.raw };
        let raw: &RawValue = serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// A time with a precision of seconds; null if no field is set.
#[derive(Clone, PartialEq, Message)]
struct Time {
    #[prost(int64, optional, tag = "1")]
    seconds: Option<i64>,
    #[prost(int32, optional, tag = "2")]
    nanos: Option<i32>,
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        moment(self.seconds, None).map(Moment::in_utc).serialize(serializer)
    }
}

/// A time with a precision of microseconds; null if no field is set.
#[derive(Clone, PartialEq, Message)]
struct MicroTime {
    #[prost(int64, optional, tag = "1")]
    seconds: Option<i64>,
    #[prost(int32, optional, tag = "2")]
    nanos: Option<i32>,
}

impl Serialize for MicroTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        moment(self.seconds, self.nanos).map(Moment::in_utc_with_micros).serialize(serializer)
    }
}

fn moment(seconds: Option<i64>, nanos: Option<i32>) -> Option<Moment> {
    if seconds.is_none() && nanos.is_none() {
        return None;
    }
    Some(Moment(i128::from(seconds.unwrap_or_default()) * SECOND + i128::from(nanos.unwrap_or_default())))
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(super) struct Namespace {
    #[prost(message, optional, tag = "1")]
    metadata: Option<ObjectMeta>,
    #[prost(message, optional, tag = "2")]
    spec: Option<NamespaceSpec>,
    #[prost(message, optional, tag = "3")]
    status: Option<NamespaceStatus>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
struct NamespaceSpec {
    #[prost(string, repeated, tag = "1")]
    finalizers: Vec<String>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
struct NamespaceStatus {
    #[prost(string, tag = "1")]
    phase: String,
    #[prost(message, repeated, tag = "2")]
    conditions: Vec<NamespaceCondition>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct NamespaceCondition {
    #[prost(string, tag = "1")]
    r#type: String,
    #[prost(string, tag = "2")]
    status: String,
    #[prost(message, optional, tag = "4")]
    last_transition_time: Option<Time>,
    #[prost(string, tag = "5")]
    reason: String,
    #[prost(string, tag = "6")]
    message: String,
}

/// `Event` of `v1`.
#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CoreEvent {
    #[prost(message, optional, tag = "1")]
    metadata: Option<ObjectMeta>,
    #[prost(message, optional, tag = "2")]
    involved_object: Option<ObjectReference>,
    #[prost(string, tag = "3")]
    reason: String,
    #[prost(string, tag = "4")]
    message: String,
    #[prost(message, optional, tag = "5")]
    source: Option<EventSource>,
    #[prost(message, optional, tag = "6")]
    first_timestamp: Option<Time>,
    #[prost(message, optional, tag = "7")]
    last_timestamp: Option<Time>,
    #[prost(int32, tag = "8")]
    count: i32,
    #[prost(string, tag = "9")]
    r#type: String,
    #[prost(message, optional, tag = "10")]
    event_time: Option<MicroTime>,
    #[prost(message, optional, tag = "11")]
    series: Option<EventSeries>,
    #[prost(string, tag = "12")]
    action: String,
    #[prost(message, optional, tag = "13")]
    related: Option<ObjectReference>,
    #[prost(string, tag = "14")]
    reporting_component: String,
    #[prost(string, tag = "15")]
    reporting_instance: String,
}

/// `Event` of `events.k8s.io/v1`.
#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
pub(super) struct Event {
    #[prost(message, optional, tag = "1")]
    metadata: Option<ObjectMeta>,
    #[prost(message, optional, tag = "2")]
    event_time: Option<MicroTime>,
    #[prost(message, optional, tag = "3")]
    series: Option<EventSeries>,
    #[prost(string, tag = "4")]
    reporting_controller: String,
    #[prost(string, tag = "5")]
    reporting_instance: String,
    #[prost(string, tag = "6")]
    action: String,
    #[prost(string, tag = "7")]
    reason: String,
    #[prost(message, optional, tag = "8")]
    regarding: Option<ObjectReference>,
    #[prost(message, optional, tag = "9")]
    related: Option<ObjectReference>,
    #[prost(string, tag = "10")]
    note: String,
    #[prost(string, tag = "11")]
    r#type: String,
    #[prost(message, optional, tag = "12")]
    deprecated_source: Option<EventSource>,
    #[prost(message, optional, tag = "13")]
    deprecated_first_timestamp: Option<Time>,
    #[prost(message, optional, tag = "14")]
    deprecated_last_timestamp: Option<Time>,
    #[prost(int32, tag = "15")]
    deprecated_count: i32,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct EventSeries {
    #[prost(int32, tag = "1")]
    count: i32,
    #[prost(message, optional, tag = "2")]
    last_observed_time: Option<MicroTime>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
struct EventSource {
    #[prost(string, tag = "1")]
    component: String,
    #[prost(string, tag = "2")]
    host: String,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectReference {
    #[prost(string, tag = "1")]
    kind: String,
    #[prost(string, tag = "2")]
    namespace: String,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(string, tag = "4")]
    uid: String,
    #[prost(string, tag = "5")]
    api_version: String,
    #[prost(string, tag = "6")]
    resource_version: String,
    #[prost(string, tag = "7")]
    field_path: String,
}
