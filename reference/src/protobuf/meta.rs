//! The messages that all resources share, with the field names and numbers of upstream's `generated.proto`.

use super::table::Count::{Many, Map, One, Optional};
use super::table::Kind::{Bool, Int, Int32, Json, Message, Text, Time};
use super::table::{Field, field};

pub(super) static OBJECT_META: [Field; 15] = [
    field(1, "name", One, Text),
    field(2, "generateName", One, Text),
    field(3, "namespace", One, Text),
    field(4, "selfLink", One, Text),
    field(5, "uid", One, Text),
    field(6, "resourceVersion", One, Text),
    field(7, "generation", One, Int),
    field(8, "creationTimestamp", One, Time),
    field(9, "deletionTimestamp", Optional, Time),
    field(10, "deletionGracePeriodSeconds", Optional, Int),
    field(11, "labels", Map, Text),
    field(12, "annotations", Map, Text),
    field(13, "ownerReferences", Many, Message(&OWNER)),
    field(14, "finalizers", Many, Text),
    field(17, "managedFields", Many, Message(&MANAGED_FIELDS)),
];

static OWNER: [Field; 6] = [
    field(1, "kind", One, Text),
    field(3, "name", One, Text),
    field(4, "uid", One, Text),
    field(5, "apiVersion", One, Text),
    field(6, "controller", Optional, Bool),
    field(7, "blockOwnerDeletion", Optional, Bool),
];

static MANAGED_FIELDS: [Field; 7] = [
    field(1, "manager", One, Text),
    field(2, "operation", One, Text),
    field(3, "apiVersion", One, Text),
    field(4, "time", Optional, Time),
    field(6, "fieldsType", One, Text),
    field(7, "fieldsV1", Optional, Json),
    field(8, "subresource", One, Text),
];

pub(super) static LIST_META: [Field; 4] = [
    field(1, "selfLink", One, Text),
    field(2, "resourceVersion", One, Text),
    field(3, "continue", One, Text),
    field(4, "remainingItemCount", Optional, Int),
];

pub(super) static PARTIAL: [Field; 1] = [field(1, "metadata", One, Message(&OBJECT_META))];

pub(super) static PARTIAL_LIST: [Field; 2] =
    [field(1, "metadata", One, Message(&LIST_META)), field(2, "items", Many, Message(&PARTIAL))];

/// The list of `meta.k8s.io/v1beta1`, whose fields have other numbers.
pub(super) static PARTIAL_LIST_V1BETA1: [Field; 2] =
    [field(1, "items", Many, Message(&PARTIAL)), field(2, "metadata", One, Message(&LIST_META))];

pub(super) static STATUS: [Field; 6] = [
    field(1, "metadata", One, Message(&LIST_META)),
    field(2, "status", One, Text),
    field(3, "message", One, Text),
    field(4, "reason", One, Text),
    field(5, "details", Optional, Message(&DETAILS)),
    field(6, "code", One, Int32),
];

static DETAILS: [Field; 6] = [
    field(1, "name", One, Text),
    field(2, "group", One, Text),
    field(3, "kind", One, Text),
    field(4, "causes", Many, Message(&CAUSE)),
    field(5, "retryAfterSeconds", One, Int32),
    field(6, "uid", One, Text),
];

static CAUSE: [Field; 3] =
    [field(1, "reason", One, Text), field(2, "message", One, Text), field(3, "field", One, Text)];

pub(super) static DELETE_OPTIONS: [Field; 5] = [
    field(1, "gracePeriodSeconds", Optional, Int),
    field(2, "preconditions", Optional, Message(&PRECONDITIONS)),
    field(3, "orphanDependents", Optional, Bool),
    field(4, "propagationPolicy", Optional, Text),
    field(5, "dryRun", Many, Text),
];

static PRECONDITIONS: [Field; 2] = [field(1, "uid", Optional, Text), field(2, "resourceVersion", Optional, Text)];
