//! Types that all resources share: `io.k8s.apimachinery.pkg.apis.meta.v1`.

use crdible_semantics::release::Change;

use super::field::{Field, Shape, Topology};
use super::model::{Content, Model};

macro_rules! meta {
    ($name:literal) => {
        concat!("io.k8s.apimachinery.pkg.apis.meta.v1.", $name)
    };
}

/// Metadata of an object.
pub(crate) const OBJECT_META: &str = meta!("ObjectMeta");
/// Metadata of a list.
pub(in crate::openapi) const LIST_META: &str = meta!("ListMeta");
/// The body of a patch.
pub(in crate::openapi) const PATCH: &str = meta!("Patch");
/// The body of a delete request.
pub(in crate::openapi) const DELETE_OPTIONS: &str = meta!("DeleteOptions");
/// The response of requests that return no object.
pub(in crate::openapi) const STATUS: &str = meta!("Status");
const FIELDS: &str = meta!("FieldsV1");
const MANAGED_FIELDS: &str = meta!("ManagedFieldsEntry");
const OWNER: &str = meta!("OwnerReference");
const PRECONDITIONS: &str = meta!("Preconditions");
const SHARD_INFO: &str = meta!("ShardInfo");
const CAUSE: &str = meta!("StatusCause");
const DETAILS: &str = meta!("StatusDetails");
/// A point in time with microseconds.
pub(super) const MICRO_TIME: &str = meta!("MicroTime");
/// A point in time.
pub(super) const TIME: &str = meta!("Time");

/// The description of every `apiVersion` field.
pub(in crate::openapi) const API_VERSION_DESCRIPTION: &str =
    "The group and version of this object, as `group/version`; only the version for the core group.";
/// The description of every `kind` field.
pub(in crate::openapi) const KIND_DESCRIPTION: &str =
    "The kind of this object, in CamelCase. The server can infer it from the URL; it cannot be changed.";

/// `apiVersion` of an object.
pub(super) const API_VERSION: Field = Field::new("apiVersion", Shape::Text, API_VERSION_DESCRIPTION);
/// `kind` of an object.
pub(super) const KIND: Field = Field::new("kind", Shape::Text, KIND_DESCRIPTION);
/// `metadata` of an object.
pub(super) const METADATA: Field = Field::new("metadata", Shape::Struct(OBJECT_META), "Metadata of the object.");
/// `metadata` of a list.
pub(super) const LIST_METADATA: Field = Field::new("metadata", Shape::Struct(LIST_META), "Metadata of the list.");

pub(super) const MODELS: &[Model] = &[
    Model::new(OBJECT_META, "Metadata that every stored object has.", Content::Struct(OBJECT_META_FIELDS)),
    Model::new(
        OWNER,
        "An object that owns this one, in the same namespace or cluster-scoped.",
        Content::Struct(OWNER_FIELDS),
    )
    .atomic(),
    Model::new(
        MANAGED_FIELDS,
        "The fields that a manager set by an operation.",
        Content::Struct(MANAGED_FIELDS_FIELDS),
    ),
    Model::new(FIELDS, "A set of fields, as a tree of their paths.", Content::Object),
    Model::new(TIME, "A point in time, in RFC 3339.", Content::Time),
    Model::new(MICRO_TIME, "A point in time, in RFC 3339 with microseconds.", Content::Time),
    Model::new(LIST_META, "Metadata of a list.", Content::Struct(LIST_META_FIELDS)),
    Model::new(
        SHARD_INFO,
        "The part of a collection that a list contains.",
        Content::Struct(&[Field::new("selector", Shape::Text, "The selector of the part.").required()]),
    ),
    Model::new(PATCH, "A patch in the format of its media type.", Content::Object),
    // Upstream lists every built-in group.
    Model::new(DELETE_OPTIONS, "Options of a deletion.", Content::Struct(DELETE_OPTIONS_FIELDS)).of_kinds(&[
        ["", "v1", "DeleteOptions"],
        ["apiextensions.k8s.io", "v1", "DeleteOptions"],
        ["events.k8s.io", "v1", "DeleteOptions"],
    ]),
    Model::new(
        PRECONDITIONS,
        "The conditions under which an object is deleted.",
        Content::Struct(&[
            Field::new("resourceVersion", Shape::Text, "The revision that the object must have."),
            Field::new("uid", Shape::Text, "The UID that the object must have."),
        ]),
    ),
    Model::new(STATUS, "The result of a request that does not return an object.", Content::Struct(STATUS_FIELDS))
        .of_kinds(&[["", "v1", "Status"]]),
    Model::new(
        DETAILS,
        "The object that a request was about, and the causes of a failure.",
        Content::Struct(DETAILS_FIELDS),
    ),
    Model::new(CAUSE, "One cause of a failure.", Content::Struct(CAUSE_FIELDS)),
];

const OBJECT_META_FIELDS: &[Field] = &[
    Field::new("name", Shape::Text, "The name, unique among the objects of a resource in a namespace."),
    Field::new("generateName", Shape::Text, "The prefix of a generated name, if no name is given."),
    Field::new("namespace", Shape::Text, "The namespace of the object; empty if the resource is cluster-scoped."),
    Field::new("selfLink", Shape::Text, "Deprecated: never set."),
    Field::new("uid", Shape::Text, "An identifier that no other object ever has; set by the server."),
    Field::new(
        "resourceVersion",
        Shape::Text,
        "The revision of the object, for watches and safe updates; opaque to clients.",
    ),
    Field::new("generation", Shape::Int64, "Counts the changes of the desired state; set by the server."),
    Field::new("creationTimestamp", Shape::Pointer(TIME), "When the object was created; set by the server."),
    Field::new("deletionTimestamp", Shape::Pointer(TIME), "When its deletion was requested; set by the server."),
    Field::new("deletionGracePeriodSeconds", Shape::Int64, "How long a graceful deletion may take, in seconds."),
    Field::new("labels", Shape::TextMap, "Keys and values by which objects are selected."),
    Field::new("annotations", Shape::TextMap, "Keys and values that tools keep with the object."),
    Field::new(
        "ownerReferences",
        Shape::Structs(OWNER),
        "The owners of this object; it is deleted with the last of them.",
    )
    .topology(Topology::Map(&["uid"]))
    .merged_by("uid"),
    Field::new("finalizers", Shape::Texts, "The tasks that must be done before the object is removed.")
        .topology(Topology::Set)
        .merged(),
    Field::new(
        "managedFields",
        Shape::Structs(MANAGED_FIELDS),
        "The managers of the object and the fields that they set.",
    )
    .atomic(),
];

const OWNER_FIELDS: &[Field] = &[
    Field::new("apiVersion", Shape::Text, "The `apiVersion` of the owner.").required(),
    Field::new("kind", Shape::Text, "The kind of the owner.").required(),
    Field::new("name", Shape::Text, "The name of the owner.").required(),
    Field::new("uid", Shape::Text, "The UID of the owner.").required(),
    Field::new("controller", Shape::Flag, "Whether the owner is the controller of this object."),
    Field::new("blockOwnerDeletion", Shape::Flag, "Whether a foreground deletion of the owner waits for this object."),
];

const MANAGED_FIELDS_FIELDS: &[Field] = &[
    Field::new("manager", Shape::Text, "The name of the manager."),
    Field::new("operation", Shape::Text, "`Apply` or `Update`."),
    Field::new("apiVersion", Shape::Text, "The version in which the fields are named."),
    Field::new("time", Shape::Pointer(TIME), "When the manager last changed this set."),
    Field::new("fieldsType", Shape::Text, "The format of the set; always `FieldsV1`."),
    Field::new("fieldsV1", Shape::Pointer(FIELDS), "The set in the form `FieldsV1`."),
    Field::new("subresource", Shape::Text, "The subresource through which the fields were set."),
];

const LIST_META_FIELDS: &[Field] = &[
    Field::new("selfLink", Shape::Text, "Deprecated: never set."),
    Field::new("resourceVersion", Shape::Text, "The revision of the collection that the list shows."),
    Field::new("continue", Shape::Text, "The token of the next page; empty on the last page."),
    Field::new("remainingItemCount", Shape::Int64, "How many objects are left after this page, if that is known."),
    Field::new("shardInfo", Shape::Pointer(SHARD_INFO), "Set if the list is one part of the collection.")
        .since(Change::ShardSelectors),
];

const DELETE_OPTIONS_FIELDS: &[Field] = &[
    KIND,
    API_VERSION,
    Field::new(
        "gracePeriodSeconds",
        Shape::Int64,
        "How long a graceful deletion may take, in seconds; 0 deletes immediately.",
    ),
    Field::new(
        "preconditions",
        Shape::Pointer(PRECONDITIONS),
        "The conditions of the deletion; if they fail, the response is 409.",
    ),
    Field::new("orphanDependents", Shape::Flag, "Deprecated, use `propagationPolicy`: whether dependents are kept."),
    Field::new("propagationPolicy", Shape::Text, "What happens to dependents: `Orphan`, `Background` or `Foreground`."),
    Field::new("dryRun", Shape::Texts, "`All` if the change must not be stored.").atomic(),
    Field::new(
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        Shape::Flag,
        "Whether to delete objects that cannot be read; dangerous.",
    ),
];

const STATUS_FIELDS: &[Field] = &[
    KIND,
    API_VERSION,
    LIST_METADATA,
    Field::new("status", Shape::Text, "`Success` or `Failure`."),
    Field::new("message", Shape::Text, "What happened, as a human-readable message."),
    Field::new("reason", Shape::Text, "The reason, as one word for programs."),
    Field::new("details", Shape::Pointer(DETAILS), "The details of the reason.")
        .topology(Topology::AtomicBefore(Change::UntypedStatusDetails)),
    Field::new("code", Shape::Int32, "The HTTP status code."),
];

const DETAILS_FIELDS: &[Field] = &[
    Field::new("name", Shape::Text, "The name of the object."),
    Field::new("group", Shape::Text, "The group of the object."),
    Field::new("kind", Shape::Text, "The kind of the object, or its resource."),
    Field::new("uid", Shape::Text, "The UID of the object."),
    Field::new("causes", Shape::Structs(CAUSE), "All causes of the failure.").atomic(),
    Field::new("retryAfterSeconds", Shape::Int32, "How long to wait before trying again."),
];

const CAUSE_FIELDS: &[Field] = &[
    Field::new("reason", Shape::Text, "The type of the error, as one word for programs."),
    Field::new("message", Shape::Text, "The error, as a human-readable message."),
    Field::new("field", Shape::Text, "The path of the field."),
];
