//! Events: `io.k8s.api.core.v1` and `io.k8s.api.events.v1`.

use super::field::{Field, Shape};
use super::meta;
use super::model::{Content, Model};

/// An event of the core group.
pub(crate) const CORE_EVENT: &str = "io.k8s.api.core.v1.Event";
/// A list of core events.
pub(crate) const CORE_EVENT_LIST: &str = "io.k8s.api.core.v1.EventList";
/// An event of the group `events.k8s.io`.
pub(crate) const EVENT: &str = "io.k8s.api.events.v1.Event";
/// A list of events of the group `events.k8s.io`.
pub(crate) const EVENT_LIST: &str = "io.k8s.api.events.v1.EventList";
const CORE_SERIES: &str = "io.k8s.api.core.v1.EventSeries";
const SERIES: &str = "io.k8s.api.events.v1.EventSeries";
const SOURCE: &str = "io.k8s.api.core.v1.EventSource";
const REFERENCE: &str = "io.k8s.api.core.v1.ObjectReference";

const EVENT_DESCRIPTION: &str = "An observation about an object. It is kept for a limited time.";
const LIST_DESCRIPTION: &str = "A list of events.";
const SERIES_DESCRIPTION: &str = "A series of equal events.";
const COUNT_DESCRIPTION: &str = "How often it was observed.";
const FIRST_DESCRIPTION: &str = "When it was first observed, to the second.";
const LAST_DESCRIPTION: &str = "When it was last observed, to the second.";
const SOURCE_DESCRIPTION: &str = "The source of the event.";
const OBJECT_DESCRIPTION: &str = "The object that the event is about.";
const MESSAGE_DESCRIPTION: &str = "What happened, as a human-readable message.";
const REPORTER_DESCRIPTION: &str = "The controller that reported it.";
const LAST_OF_SERIES_DESCRIPTION: &str = "When the last event of the series was observed.";

const TYPE: Field = Field::new("type", Shape::Text, "`Normal` or `Warning`.");
const REASON: Field = Field::new("reason", Shape::Text, "The reason, as one word for programs.");
const ACTION: Field = Field::new("action", Shape::Text, "The action that was taken or failed, as one word.");
const INSTANCE_DESCRIPTION: &str = "The instance of the controller that reported it.";
const RELATED: Field = Field::new("related", Shape::Pointer(REFERENCE), "A related object.");
const EVENT_TIME: Field =
    Field::new("eventTime", Shape::Pointer(meta::MICRO_TIME), "When it was first observed, to the microsecond.");

pub(super) const MODELS: &[Model] = &[
    Model::new(CORE_EVENT, EVENT_DESCRIPTION, Content::Struct(CORE_EVENT_FIELDS)).of_kinds(&[["", "v1", "Event"]]),
    list(CORE_EVENT_LIST, Content::Struct(CORE_LIST_FIELDS)).of_kinds(&[["", "v1", "EventList"]]),
    Model::new(EVENT, EVENT_DESCRIPTION, Content::Struct(EVENT_FIELDS)).of_kinds(&[["events.k8s.io", "v1", "Event"]]),
    list(EVENT_LIST, Content::Struct(LIST_FIELDS)).of_kinds(&[["events.k8s.io", "v1", "EventList"]]),
    Model::new(
        CORE_SERIES,
        SERIES_DESCRIPTION,
        Content::Struct(&[
            Field::new("count", Shape::Int32, COUNT_DESCRIPTION),
            Field::new("lastObservedTime", Shape::Pointer(meta::MICRO_TIME), LAST_OF_SERIES_DESCRIPTION),
        ]),
    ),
    Model::new(
        SERIES,
        SERIES_DESCRIPTION,
        Content::Struct(&[
            Field::new("count", Shape::Int32, COUNT_DESCRIPTION).required(),
            Field::new("lastObservedTime", Shape::Pointer(meta::MICRO_TIME), LAST_OF_SERIES_DESCRIPTION).required(),
        ]),
    ),
    Model::new(
        SOURCE,
        "The source of an event.",
        Content::Struct(&[
            Field::new("component", Shape::Text, "The program."),
            Field::new("host", Shape::Text, "The machine that it runs on."),
        ]),
    ),
    Model::new(
        REFERENCE,
        "A reference to an object.",
        Content::Struct(&[
            Field::new("kind", Shape::Text, "The kind of the object."),
            Field::new("namespace", Shape::Text, "The namespace of the object."),
            Field::new("name", Shape::Text, "The name of the object."),
            Field::new("uid", Shape::Text, "The UID of the object."),
            Field::new("apiVersion", Shape::Text, "The `apiVersion` of the object."),
            Field::new("resourceVersion", Shape::Text, "The revision of the object."),
            Field::new("fieldPath", Shape::Text, "The path of a field, if the reference is not to the whole object."),
        ]),
    )
    .atomic(),
];

const fn list(name: &'static str, content: Content) -> Model {
    Model::new(name, LIST_DESCRIPTION, content)
}

const CORE_EVENT_FIELDS: &[Field] = &[
    meta::KIND,
    meta::API_VERSION,
    meta::METADATA.required(),
    Field::new("involvedObject", Shape::Struct(REFERENCE), OBJECT_DESCRIPTION).required(),
    REASON,
    Field::new("message", Shape::Text, MESSAGE_DESCRIPTION),
    Field::new("source", Shape::Struct(SOURCE), SOURCE_DESCRIPTION),
    Field::new("firstTimestamp", Shape::Pointer(meta::TIME), FIRST_DESCRIPTION),
    Field::new("lastTimestamp", Shape::Pointer(meta::TIME), LAST_DESCRIPTION),
    Field::new("count", Shape::Int32, COUNT_DESCRIPTION),
    TYPE,
    EVENT_TIME,
    Field::new("series", Shape::Pointer(CORE_SERIES), SERIES_DESCRIPTION),
    ACTION,
    RELATED,
    Field::new("reportingComponent", Shape::TextOrEmpty, REPORTER_DESCRIPTION),
    Field::new("reportingInstance", Shape::TextOrEmpty, INSTANCE_DESCRIPTION),
];

const EVENT_FIELDS: &[Field] = &[
    meta::KIND,
    meta::API_VERSION,
    meta::METADATA,
    EVENT_TIME.required(),
    Field::new("series", Shape::Pointer(SERIES), SERIES_DESCRIPTION),
    Field::new("reportingController", Shape::Text, REPORTER_DESCRIPTION),
    Field::new("reportingInstance", Shape::Text, INSTANCE_DESCRIPTION),
    ACTION,
    REASON,
    Field::new("regarding", Shape::Struct(REFERENCE), OBJECT_DESCRIPTION),
    RELATED,
    Field::new("note", Shape::Text, MESSAGE_DESCRIPTION),
    TYPE,
    Field::new("deprecatedSource", Shape::Struct(SOURCE), SOURCE_DESCRIPTION),
    Field::new("deprecatedFirstTimestamp", Shape::Pointer(meta::TIME), FIRST_DESCRIPTION),
    Field::new("deprecatedLastTimestamp", Shape::Pointer(meta::TIME), LAST_DESCRIPTION),
    Field::new("deprecatedCount", Shape::Int32, COUNT_DESCRIPTION),
];

const CORE_LIST_FIELDS: &[Field] = &[
    meta::KIND,
    meta::API_VERSION,
    meta::LIST_METADATA,
    Field::new("items", Shape::Structs(CORE_EVENT), "The events.").required(),
];

const LIST_FIELDS: &[Field] = &[
    meta::KIND,
    meta::API_VERSION,
    meta::LIST_METADATA,
    Field::new("items", Shape::Structs(EVENT), "The events.").required(),
];
