//! The messages of namespaces and events, with the field names and numbers of upstream's `generated.proto`.

use super::meta::{LIST_META, OBJECT_META};
use super::table::Count::{Many, One, Optional};
use super::table::Kind::{Int32, Message, MicroTime, Text, Time};
use super::table::{Field, field};

pub(super) static NAMESPACE_LIST: [Field; 2] =
    [field(1, "metadata", One, Message(&LIST_META)), field(2, "items", Many, Message(&NAMESPACE))];

pub(super) static NAMESPACE: [Field; 3] = [
    field(1, "metadata", One, Message(&OBJECT_META)),
    field(2, "spec", One, Message(&NAMESPACE_SPEC)),
    field(3, "status", One, Message(&NAMESPACE_STATUS)),
];

static NAMESPACE_SPEC: [Field; 1] = [field(1, "finalizers", Many, Text)];

static NAMESPACE_STATUS: [Field; 2] =
    [field(1, "phase", One, Text), field(2, "conditions", Many, Message(&NAMESPACE_CONDITION))];

static NAMESPACE_CONDITION: [Field; 5] = [
    field(1, "type", One, Text),
    field(2, "status", One, Text),
    field(4, "lastTransitionTime", One, Time),
    field(5, "reason", One, Text),
    field(6, "message", One, Text),
];

pub(super) static CORE_EVENT_LIST: [Field; 2] =
    [field(1, "metadata", One, Message(&LIST_META)), field(2, "items", Many, Message(&CORE_EVENT))];

/// `Event` of `v1`.
pub(super) static CORE_EVENT: [Field; 15] = [
    field(1, "metadata", One, Message(&OBJECT_META)),
    field(2, "involvedObject", One, Message(&OBJECT_REFERENCE)),
    field(3, "reason", One, Text),
    field(4, "message", One, Text),
    field(5, "source", One, Message(&EVENT_SOURCE)),
    field(6, "firstTimestamp", One, Time),
    field(7, "lastTimestamp", One, Time),
    field(8, "count", One, Int32),
    field(9, "type", One, Text),
    field(10, "eventTime", One, MicroTime),
    field(11, "series", Optional, Message(&EVENT_SERIES)),
    field(12, "action", One, Text),
    field(13, "related", Optional, Message(&OBJECT_REFERENCE)),
    field(14, "reportingComponent", One, Text),
    field(15, "reportingInstance", One, Text),
];

pub(super) static EVENT_LIST: [Field; 2] =
    [field(1, "metadata", One, Message(&LIST_META)), field(2, "items", Many, Message(&EVENT))];

/// `Event` of `events.k8s.io/v1`.
pub(super) static EVENT: [Field; 15] = [
    field(1, "metadata", One, Message(&OBJECT_META)),
    field(2, "eventTime", One, MicroTime),
    field(3, "series", Optional, Message(&EVENT_SERIES)),
    field(4, "reportingController", One, Text),
    field(5, "reportingInstance", One, Text),
    field(6, "action", One, Text),
    field(7, "reason", One, Text),
    field(8, "regarding", One, Message(&OBJECT_REFERENCE)),
    field(9, "related", Optional, Message(&OBJECT_REFERENCE)),
    field(10, "note", One, Text),
    field(11, "type", One, Text),
    field(12, "deprecatedSource", One, Message(&EVENT_SOURCE)),
    field(13, "deprecatedFirstTimestamp", One, Time),
    field(14, "deprecatedLastTimestamp", One, Time),
    field(15, "deprecatedCount", One, Int32),
];

static EVENT_SERIES: [Field; 2] = [field(1, "count", One, Int32), field(2, "lastObservedTime", One, MicroTime)];

static EVENT_SOURCE: [Field; 2] = [field(1, "component", One, Text), field(2, "host", One, Text)];

static OBJECT_REFERENCE: [Field; 7] = [
    field(1, "kind", One, Text),
    field(2, "namespace", One, Text),
    field(3, "name", One, Text),
    field(4, "uid", One, Text),
    field(5, "apiVersion", One, Text),
    field(6, "resourceVersion", One, Text),
    field(7, "fieldPath", One, Text),
];
