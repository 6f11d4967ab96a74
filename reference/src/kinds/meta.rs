//! Types that all resources share: `io.k8s.apimachinery.pkg.apis.meta.v1`.

use crdible_semantics::release::Change;

use super::declaration::Element::{Flag, Int32, Int64, Of, Text};
use super::declaration::{Content, Field, Topology, Type, field, list, map};

macro_rules! meta {
    ($name:literal) => {
        concat!("io.k8s.apimachinery.pkg.apis.meta.v1.", $name)
    };
}

/// `kind` of an object; protobuf has it in the envelope.
pub(crate) const KIND: Field = field(
    0,
    "kind",
    Text,
    "The kind of this object, in CamelCase. The server can infer it from the URL; it cannot be changed.",
);
/// `apiVersion` of an object; protobuf has it in the envelope.
pub(crate) const API_VERSION: Field = field(
    0,
    "apiVersion",
    Text,
    "The group and version of this object, as `group/version`; only the version for the core group.",
);
/// `metadata` of an object.
pub(super) const METADATA: Field = field(1, "metadata", Of(&OBJECT_META), "Metadata of the object.");
/// `metadata` of a list.
const LIST_METADATA: Field = field(1, "metadata", Of(&LIST_META), "Metadata of the list.");

static OF_OBJECTS: [Field; 3] = [KIND, API_VERSION, METADATA];
static OF_LISTS: [Field; 3] = [KIND, API_VERSION, LIST_METADATA];

/// The type of the objects of a resource.
pub(super) const fn object(name: &'static str, description: &'static str) -> Type {
    Type::new(name, description).headed(&OF_OBJECTS)
}

/// The type of a list of objects.
pub(super) const fn objects(name: &'static str, description: &'static str) -> Type {
    Type::new(name, description).headed(&OF_LISTS)
}

/// The objects in a list.
pub(super) const fn items(object: &'static Type, description: &'static str) -> Field {
    list(2, "items", Of(object), description).required()
}

/// Metadata of an object.
pub(crate) static OBJECT_META: Type = Type::new(meta!("ObjectMeta"), "Metadata that every stored object has.").with(&[
    field(1, "name", Text, "The name, unique among the objects of a resource in a namespace."),
    field(2, "generateName", Text, "The prefix of a generated name, if no name is given."),
    field(3, "namespace", Text, "The namespace of the object; empty if the resource is cluster-scoped."),
    field(4, "selfLink", Text, "Deprecated: never set."),
    field(5, "uid", Text, "An identifier that no other object ever has; set by the server."),
    field(6, "resourceVersion", Text, "The revision of the object, for watches and safe updates; opaque to clients."),
    field(7, "generation", Int64, "Counts the changes of the desired state; set by the server."),
    field(8, "creationTimestamp", Of(&TIME), "When the object was created; set by the server."),
    field(9, "deletionTimestamp", Of(&TIME), "When its deletion was requested; set by the server.").optional(),
    field(10, "deletionGracePeriodSeconds", Int64, "How long a graceful deletion may take, in seconds.").optional(),
    map(11, "labels", Text, "Keys and values by which objects are selected."),
    map(12, "annotations", Text, "Keys and values that tools keep with the object."),
    list(13, "ownerReferences", Of(&OWNER), "The owners of this object; it is deleted with the last of them.")
        .topology(Topology::Map(&["uid"]))
        .merged(),
    list(14, "finalizers", Text, "The tasks that must be done before the object is removed.")
        .topology(Topology::Set)
        .merged(),
    list(17, "managedFields", Of(&MANAGED_FIELDS), "The managers of the object and the fields that they set.").atomic(),
]);

static OWNER: Type =
    Type::new(meta!("OwnerReference"), "An object that owns this one, in the same namespace or cluster-scoped.")
        .atomic()
        .with(&[
            field(5, "apiVersion", Text, "The `apiVersion` of the owner.").required(),
            field(1, "kind", Text, "The kind of the owner.").required(),
            field(3, "name", Text, "The name of the owner.").required(),
            field(4, "uid", Text, "The UID of the owner.").required(),
            field(6, "controller", Flag, "Whether the owner is the controller of this object.").optional(),
            field(7, "blockOwnerDeletion", Flag, "Whether a foreground deletion of the owner waits for this object.")
                .optional(),
        ]);

static MANAGED_FIELDS: Type = Type::new(meta!("ManagedFieldsEntry"), "The fields that a manager set by an operation.")
    .with(&[
        field(1, "manager", Text, "The name of the manager."),
        field(2, "operation", Text, "`Apply` or `Update`."),
        field(3, "apiVersion", Text, "The version in which the fields are named."),
        field(4, "time", Of(&TIME), "When the manager last changed this set.").optional(),
        field(6, "fieldsType", Text, "The format of the set; always `FieldsV1`."),
        field(7, "fieldsV1", Of(&FIELDS), "The set in the form `FieldsV1`.").optional(),
        field(8, "subresource", Text, "The subresource through which the fields were set."),
    ]);

static FIELDS: Type =
    Type::new(meta!("FieldsV1"), "A set of fields, as a tree of their paths.").containing(Content::Json("object"));

/// A point in time.
pub(super) static TIME: Type =
    Type::new(meta!("Time"), "A point in time, in RFC 3339.").containing(Content::Time).with(PARTS_OF_TIME);
/// A point in time with microseconds.
pub(super) static MICRO_TIME: Type = Type::new(meta!("MicroTime"), "A point in time, in RFC 3339 with microseconds.")
    .containing(Content::MicroTime)
    .with(PARTS_OF_TIME);

/// The seconds since 1970, and the nanoseconds after them.
const PARTS_OF_TIME: &[Field] = &[field(1, "seconds", Int64, "").optional(), field(2, "nanos", Int32, "").optional()];

/// Metadata of a list.
pub(crate) static LIST_META: Type = Type::new(meta!("ListMeta"), "Metadata of a list.").with(&[
    field(1, "selfLink", Text, "Deprecated: never set."),
    field(2, "resourceVersion", Text, "The revision of the collection that the list shows."),
    field(3, "continue", Text, "The token of the next page; empty on the last page."),
    field(4, "remainingItemCount", Int64, "How many objects are left after this page, if that is known.").optional(),
    field(0, "shardInfo", Of(&SHARD_INFO), "Set if the list is one part of the collection.")
        .optional()
        .since(Change::ShardSelectors),
]);

static SHARD_INFO: Type = Type::new(meta!("ShardInfo"), "The part of a collection that a list contains.")
    .with(&[field(0, "selector", Text, "The selector of the part.").required()]);

/// The body of a patch.
pub(crate) static PATCH: Type = Type::new(meta!("Patch"), "A patch in the format of its media type.");

/// The body of a delete request. Every group has it.
pub(crate) static DELETE_OPTIONS: Type = Type::new(meta!("DeleteOptions"), "Options of a deletion.").with(&[
    KIND,
    API_VERSION,
    field(1, "gracePeriodSeconds", Int64, "How long a graceful deletion may take, in seconds; 0 deletes immediately.")
        .optional(),
    field(2, "preconditions", Of(&PRECONDITIONS), "The conditions of the deletion; if they fail, the response is 409.")
        .optional(),
    field(3, "orphanDependents", Flag, "Deprecated, use `propagationPolicy`: whether dependents are kept.").optional(),
    field(4, "propagationPolicy", Text, "What happens to dependents: `Orphan`, `Background` or `Foreground`.")
        .optional(),
    list(5, "dryRun", Text, "`All` if the change must not be stored.").atomic(),
    field(
        0,
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        Flag,
        "Whether to delete objects that cannot be read; dangerous.",
    )
    .optional(),
]);

static PRECONDITIONS: Type = Type::new(meta!("Preconditions"), "The conditions under which an object is deleted.")
    .with(&[
        field(2, "resourceVersion", Text, "The revision that the object must have.").optional(),
        field(1, "uid", Text, "The UID that the object must have.").optional(),
    ]);

/// The response of requests that return no object.
pub(crate) static STATUS: Type = objects(meta!("Status"), "The result of a request that does not return an object.")
    .of_kind(["", "v1", "Status"])
    .with(&[
        field(2, "status", Text, "`Success` or `Failure`."),
        field(3, "message", Text, "What happened, as a human-readable message."),
        field(4, "reason", Text, "The reason, as one word for programs."),
        field(5, "details", Of(&DETAILS), "The details of the reason.")
            .optional()
            .topology(Topology::AtomicBefore(Change::UntypedStatusDetails)),
        field(6, "code", Int32, "The HTTP status code."),
    ]);

static DETAILS: Type =
    Type::new(meta!("StatusDetails"), "The object that a request was about, and the causes of a failure.").with(&[
        field(1, "name", Text, "The name of the object."),
        field(2, "group", Text, "The group of the object."),
        field(3, "kind", Text, "The kind of the object, or its resource."),
        field(6, "uid", Text, "The UID of the object."),
        list(4, "causes", Of(&CAUSE), "All causes of the failure.").atomic(),
        field(5, "retryAfterSeconds", Int32, "How long to wait before trying again."),
    ]);

static CAUSE: Type = Type::new(meta!("StatusCause"), "One cause of a failure.").with(&[
    field(1, "reason", Text, "The type of the error, as one word for programs."),
    field(2, "message", Text, "The error, as a human-readable message."),
    field(3, "field", Text, "The path of the field."),
]);

/// Only the metadata of an object.
pub(super) static PARTIAL: Type = object("", "");
/// Only the metadata of a list of objects.
pub(super) static PARTIAL_LIST: Type = objects("", "").with(&[items(&PARTIAL, "")]);
/// The list of `meta.k8s.io/v1beta1`, whose fields have other numbers.
pub(super) static PARTIAL_LIST_V1BETA1: Type =
    Type::new("", "").with(&[list(1, "items", Of(&PARTIAL), ""), field(2, "metadata", Of(&LIST_META), "")]);
