//! Checks that plain data cannot express: each is a pure function of the transcript (`expect/named.rs`).
//!
//! Scenarios in files refer to a check by its name and version, whose meaning never changes.

mod about;
mod arguments;
pub(super) mod written;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::arguments::is_false;
use super::{Cause, Expectation, StepId};

pub use self::arguments::{
    Event, Happened, ModelPart, Place, RoutePart, RowObject, Seen, StorageHash, TableEvent, TableRow,
};

/// A check by name, with its arguments. *The other answer* is that of the step which [`NamedCheck::against`] names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the comment of a check says what its arguments mean")]
pub enum NamedCheck {
    /// All of these hold of the answer; at least one, and none that looks at another answer. It is what a read waits
    /// for that is checked for several facts: a server may write them one after the other.
    #[serde(rename = "all@1")]
    All { of: Vec<Expectation> },

    // Objects.
    /// Every key of this content is a key of the other content at the same place, and every scalar is equal.
    #[serde(rename = "kept-keys-subset@1")]
    KeptKeysSubset,
    /// The content holds all of this, and perhaps more keys.
    #[serde(rename = "contains@1")]
    Contains { content: Value },
    /// The object was written since the other answer: another `resourceVersion`.
    #[serde(rename = "other-revision@1")]
    OtherRevision,
    /// The content was changed once since the other answer: `generation` is the next number.
    #[serde(rename = "next-generation@1")]
    NextGeneration,
    /// At this place there is the same as in the other answer, if both are accepted.
    #[serde(rename = "same-if-accepted@1")]
    SameIfAccepted { pointer: String },
    /// There is a string at this place that is not empty.
    #[serde(rename = "has@1")]
    Has { pointer: String },
    /// At this place there is another string than in the other answer.
    #[serde(rename = "differs@1")]
    Differs { pointer: String },
    /// At this place there is a string other than this value.
    #[serde(rename = "other-than@1")]
    OtherThan { pointer: String, value: Value },
    /// The object has a valid name that begins with this prefix and goes on. Of a prefix that leaves no room for more
    /// in a label of 63 characters, the beginning is enough.
    #[serde(rename = "generated-name@2")]
    GeneratedName { prefix: String },
    /// Accepted, and the content is one of these.
    #[serde(rename = "one-of@1")]
    OneOf { contents: Vec<Value> },
    /// If the other answer is accepted, this one is, with this content.
    #[serde(rename = "content-if@1")]
    ContentIf { content: Value },

    // Whether a request is accepted, and how it is rejected.
    /// Accepted with this code. One that is accepted with another code is no worse for what follows.
    #[serde(rename = "accepted-as@1")]
    AcceptedAs { status: u16 },
    /// Accepted, if the other answer is.
    #[serde(rename = "accepted-if@1")]
    AcceptedIf,
    /// Rejected with this code, and a `Status` with this reason.
    #[serde(rename = "refused-as@1")]
    RefusedAs { status: u16, reason: String },
    /// Accepted, or rejected with this code and reason.
    #[serde(rename = "accepted-or-refused-as@1")]
    AcceptedOrRefusedAs { status: u16, reason: String },
    /// Not both answers are accepted.
    #[serde(rename = "not-both@1")]
    NotBoth,
    /// A rejection is a `v1` `Status` of a failure, with the code of the response, a reason and a message.
    #[serde(rename = "is-status@1")]
    IsStatus,
    /// A rejection has the reason that belongs to its code (REST-073).
    #[serde(rename = "reason-of-code@1")]
    ReasonOfCode,
    /// Rejected with a `Status` that has this value at this place; null means none.
    #[serde(rename = "rejected-with@1")]
    RejectedWith { pointer: String, value: Value },
    /// 504 that says that the largest revision is too large, unless those of the server, of which the other answer
    /// shows one, are no numbers: then none is large.
    #[serde(rename = "never-came@1")]
    NeverCame,
    /// The other answer is about the same value at the place `from`, this one at `to`. Both are accepted, with the same
    /// value there; or both are rejected with the same code and causes, apart from the prefix of their fields.
    #[serde(rename = "moved@1")]
    Moved { from: Place, to: Place },
    /// 2xx, whatever the body is.
    #[serde(rename = "taken@1")]
    Taken,
    /// Any code but 2xx, whatever the body is.
    #[serde(rename = "not-accepted@1")]
    NotAccepted,
    /// The body is in this form, whatever the code is. The request must have asked for a form.
    #[serde(rename = "media-type@1")]
    MediaType { r#type: String },
    /// 422 with causes. What is accepted shows nothing: a server may overlook what is invalid, but if it rejects it, it
    /// says why.
    #[serde(rename = "lists-causes@2")]
    ListsCauses,

    // Warnings.
    /// The `Warning` headers hold exactly these texts, in this order.
    #[serde(rename = "warnings@1")]
    Warnings { texts: Vec<String> },
    /// For each of these fields and messages there is a `Warning` header that holds both, in any order, and there are no
    /// others: rules that are forgiven.
    #[serde(rename = "rule-warnings@1")]
    RuleWarnings { rules: Vec<(String, String)> },
    /// One `Warning` header holds this text, or none, and none reports another version as deprecated, in one of the
    /// other texts or in the words of VER-012. Other warnings are ignored.
    #[serde(rename = "deprecation@1")]
    Deprecation { text: Option<String>, others: Vec<String> },

    // Lists and their pages.
    /// The list has one item with the `uid` of the object that the other answer shows, and it equals that object.
    #[serde(rename = "listed@1")]
    Listed,
    /// The list holds `count` items of the list in the other answer, from this one on, in the same order. If it may
    /// expire, 410 is right as well.
    #[serde(rename = "slice@1")]
    Slice {
        from: usize,
        count: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires: Option<bool>,
    },
    /// The list holds at most this number of items, the first of the list in the other answer, and a token if that has
    /// more.
    #[serde(rename = "begins@1")]
    Begins { most: usize },
    /// `remainingItemCount` is this, or absent.
    #[serde(rename = "remaining@1")]
    Remaining { count: usize },
    /// The list holds exactly the objects of one of these states, in any order; at least one state. If it may expire,
    /// 410 is right as well.
    #[serde(rename = "states@1")]
    States {
        states: Vec<Vec<Seen>>,
        #[serde(default, skip_serializing_if = "is_false")]
        expires: bool,
    },
    /// The list holds exactly these objects, in any order.
    #[serde(rename = "lists@1")]
    Lists { objects: Vec<usize> },

    // Which versions discovery lists of a group, and in which order.
    /// The group of this discovery document lists the versions in the same order as the other document, and has the
    /// same preferred version.
    #[serde(rename = "same-listing@1")]
    SameListing,
    /// The versions listed here have the same order in the other, longer list.
    #[serde(rename = "listing-within@1")]
    ListingWithin,
    /// The versions of one class tie and come in any order; the classes come in this order.
    #[serde(rename = "listing-in-classes@1")]
    ListingInClasses { classes: Vec<Vec<String>> },
    /// The discovery document has the aggregated form.
    #[serde(rename = "aggregated-listing@1")]
    AggregatedListing,
    /// The document that lists all groups does not list this one.
    #[serde(rename = "not-listed@1")]
    NotListed,

    // Definitions.
    /// 422 with exactly these causes of a definition. Their fields are those of the document, with the index of the
    /// version. A field of upstream's internal form is accepted as equal: that form holds once what all versions share,
    /// so the field has no index (CRDVAL-023). Another index is a difference, and a missing schema has its index in
    /// every form (CRDVAL-026).
    #[serde(rename = "definition-causes@2")]
    DefinitionCauses { causes: Vec<Cause> },
    /// Accepted, and the condition of this type has this status; `None` means no such condition.
    #[serde(rename = "condition@2")]
    Condition { r#type: String, status: Option<String> },
    /// Accepted, and the condition of this type has this status for this reason.
    #[serde(rename = "condition-for@1")]
    ConditionFor { r#type: String, status: String, reason: String },
    /// The warnings about duplicate fields name exactly these paths, each once, and the definition is accepted; or it
    /// is to be refused, and is with 400 `BadRequest` and a message that names them.
    #[serde(rename = "duplicate-fields@1")]
    DuplicateFields { paths: Vec<String>, refused: bool },
    /// Accepted, and the value there, if any, is null, empty, or an object of such fields.
    #[serde(rename = "holds-nothing@1")]
    HoldsNothing { pointer: String },
    /// Accepted, and the `Warning` headers name exactly these formats, each once. There are no others, except warnings
    /// about unknown and duplicate fields (CRDVAL-058).
    #[serde(rename = "unrecognized-formats@2")]
    UnrecognizedFormats { formats: Vec<String> },
    /// If the write is rejected, its `Warning` headers name no format.
    #[serde(rename = "no-unrecognized-format@1")]
    NoUnrecognizedFormat,

    // What becomes of definitions over time.
    /// Accepted, and each condition has its five fields, and is the only one of its type.
    #[serde(rename = "conditions@1")]
    Conditions,
    /// The server has begun to clean up after the deletion of a definition, or has nothing to clean up. To be waited
    /// for: other deletions may come first (LIFE-015).
    #[serde(rename = "cleanup-begun@1")]
    CleanupBegun,
    /// The cleanup after a deletion does not wait for storage: the server tries again after pauses that grow, and how
    /// long that takes is nowhere promised (LIFE-014). To be assumed, where something is to follow from the cleanup.
    /// One that failed for another reason counts.
    #[serde(rename = "cleanup-not-delayed@1")]
    CleanupNotDelayed,
    /// The server is not about to clean up after the deletion of a definition any more: it is gone, its finalizer is,
    /// or another reason is given than that of an unfinished cleanup (LIFE-014). How long that takes is nowhere
    /// promised.
    #[serde(rename = "cleanup-over@1")]
    CleanupOver,
    /// Accepted, and if it is established, its names are accepted.
    #[serde(rename = "established-after-names@1")]
    EstablishedAfterNames,
    /// A condition that has the same status as in the other answer has it since the same time.
    #[serde(rename = "transitions@1")]
    Transitions,
    /// The message of this condition has this text in it.
    #[serde(rename = "condition-says@1")]
    ConditionSays { r#type: String, text: String },
    /// These are the accepted names. A name that is missing is as good as an empty one.
    #[serde(rename = "accepted-names@1")]
    AcceptedNames { names: Value },
    /// The names are accepted if and only if the accepted names are the requested ones.
    #[serde(rename = "names-consistent@1")]
    NamesConsistent,
    /// The names are decided on: these are accepted, and the two conditions have these statuses. To be waited for.
    #[serde(rename = "names-decided@1")]
    NamesDecided { names: Value, accepted: String, established: String },
    /// Both are accepted, with the same `managedFields`.
    #[serde(rename = "same-managers@1")]
    SameManagers,
    /// Text, and no `Status`: nothing is served there.
    #[serde(rename = "plain-404@1")]
    Plain404,

    // Watches.
    /// The watch reported exactly these events, in this order and each with a later revision. If it may expire, the
    /// first of them and then an error 410 is right as well, or 410 alone; if it may be fewer, the first of them.
    #[serde(rename = "events@1")]
    Events {
        version: String,
        events: Vec<Event>,
        #[serde(default, skip_serializing_if = "is_false")]
        expires: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        fewer: bool,
    },
    /// Of the same events nothing more can come that would make the answer right: it is complete, or wrong already.
    #[serde(rename = "events-complete@1")]
    EventsComplete { version: String, events: Vec<Event> },
    /// The watch did not end at once with an error 429 or 504, by which a busy server says that it cannot begin the
    /// watch yet (REST-061): clients try again.
    #[serde(rename = "watch-begins@1")]
    WatchBegins,
    /// The watch reported exactly these events, in this order unless any is allowed, whatever their revisions are. If
    /// `end` is true, a bookmark follows that marks the end of them; else there is no such mark. Other bookmarks are
    /// allowed.
    #[serde(rename = "initial-events@1")]
    InitialEvents {
        version: String,
        events: Vec<Event>,
        end: bool,
        #[serde(default, rename = "any-order", skip_serializing_if = "is_false")]
        any_order: bool,
    },
    /// The objects of the events are in these namespaces, in this order. There may be fewer events.
    #[serde(rename = "event-namespaces@1")]
    EventNamespaces { namespaces: Vec<String> },
    /// The watch ended within this time after the other answer, or was refused by 4xx: it began too late. It ended at
    /// all when the time was over that it was asked for.
    #[serde(rename = "ended@1")]
    Ended { seconds: u32 },
    /// The watch reported nothing but that these objects were deleted, each at most once, and before that perhaps that
    /// they were to be. If it ended by itself, within this time after the other answer, it reported all of them. It may
    /// have begun too late, or say that the history is gone.
    #[serde(rename = "ended-by-deletion@1")]
    EndedByDeletion { objects: Vec<usize>, seconds: u32 },

    // Conversion webhooks.
    /// The webhook of the definition was called at this path, and every call is a review of this version about these
    /// versions, as CONV-005 to CONV-010 say.
    #[serde(rename = "webhook-reviews@1")]
    WebhookReviews { definition: usize, reviews: String, path: String, versions: Vec<String> },
    /// The webhook was sent the object that the other answer shows, whole, to be converted to this version.
    #[serde(rename = "webhook-sent@1")]
    WebhookSent { definition: usize, to: String },
    /// The webhook was never called.
    #[serde(rename = "webhook-silent@1")]
    WebhookSilent { definition: usize },
    /// 500 with a `Status` whose message says that the webhook of an object of this version failed, and holds these
    /// words (CONV-021). An empty version is any.
    #[serde(rename = "webhook-failure@1")]
    WebhookFailure { from: String, words: Vec<String> },

    // Tables, and metadata alone.
    /// The answer is a table of this version of `meta.k8s.io`.
    #[serde(rename = "table@1")]
    Table { version: String },
    /// The table has the column `Name` and these, in this order. A column without a description has any that contains
    /// its `path`.
    #[serde(rename = "table-columns@1")]
    TableColumns { columns: Vec<Value> },
    /// The table has a row for each object of the other answer, which is a plain list or one object, in the same order.
    /// Its first cell is the name, and it has a cell for each column.
    #[serde(rename = "table-rows@1")]
    TableRows,
    /// The table says of its list what the other answer says of the same one: its revision, and what is left of it.
    /// What is empty may be missing. What a token looks like may depend on who made it, a cache or the storage.
    #[serde(rename = "table-metadata@1")]
    TableMetadata,
    /// The watch reported exactly these events, in this order, each as a table of one row. The first has the columns,
    /// and others may. The first of them and then an error 410 are right as well (REST-065).
    #[serde(rename = "table-events@1")]
    TableEvents { objects: RowObject, columns: Vec<Value>, events: Vec<TableEvent> },
    /// Of the same events nothing more can come that would make the answer right.
    #[serde(rename = "table-events-complete@1")]
    TableEventsComplete { objects: RowObject, columns: Vec<Value>, events: Vec<TableEvent> },
    /// The watch began with exactly these objects, each as a table of one row with these cells after the name, and then
    /// marked the end of them by a bookmark: a row without a name and values, whose object has the mark. Other
    /// bookmarks are allowed.
    #[serde(rename = "table-initial@1")]
    TableInitial { rows: Vec<TableRow> },
    /// The rows have these objects.
    #[serde(rename = "table-objects@1")]
    TableObjects { objects: RowObject },
    /// What the column shows of each object of the other answer, by the number of the object in the scenario. A cell
    /// `{"age": pointer}` is the age of the time at this pointer of the object.
    #[serde(rename = "table-cells@1")]
    TableCells { column: usize, cells: Vec<Value> },
    /// The answer shows the metadata of the other one, of a list that of each object, and nothing else of them; as this
    /// version of `meta.k8s.io`.
    #[serde(rename = "metadata-only@1")]
    MetadataOnly { version: String },

    // Discovery: the resources of a group.
    /// The list of resources of a version has exactly these entries.
    #[serde(rename = "resources@1")]
    Resources { version: String, resources: Vec<Value> },
    /// The list of resources of a version has entries of these resources, each once, in any order.
    #[serde(rename = "resource-names@1")]
    ResourceNames { version: String, names: Vec<String> },
    /// The list of resources has an entry of this name, with these fields; none if it is null. The verbs are compared
    /// if the entry has some.
    #[serde(rename = "resource@1")]
    Resource { name: String, entry: Value },
    /// The entry of this name has these verbs, in any order.
    #[serde(rename = "resource-verbs@1")]
    ResourceVerbs { name: String, verbs: Vec<String> },
    /// Aggregated discovery has these versions of the group (`{"version": text, "resources": […]}`), in this order,
    /// each with these resources in this order, with these subresources in any order.
    #[serde(rename = "aggregated-resources@1")]
    AggregatedResources { versions: Vec<Value> },
    /// The document of the group, alone or among others, has these versions in this order, of which the first is
    /// preferred.
    #[serde(rename = "group@1")]
    Group { versions: Vec<String> },
    /// Aggregated discovery says of this version what the other answer says, which is its list of resources; nothing if
    /// that does not exist.
    #[serde(rename = "discovery-agrees@1")]
    DiscoveryAgrees { version: String },
    /// The requested resource or subresource is served if and only if the other answer, a list of resources, has an
    /// entry of this name.
    #[serde(rename = "served-if-listed@1")]
    ServedIfListed { resource: String },
    /// The entry of the resource has no hash of its storage version; or one, the same as in the other answer or
    /// another. Only that entry has one.
    #[serde(rename = "storage-hash@1")]
    StorageHash { resource: String, hash: StorageHash },
    /// The answer is of this media type, in any order of its parameters; if `vary`, it says that it depends on
    /// `Accept`.
    #[serde(rename = "form@1")]
    Form { r#type: String, vary: bool },

    // Documents of OpenAPI.
    /// The model is this one, in one part or as a whole; not counting what its extensions say of the kind and its
    /// selectable fields. `required` is a set, and a default that is null is none.
    #[serde(rename = "published-schema@1")]
    PublishedSchema { model: String, part: ModelPart, schema: Value },
    /// The model has this value at a JSON pointer; null means that it has none.
    #[serde(rename = "published-value@1")]
    PublishedValue { model: String, pointer: String, value: Value },
    /// The models of these versions are of the schemas that were installed last. What a model without a schema shows of
    /// that are its selectable fields, which are these, by version.
    #[serde(rename = "published-current@1")]
    PublishedCurrent {
        versions: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fields: Option<Map<String, Value>>,
    },
    /// The document has no model of this name.
    #[serde(rename = "published-not@1")]
    PublishedNot { model: String },
    /// The document has neither models nor paths of the group at a version; without one at any.
    #[serde(rename = "published-nothing@1")]
    PublishedNothing {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    },
    /// Every reference is to a model of the document.
    #[serde(rename = "published-references@1")]
    PublishedReferences,
    /// The operations of the definition at one version are these, in one part. They are an object of paths, each with
    /// `parameters` (names of what is listed at the path) and its operations: `action`, `kind`, `id`, `tag`,
    /// `parameters` (names, wherever they are listed), `body` (`model`, `types`) and `answer` (a model).
    #[serde(rename = "published-routes@1")]
    PublishedRoutes { version: String, part: RoutePart, routes: Map<String, Value> },
    /// The index has the URLs of the documents of these versions, and none of those.
    #[serde(rename = "published-index@1")]
    PublishedIndex { listed: Vec<String>, unlisted: Vec<String> },
    /// The hash of a version in the index is the `ETag` of the document that the other answer is.
    #[serde(rename = "published-hash@1")]
    PublishedHash { version: String },
    /// Whether the document may be cached for ever.
    #[serde(rename = "published-immutable@1")]
    PublishedImmutable { is: bool },
    /// The document has the same `ETag` as the other answer.
    #[serde(rename = "published-same@1")]
    PublishedSame,
    /// The document has another `ETag` than the other answer.
    #[serde(rename = "published-other@1")]
    PublishedOther,
    /// 304; or a document with another `ETag` than the other answer, since it has changed meanwhile.
    #[serde(rename = "published-not-modified@1")]
    PublishedNotModified,
    /// The model of the document that the other answer is admits the object of this answer. Formats do not count
    /// (INV-057).
    #[serde(rename = "published-admits@1")]
    PublishedAdmits { model: String },
}

impl NamedCheck {
    /// It holds of an answer together with that of another step.
    pub fn against(self, step: StepId) -> Expectation {
        Expectation::Named { check: self, of: Some(step) }
    }
}

impl From<NamedCheck> for Expectation {
    fn from(check: NamedCheck) -> Self {
        Self::Named { check, of: None }
    }
}
