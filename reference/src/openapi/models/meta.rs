//! What all objects and answers share: `io.k8s.apimachinery.pkg.apis.meta.v1`.

use super::field::{Field, Shape, Topology};
use super::{Content, Model};

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
/// The body of a deletion.
pub(in crate::openapi) const DELETE_OPTIONS: &str = meta!("DeleteOptions");
/// The answer without an object.
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

/// What stands at `apiVersion` everywhere.
pub(in crate::openapi) const API_VERSION_DESCRIPTION: &str =
    "The group and version of the schema of this object, as `group/version`; the core group has none.";
/// What stands at `kind` everywhere.
pub(in crate::openapi) const KIND_DESCRIPTION: &str =
    "The kind of this object, in CamelCase. A server takes it from the URL too; it cannot be changed.";

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
        "An object that owns this one, in the same namespace or of the cluster.",
        Content::Struct(OWNER_FIELDS),
    )
    .atomic(),
    Model::new(
        MANAGED_FIELDS,
        "Which fields a manager set, by which operation.",
        Content::Struct(MANAGED_FIELDS_FIELDS),
    ),
    Model::new(FIELDS, "A set of fields, as a tree of their paths.", Content::Object),
    Model::new(TIME, "A point in time, in RFC 3339.", Content::Time),
    Model::new(MICRO_TIME, "A point in time, in RFC 3339 with microseconds.", Content::Time),
    Model::new(LIST_META, "Metadata of a list.", Content::Struct(LIST_META_FIELDS)),
    Model::new(
        SHARD_INFO,
        "Which part of a collection a list holds.",
        Content::Struct(&[Field::new("selector", Shape::Text, "The selector of the part.").required()]),
    ),
    Model::new(PATCH, "A patch in the form that its media type tells.", Content::Object),
    // Upstream names every group that it was compiled with.
    Model::new(DELETE_OPTIONS, "Options of a deletion.", Content::Struct(DELETE_OPTIONS_FIELDS)).of_kinds(&[
        ["", "v1", "DeleteOptions"],
        ["apiextensions.k8s.io", "v1", "DeleteOptions"],
        ["events.k8s.io", "v1", "DeleteOptions"],
    ]),
    Model::new(
        PRECONDITIONS,
        "What must hold of an object, so that it is deleted.",
        Content::Struct(&[
            Field::new("resourceVersion", Shape::Text, "The revision that the object must have."),
            Field::new("uid", Shape::Text, "The UID that the object must have."),
        ]),
    ),
    Model::new(STATUS, "The outcome of a request that gives no object back.", Content::Struct(STATUS_FIELDS))
        .of_kinds(&[["", "v1", "Status"]]),
    Model::new(DETAILS, "What a failed request was about.", Content::Struct(DETAILS_FIELDS)),
    Model::new(CAUSE, "One of the reasons of a failure.", Content::Struct(CAUSE_FIELDS)),
];

const OBJECT_META_FIELDS: &[Field] = &[
    Field::new("name", Shape::Text, "The name, unique in its namespace among objects of one resource."),
    Field::new("generateName", Shape::Text, "What a generated name starts with, if no name is given."),
    Field::new("namespace", Shape::Text, "The namespace of the object; none if its resource is of the cluster."),
    Field::new("selfLink", Shape::Text, "Not set any more."),
    Field::new("uid", Shape::Text, "What tells the object from all others of any time; set by the server."),
    Field::new(
        "resourceVersion",
        Shape::Text,
        "The revision of the object, for watches and safe updates; opaque to clients.",
    ),
    Field::new("generation", Shape::Int64, "Counts the changes of what is wanted; set by the server."),
    Field::new("creationTimestamp", Shape::Pointer(TIME), "When the object was created; set by the server."),
    Field::new("deletionTimestamp", Shape::Pointer(TIME), "When its deletion was asked for; set by the server."),
    Field::new("deletionGracePeriodSeconds", Shape::Int64, "How long the object may take to go."),
    Field::new("labels", Shape::TextMap, "Keys and values by which objects are selected."),
    Field::new("annotations", Shape::TextMap, "Keys and values that tools keep with the object."),
    Field::new(
        "ownerReferences",
        Shape::Structs(OWNER),
        "The owners of this object: with the last of them it goes too.",
    )
    .topology(Topology::Map(&["uid"]))
    .merged_by("uid"),
    Field::new("finalizers", Shape::Texts, "Who has still something to do before the object is gone.")
        .topology(Topology::Set)
        .merged(),
    Field::new("managedFields", Shape::Structs(MANAGED_FIELDS), "Who set which fields.").atomic(),
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
    Field::new("fieldsType", Shape::Text, "The form of the set; there is only `FieldsV1`."),
    Field::new("fieldsV1", Shape::Pointer(FIELDS), "The set in the form `FieldsV1`."),
    Field::new("subresource", Shape::Text, "The subresource through which the fields were set."),
];

const LIST_META_FIELDS: &[Field] = &[
    Field::new("selfLink", Shape::Text, "Not set any more."),
    Field::new("resourceVersion", Shape::Text, "The revision of the collection that the list shows."),
    Field::new("continue", Shape::Text, "If set, there is more: the token of the next page."),
    Field::new("remainingItemCount", Shape::Int64, "How many objects are left after this page, if that is known."),
    Field::new("shardInfo", Shape::Pointer(SHARD_INFO), "Set if the list is one part of the collection."),
];

const DELETE_OPTIONS_FIELDS: &[Field] = &[
    KIND,
    API_VERSION,
    Field::new("gracePeriodSeconds", Shape::Int64, "How long the object may take to go; 0 is at once."),
    Field::new("preconditions", Shape::Pointer(PRECONDITIONS), "What must hold, else the answer is 409."),
    Field::new("orphanDependents", Shape::Flag, "Deprecated for `propagationPolicy`: whether dependents stay."),
    Field::new("propagationPolicy", Shape::Text, "What becomes of dependents: `Orphan`, `Background` or `Foreground`."),
    Field::new("dryRun", Shape::Texts, "`All` if nothing is to be stored.").atomic(),
    Field::new(
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        Shape::Flag,
        "Whether to delete even what cannot be read; dangerous.",
    ),
];

const STATUS_FIELDS: &[Field] = &[
    KIND,
    API_VERSION,
    LIST_METADATA,
    Field::new("status", Shape::Text, "`Success` or `Failure`."),
    Field::new("message", Shape::Text, "What happened, for people."),
    Field::new("reason", Shape::Text, "Why, for programs: one word."),
    Field::new("details", Shape::Pointer(DETAILS), "What the reason is about."),
    Field::new("code", Shape::Int32, "The HTTP code that goes with it."),
];

const DETAILS_FIELDS: &[Field] = &[
    Field::new("name", Shape::Text, "The name of the object."),
    Field::new("group", Shape::Text, "The group of the object."),
    Field::new("kind", Shape::Text, "The kind of the object, or its resource."),
    Field::new("uid", Shape::Text, "The UID of the object."),
    Field::new("causes", Shape::Structs(CAUSE), "All that was found.").atomic(),
    Field::new("retryAfterSeconds", Shape::Int32, "How long to wait before trying again."),
];

const CAUSE_FIELDS: &[Field] = &[
    Field::new("reason", Shape::Text, "What is wrong: one word."),
    Field::new("message", Shape::Text, "What is wrong, for people."),
    Field::new("field", Shape::Text, "Where: the path of a field."),
];
