//! Parameters of operations; each table is sorted by name.

use crdible_semantics::Release;
use crdible_semantics::release::Change;
use serde_json::{Value, json};

use crate::kinds::Dialect;

/// A parameter of the path or the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    place: &'static str,
    kind: &'static str,
    description: &'static str,
    /// The change with which it came; `None` if every release has it.
    since: Option<Change>,
}

const fn query(name: &'static str, kind: &'static str, description: &'static str) -> Parameter {
    Parameter { name, place: "query", kind, description, since: None }
}

impl Parameter {
    /// Whether a release has the parameter.
    pub(super) fn is_in(&self, release: Release) -> bool {
        self.since.is_none_or(|change| release.has(change))
    }

    pub(super) fn to_json(self, dialect: Dialect) -> Value {
        let mut parameter = match dialect {
            Dialect::V2 => json!({"type": self.kind, "uniqueItems": true}),
            Dialect::V3 => json!({"schema": {"type": self.kind, "uniqueItems": true}}),
        };
        parameter["name"] = self.name.into();
        parameter["in"] = self.place.into();
        parameter["description"] = self.description.into();
        if self.place == "path" {
            parameter["required"] = true.into();
        }
        parameter
    }
}

pub(super) const NAME: Parameter = Parameter { place: "path", ..query("name", "string", "The name of the object.") };
pub(super) const NAMESPACE: Parameter =
    Parameter { place: "path", ..query("namespace", "string", "The namespace of the object.") };
pub(super) const PRETTY: Parameter = query("pretty", "string", "If `true`, the response is indented.");

const CONTINUE: Parameter = query("continue", "string", "The token of the next page, from the previous page.");
const DRY_RUN: Parameter = query("dryRun", "string", "`All` if the change must not be stored.");
const FIELD_MANAGER: Parameter =
    query("fieldManager", "string", "The name of the field manager, at most 128 characters.");
const FIELD_SELECTOR: Parameter = query("fieldSelector", "string", "Selects objects by the values of fields.");
const FIELD_VALIDATION: Parameter = query(
    "fieldValidation",
    "string",
    "How unknown and duplicate fields are handled: `Ignore` ignores them, `Warn` warns, `Strict` refuses them.",
);
const GRACE_PERIOD: Parameter =
    query("gracePeriodSeconds", "integer", "How long a graceful deletion may take; 0 deletes immediately.");
const IGNORE_READ_ERROR: Parameter = query(
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "boolean",
    "Whether to delete objects that cannot be read; dangerous.",
);
const LABEL_SELECTOR: Parameter = query("labelSelector", "string", "Selects objects by their labels.");
const LIMIT: Parameter = query("limit", "integer", "The maximum number of objects on a page.");
const ORPHAN_DEPENDENTS: Parameter =
    query("orphanDependents", "boolean", "Deprecated, use `propagationPolicy`: whether dependents are kept.");
const PROPAGATION_POLICY: Parameter =
    query("propagationPolicy", "string", "What happens to dependents: `Orphan`, `Background` or `Foreground`.");
const RESOURCE_VERSION: Parameter = query("resourceVersion", "string", "The revision that the response must show.");
const RESOURCE_VERSION_MATCH: Parameter =
    query("resourceVersionMatch", "string", "Whether `resourceVersion` is exact, or the oldest allowed revision.");
const SEND_INITIAL_EVENTS: Parameter =
    query("sendInitialEvents", "boolean", "Whether a watch starts with an event for each existing object.");
const SHARD_SELECTOR: Parameter = Parameter {
    since: Some(Change::ShardSelectors),
    ..query("shardSelector", "string", "Selects a part of the collection (alpha).")
};
const TIMEOUT: Parameter = query("timeoutSeconds", "integer", "The time limit of the request.");

pub(super) const READ: &[Parameter] = &[RESOURCE_VERSION];

pub(super) const WRITE: &[Parameter] = &[DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];

pub(super) const PATCH: &[Parameter] = &[
    DRY_RUN,
    FIELD_MANAGER,
    FIELD_VALIDATION,
    query("force", "boolean", "Whether an apply takes over fields of other managers."),
];

pub(super) const DELETE: &[Parameter] =
    &[DRY_RUN, GRACE_PERIOD, IGNORE_READ_ERROR, ORPHAN_DEPENDENTS, PROPAGATION_POLICY];

pub(super) const LIST: &[Parameter] = &[
    query("allowWatchBookmarks", "boolean", "Whether a watch may send bookmarks."),
    CONTINUE,
    FIELD_SELECTOR,
    LABEL_SELECTOR,
    LIMIT,
    RESOURCE_VERSION,
    RESOURCE_VERSION_MATCH,
    SEND_INITIAL_EVENTS,
    SHARD_SELECTOR,
    TIMEOUT,
    query("watch", "boolean", "Whether to watch for changes instead of listing."),
];

/// The parameters for deleting a collection of a built-in resource.
pub(super) const DELETE_COLLECTION: &[Parameter] = &[
    CONTINUE,
    DRY_RUN,
    FIELD_SELECTOR,
    GRACE_PERIOD,
    IGNORE_READ_ERROR,
    LABEL_SELECTOR,
    LIMIT,
    ORPHAN_DEPENDENTS,
    PROPAGATION_POLICY,
    RESOURCE_VERSION,
    RESOURCE_VERSION_MATCH,
    SEND_INITIAL_EVENTS,
    SHARD_SELECTOR,
    TIMEOUT,
];
