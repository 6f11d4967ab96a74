//! The shapes of both versions of events, without `apiVersion`, `kind` and `metadata`, which are checked separately.

use crate::shape::Shape::{MicroTime, Small, Struct, Text, Time};
use crate::shape::Zero::{LeftOut, Optional, Written};
use crate::shape::{Field, field};

/// `Event` of `v1`.
pub(super) const CORE: &[Field] = &[
    field("involvedObject", Struct(REFERENCE), Written),
    field("reason", Text, LeftOut),
    field("message", Text, LeftOut),
    field("source", Struct(SOURCE), Written),
    field("firstTimestamp", Time, Written),
    field("lastTimestamp", Time, Written),
    field("count", Small, LeftOut),
    field("type", Text, LeftOut),
    field("eventTime", MicroTime, Written),
    field("series", Struct(&[field("count", Small, LeftOut), LAST_OBSERVED_TIME]), Optional),
    field("action", Text, LeftOut),
    field("related", Struct(REFERENCE), Optional),
    field("reportingComponent", Text, Written),
    field("reportingInstance", Text, Written),
];

/// `Event` of `events.k8s.io/v1`.
pub(super) const EVENTS: &[Field] = &[
    field("eventTime", MicroTime, Written),
    field("series", Struct(&[field("count", Small, Written), LAST_OBSERVED_TIME]), Optional),
    field("reportingController", Text, LeftOut),
    field("reportingInstance", Text, LeftOut),
    field("action", Text, LeftOut),
    field("reason", Text, LeftOut),
    field("regarding", Struct(REFERENCE), Written),
    field("related", Struct(REFERENCE), Optional),
    field("note", Text, LeftOut),
    field("type", Text, LeftOut),
    field("deprecatedSource", Struct(SOURCE), Written),
    field("deprecatedFirstTimestamp", Time, Written),
    field("deprecatedLastTimestamp", Time, Written),
    field("deprecatedCount", Small, LeftOut),
];

const LAST_OBSERVED_TIME: Field = field("lastObservedTime", MicroTime, Written);

const REFERENCE: &[Field] = &[
    field("kind", Text, LeftOut),
    field("namespace", Text, LeftOut),
    field("name", Text, LeftOut),
    field("uid", Text, LeftOut),
    field("apiVersion", Text, LeftOut),
    field("resourceVersion", Text, LeftOut),
    field("fieldPath", Text, LeftOut),
];

const SOURCE: &[Field] = &[field("component", Text, LeftOut), field("host", Text, LeftOut)];
