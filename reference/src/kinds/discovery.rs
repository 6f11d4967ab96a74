//! The documents of discovery, which no `OpenAPI` document describes.

use super::declaration::Element::{Flag, Of, Text};
use super::declaration::{Content, Type, field, list};
use super::meta::{object, objects};

const fn part() -> Type {
    Type::new("", "")
}

pub(super) static VERSIONS: Type =
    part().with(&[list(1, "versions", Text, ""), list(2, "serverAddressByClientCIDRs", Of(&SERVER_ADDRESS), "")]);

static SERVER_ADDRESS: Type = part().with(&[field(1, "clientCIDR", Text, ""), field(2, "serverAddress", Text, "")]);

pub(super) static GROUP_LIST: Type = part().with(&[list(1, "groups", Of(&GROUP), "")]);

pub(super) static GROUP: Type = part().with(&[
    field(1, "name", Text, ""),
    list(2, "versions", Of(&GROUP_VERSION), ""),
    field(3, "preferredVersion", Of(&GROUP_VERSION), ""),
    list(4, "serverAddressByClientCIDRs", Of(&SERVER_ADDRESS), ""),
]);

static GROUP_VERSION: Type = part().with(&[field(1, "groupVersion", Text, ""), field(2, "version", Text, "")]);

pub(super) static RESOURCE_LIST: Type =
    part().with(&[field(1, "groupVersion", Text, ""), list(2, "resources", Of(&RESOURCE), "")]);

static RESOURCE: Type = part().with(&[
    field(1, "name", Text, ""),
    field(2, "namespaced", Flag, ""),
    field(3, "kind", Text, ""),
    field(4, "verbs", Of(&VERBS), "").optional(),
    list(5, "shortNames", Text, ""),
    field(6, "singularName", Text, ""),
    list(7, "categories", Text, ""),
    field(8, "group", Text, ""),
    field(9, "version", Text, ""),
    field(10, "storageVersionHash", Text, ""),
]);

static VERBS: Type = part().containing(Content::Words).with(&[list(1, "items", Text, "")]);

/// Aggregated discovery, of `apidiscovery.k8s.io/v2`.
pub(super) static AGGREGATED: Type = objects("", "").with(&[list(2, "items", Of(&AGGREGATED_GROUP), "")]);

static AGGREGATED_GROUP: Type = object("", "").with(&[list(2, "versions", Of(&AGGREGATED_VERSION), "")]);

static AGGREGATED_VERSION: Type = part().with(&[
    field(1, "version", Text, ""),
    list(2, "resources", Of(&AGGREGATED_RESOURCE), ""),
    field(3, "freshness", Text, ""),
]);

static AGGREGATED_RESOURCE: Type = part().with(&[
    field(1, "resource", Text, ""),
    field(2, "responseKind", Of(&KIND), "").optional(),
    field(3, "scope", Text, ""),
    field(4, "singularResource", Text, ""),
    list(5, "verbs", Text, ""),
    list(6, "shortNames", Text, ""),
    list(7, "categories", Text, ""),
    list(8, "subresources", Of(&AGGREGATED_SUBRESOURCE), ""),
]);

static AGGREGATED_SUBRESOURCE: Type = part().with(&[
    field(1, "subresource", Text, ""),
    field(2, "responseKind", Of(&KIND), "").optional(),
    list(3, "acceptedTypes", Of(&KIND), ""),
    list(4, "verbs", Text, ""),
]);

static KIND: Type =
    part().with(&[field(1, "group", Text, ""), field(2, "version", Text, ""), field(3, "kind", Text, "")]);
