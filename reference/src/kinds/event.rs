//! `Event` of `v1` and of `events.k8s.io/v1`: the same events, whose fields have other names and numbers.

use super::built_in::{BuiltIn, Derived, Served};
use super::column::{Column, column};
use super::declaration::Element::{Int32, Of, Text};
use super::declaration::{Type, field};
use super::meta::{API_VERSION, KIND, METADATA, MICRO_TIME, TIME, items, object, objects};

/// Events of the core group.
pub(crate) static CORE_EVENT: BuiltIn = events(Served::CoreEvents, "", &CORE, &CORE_LIST);
/// Events of their own group.
pub(crate) static EVENT: BuiltIn = events(Served::Events, "events.k8s.io", &OWN, &OWN_LIST);

const fn events(served: Served, group: &'static str, object: &'static Type, list: &'static Type) -> BuiltIn {
    BuiltIn {
        served,
        group,
        version: "v1",
        plural: "events",
        singular: "event",
        kind: "Event",
        namespaced: true,
        short_names: &["ev"],
        categories: &[],
        subresources: &[],
        deletes_collections: true,
        stored_as: ["", "v1"],
        object,
        list,
        columns: COLUMNS,
        derived: Derived::new(),
    }
}

const COLUMNS: &[Column] = &[
    column("Last Seen", "string", "When the event was last observed"),
    column("Type", "string", "Whether it is a warning or normal"),
    column("Reason", "string", "Why it was recorded: one word"),
    column("Object", "string", "The object that it is about"),
    column("Subobject", "string", "The part of the object that it is about").wide(),
    column("Source", "string", "Who recorded it").wide(),
    column("Message", "string", "What happened"),
    column("First Seen", "string", "When the event was first observed").wide(),
    column("Count", "string", "How often it was observed").wide(),
    column("Name", "string", "The name of the event").wide(),
];

const DESCRIPTION: &str = "An observation about an object. It is kept for a limited time.";
const TYPE: &str = "`Normal` or `Warning`.";
const REASON: &str = "The reason, as one word for programs.";
const MESSAGE: &str = "What happened, as a human-readable message.";
const ABOUT: &str = "The object that the event is about.";
const RELATED: &str = "A related object.";
const ACTION: &str = "The action that was taken or failed, as one word.";
const REPORTER: &str = "The controller that reported it.";
const INSTANCE: &str = "The instance of the controller that reported it.";
const FROM: &str = "The source of the event.";
const TIME_OF: &str = "When it was first observed, to the microsecond.";
const FIRST: &str = "When it was first observed, to the second.";
const LAST: &str = "When it was last observed, to the second.";
const COUNT: &str = "How often it was observed.";
const SERIES_OF: &str = "A series of equal events.";
const LAST_OF_SERIES: &str = "When the last event of the series was observed.";

static CORE: Type =
    object("io.k8s.api.core.v1.Event", DESCRIPTION).headed(&[KIND, API_VERSION, METADATA.required()]).with(&[
        field(2, "involvedObject", Of(&REFERENCE), ABOUT).required(),
        field(3, "reason", Text, REASON),
        field(4, "message", Text, MESSAGE),
        field(5, "source", Of(&SOURCE), FROM),
        field(6, "firstTimestamp", Of(&TIME), FIRST),
        field(7, "lastTimestamp", Of(&TIME), LAST),
        field(8, "count", Int32, COUNT),
        field(9, "type", Text, TYPE),
        field(10, "eventTime", Of(&MICRO_TIME), TIME_OF),
        field(11, "series", Of(&CORE_SERIES), SERIES_OF).optional(),
        field(12, "action", Text, ACTION),
        field(13, "related", Of(&REFERENCE), RELATED).optional(),
        field(14, "reportingComponent", Text, REPORTER).written(),
        field(15, "reportingInstance", Text, INSTANCE).written(),
    ]);

static OWN: Type = object("io.k8s.api.events.v1.Event", DESCRIPTION).with(&[
    field(2, "eventTime", Of(&MICRO_TIME), TIME_OF).required(),
    field(3, "series", Of(&SERIES), SERIES_OF).optional(),
    field(4, "reportingController", Text, REPORTER),
    field(5, "reportingInstance", Text, INSTANCE),
    field(6, "action", Text, ACTION),
    field(7, "reason", Text, REASON),
    field(8, "regarding", Of(&REFERENCE), ABOUT),
    field(9, "related", Of(&REFERENCE), RELATED).optional(),
    field(10, "note", Text, MESSAGE),
    field(11, "type", Text, TYPE),
    field(12, "deprecatedSource", Of(&SOURCE), FROM),
    field(13, "deprecatedFirstTimestamp", Of(&TIME), FIRST),
    field(14, "deprecatedLastTimestamp", Of(&TIME), LAST),
    field(15, "deprecatedCount", Int32, COUNT),
]);

static CORE_LIST: Type =
    objects("io.k8s.api.core.v1.EventList", "A list of events.").with(&[items(&CORE, "The events.")]);
static OWN_LIST: Type =
    objects("io.k8s.api.events.v1.EventList", "A list of events.").with(&[items(&OWN, "The events.")]);

static CORE_SERIES: Type = Type::new("io.k8s.api.core.v1.EventSeries", SERIES_OF)
    .with(&[field(1, "count", Int32, COUNT), field(2, "lastObservedTime", Of(&MICRO_TIME), LAST_OF_SERIES)]);

static SERIES: Type = Type::new("io.k8s.api.events.v1.EventSeries", SERIES_OF).with(&[
    field(1, "count", Int32, COUNT).required(),
    field(2, "lastObservedTime", Of(&MICRO_TIME), LAST_OF_SERIES).required(),
]);

static SOURCE: Type = Type::new("io.k8s.api.core.v1.EventSource", "The source of an event.")
    .with(&[field(1, "component", Text, "The program."), field(2, "host", Text, "The machine that it runs on.")]);

static REFERENCE: Type = Type::new("io.k8s.api.core.v1.ObjectReference", "A reference to an object.").atomic().with(&[
    field(1, "kind", Text, "The kind of the object."),
    field(2, "namespace", Text, "The namespace of the object."),
    field(3, "name", Text, "The name of the object."),
    field(4, "uid", Text, "The UID of the object."),
    field(5, "apiVersion", Text, "The `apiVersion` of the object."),
    field(6, "resourceVersion", Text, "The revision of the object."),
    field(7, "fieldPath", Text, "The path of a field, if the reference is not to the whole object."),
]);
