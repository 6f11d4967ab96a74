//! Parameters of operations, each table in the order of names.

use serde_json::{Value, json};

use super::dialect::Dialect;

/// A parameter of the path or the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    place: &'static str,
    kind: &'static str,
    description: &'static str,
}

const fn query(name: &'static str, kind: &'static str, description: &'static str) -> Parameter {
    Parameter { name, place: "query", kind, description }
}

impl Parameter {
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

pub(super) const NAME: Parameter =
    Parameter { name: "name", place: "path", kind: "string", description: "The name of the object." };
pub(super) const NAMESPACE: Parameter =
    Parameter { name: "namespace", place: "path", kind: "string", description: "The namespace of the object." };
pub(super) const PRETTY: Parameter = query("pretty", "string", "If `true`, the answer is written for people to read.");

const CONTINUE: Parameter = query("continue", "string", "The token of the page that is wanted, from the page before.");
const DRY_RUN: Parameter = query("dryRun", "string", "`All` if nothing is to be stored.");
const FIELD_MANAGER: Parameter = query("fieldManager", "string", "Who sets the fields: at most 128 letters.");
const FIELD_SELECTOR: Parameter =
    query("fieldSelector", "string", "Only objects with these values of fields are listed.");
const FIELD_VALIDATION: Parameter = query(
    "fieldValidation",
    "string",
    "What unknown and repeated fields lead to: `Ignore` to nothing, `Warn` to a warning each, `Strict` to a refusal.",
);
const GRACE_PERIOD: Parameter =
    query("gracePeriodSeconds", "integer", "How long the object may take to go; 0 is at once.");
const IGNORE_READ_ERROR: Parameter = query(
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "boolean",
    "Whether to delete even what cannot be read; dangerous.",
);
const LABEL_SELECTOR: Parameter = query("labelSelector", "string", "Only objects with these labels are listed.");
const LIMIT: Parameter = query("limit", "integer", "How many objects a page may have.");
const ORPHAN_DEPENDENTS: Parameter =
    query("orphanDependents", "boolean", "Deprecated for `propagationPolicy`: whether dependents stay.");
const PROPAGATION_POLICY: Parameter =
    query("propagationPolicy", "string", "What becomes of dependents: `Orphan`, `Background` or `Foreground`.");
const RESOURCE_VERSION: Parameter = query("resourceVersion", "string", "Which revision the answer must show.");
const RESOURCE_VERSION_MATCH: Parameter =
    query("resourceVersionMatch", "string", "Whether that revision is meant, or one that is not older.");
const SEND_INITIAL_EVENTS: Parameter =
    query("sendInitialEvents", "boolean", "Whether a watch first tells of all objects that there are.");
const SHARD_SELECTOR: Parameter = query("shardSelector", "string", "Which part of the collection is listed (alpha).");
const TIMEOUT: Parameter = query("timeoutSeconds", "integer", "How long the request may take.");

pub(super) const READ: &[Parameter] = &[RESOURCE_VERSION];

pub(super) const WRITE: &[Parameter] = &[DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];

pub(super) const PATCH: &[Parameter] = &[
    DRY_RUN,
    FIELD_MANAGER,
    FIELD_VALIDATION,
    query("force", "boolean", "Whether an apply takes fields from other managers."),
];

pub(super) const DELETE: &[Parameter] =
    &[DRY_RUN, GRACE_PERIOD, IGNORE_READ_ERROR, ORPHAN_DEPENDENTS, PROPAGATION_POLICY];

pub(super) const LIST: &[Parameter] = &[
    query("allowWatchBookmarks", "boolean", "Whether a watch may tell of revisions without a change."),
    CONTINUE,
    FIELD_SELECTOR,
    LABEL_SELECTOR,
    LIMIT,
    RESOURCE_VERSION,
    RESOURCE_VERSION_MATCH,
    SEND_INITIAL_EVENTS,
    SHARD_SELECTOR,
    TIMEOUT,
    query("watch", "boolean", "Whether changes are told as they come."),
];

/// Of a collection of a built-in resource.
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
