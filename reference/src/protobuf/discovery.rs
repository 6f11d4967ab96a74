//! The messages of discovery, with the field names and numbers of upstream's `generated.proto`.

use super::meta::{LIST_META, OBJECT_META};
use super::table::Count::{Many, One, Optional};
use super::table::Kind::{Bool, Message, Text, Words};
use super::table::{Field, field};

pub(super) static VERSIONS: [Field; 2] =
    [field(1, "versions", Many, Text), field(2, "serverAddressByClientCIDRs", Many, Message(&SERVER_ADDRESS))];

static SERVER_ADDRESS: [Field; 2] = [field(1, "clientCIDR", One, Text), field(2, "serverAddress", One, Text)];

pub(super) static GROUP_LIST: [Field; 1] = [field(1, "groups", Many, Message(&GROUP))];

pub(super) static GROUP: [Field; 4] = [
    field(1, "name", One, Text),
    field(2, "versions", Many, Message(&GROUP_VERSION)),
    field(3, "preferredVersion", One, Message(&GROUP_VERSION)),
    field(4, "serverAddressByClientCIDRs", Many, Message(&SERVER_ADDRESS)),
];

static GROUP_VERSION: [Field; 2] = [field(1, "groupVersion", One, Text), field(2, "version", One, Text)];

pub(super) static RESOURCE_LIST: [Field; 2] =
    [field(1, "groupVersion", One, Text), field(2, "resources", Many, Message(&RESOURCE))];

static RESOURCE: [Field; 10] = [
    field(1, "name", One, Text),
    field(2, "namespaced", One, Bool),
    field(3, "kind", One, Text),
    field(4, "verbs", Optional, Words),
    field(5, "shortNames", Many, Text),
    field(6, "singularName", One, Text),
    field(7, "categories", Many, Text),
    field(8, "group", One, Text),
    field(9, "version", One, Text),
    field(10, "storageVersionHash", One, Text),
];

/// Aggregated discovery, of `apidiscovery.k8s.io/v2`.
pub(super) static AGGREGATED: [Field; 2] =
    [field(1, "metadata", One, Message(&LIST_META)), field(2, "items", Many, Message(&AGGREGATED_GROUP))];

static AGGREGATED_GROUP: [Field; 2] =
    [field(1, "metadata", One, Message(&OBJECT_META)), field(2, "versions", Many, Message(&AGGREGATED_VERSION))];

static AGGREGATED_VERSION: [Field; 3] = [
    field(1, "version", One, Text),
    field(2, "resources", Many, Message(&AGGREGATED_RESOURCE)),
    field(3, "freshness", One, Text),
];

static AGGREGATED_RESOURCE: [Field; 8] = [
    field(1, "resource", One, Text),
    field(2, "responseKind", Optional, Message(&KIND)),
    field(3, "scope", One, Text),
    field(4, "singularResource", One, Text),
    field(5, "verbs", Many, Text),
    field(6, "shortNames", Many, Text),
    field(7, "categories", Many, Text),
    field(8, "subresources", Many, Message(&AGGREGATED_SUBRESOURCE)),
];

static AGGREGATED_SUBRESOURCE: [Field; 4] = [
    field(1, "subresource", One, Text),
    field(2, "responseKind", Optional, Message(&KIND)),
    field(3, "acceptedTypes", Many, Message(&KIND)),
    field(4, "verbs", Many, Text),
];

static KIND: [Field; 3] = [field(1, "group", One, Text), field(2, "version", One, Text), field(3, "kind", One, Text)];
