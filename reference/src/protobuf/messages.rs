//! The protobuf messages, with the field names and numbers of upstream's `generated.proto`. A field is optional if an
//! absent value differs from the zero value.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::wire::messages;
use crate::go_time::{Moment, SECOND};

messages! {
    /// The envelope of every message: `k8s.io.apimachinery.pkg.runtime.Unknown`.
    pub(super) struct Unknown {
        pub(super) type_meta: Option<TypeMeta> = 1,
        pub(super) raw: Vec<u8> = 2,
    }

    pub(super) struct TypeMeta {
        pub(super) api_version: String = 1,
        pub(super) kind: String = 2,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct DeleteOptions {
        grace_period_seconds: Option<i64> = 1,
        preconditions: Option<Preconditions> = 2,
        orphan_dependents: Option<bool> = 3,
        propagation_policy: Option<String> = 4,
        dry_run: Vec<String> = 5,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Preconditions {
        uid: Option<String> = 1,
        resource_version: Option<String> = 2,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct ObjectMeta {
        name: String = 1,
        generate_name: String = 2,
        namespace: String = 3,
        self_link: String = 4,
        uid: String = 5,
        resource_version: String = 6,
        generation: i64 = 7,
        creation_timestamp: Option<Time> = 8,
        deletion_timestamp: Option<Time> = 9,
        deletion_grace_period_seconds: Option<i64> = 10,
        labels: BTreeMap<String, String> = 11,
        annotations: BTreeMap<String, String> = 12,
        owner_references: Vec<OwnerReference> = 13,
        finalizers: Vec<String> = 14,
        managed_fields: Vec<ManagedFieldsEntry> = 17,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct OwnerReference {
        kind: String = 1,
        name: String = 3,
        uid: String = 4,
        api_version: String = 5,
        controller: Option<bool> = 6,
        block_owner_deletion: Option<bool> = 7,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct ManagedFieldsEntry {
        manager: String = 1,
        operation: String = 2,
        api_version: String = 3,
        time: Option<Time> = 4,
        fields_type: String = 6,
        fields_v1: Option<FieldsV1> = 7,
        subresource: String = 8,
    }

    /// A set of fields, encoded as JSON.
    struct FieldsV1 {
        raw: String = 1,
    }

    /// A time with a precision of seconds; null if no field is set.
    pub(super) struct Time {
        seconds: Option<i64> = 1,
        nanos: Option<i32> = 2,
    }

    /// A time with a precision of microseconds; null if no field is set.
    struct MicroTime {
        seconds: Option<i64> = 1,
        nanos: Option<i32> = 2,
    }

    #[derive(Serialize)]
    pub(super) struct Namespace {
        metadata: Option<ObjectMeta> = 1,
        spec: Option<NamespaceSpec> = 2,
        status: Option<NamespaceStatus> = 3,
    }

    #[derive(Serialize)]
    struct NamespaceSpec {
        finalizers: Vec<String> = 1,
    }

    #[derive(Serialize)]
    struct NamespaceStatus {
        phase: String = 1,
        conditions: Vec<NamespaceCondition> = 2,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct NamespaceCondition {
        r#type: String = 1,
        status: String = 2,
        last_transition_time: Option<Time> = 4,
        reason: String = 5,
        message: String = 6,
    }

    /// `Event` of `v1`.
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct CoreEvent {
        metadata: Option<ObjectMeta> = 1,
        involved_object: Option<ObjectReference> = 2,
        reason: String = 3,
        message: String = 4,
        source: Option<EventSource> = 5,
        first_timestamp: Option<Time> = 6,
        last_timestamp: Option<Time> = 7,
        count: i32 = 8,
        r#type: String = 9,
        event_time: Option<MicroTime> = 10,
        series: Option<EventSeries> = 11,
        action: String = 12,
        related: Option<ObjectReference> = 13,
        reporting_component: String = 14,
        reporting_instance: String = 15,
    }

    /// `Event` of `events.k8s.io/v1`.
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    #[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
    pub(super) struct Event {
        metadata: Option<ObjectMeta> = 1,
        event_time: Option<MicroTime> = 2,
        series: Option<EventSeries> = 3,
        reporting_controller: String = 4,
        reporting_instance: String = 5,
        action: String = 6,
        reason: String = 7,
        regarding: Option<ObjectReference> = 8,
        related: Option<ObjectReference> = 9,
        note: String = 10,
        r#type: String = 11,
        deprecated_source: Option<EventSource> = 12,
        deprecated_first_timestamp: Option<Time> = 13,
        deprecated_last_timestamp: Option<Time> = 14,
        deprecated_count: i32 = 15,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct EventSeries {
        count: i32 = 1,
        last_observed_time: Option<MicroTime> = 2,
    }

    #[derive(Serialize)]
    struct EventSource {
        component: String = 1,
        host: String = 2,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct ObjectReference {
        kind: String = 1,
        namespace: String = 2,
        name: String = 3,
        uid: String = 4,
        api_version: String = 5,
        resource_version: String = 6,
        field_path: String = 7,
    }
}

impl Serialize for FieldsV1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = if self.raw.is_empty() { "{}" } else { &self.raw };
        let raw: &RawValue = serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        moment(self.seconds, None).map(Moment::in_utc).serialize(serializer)
    }
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
