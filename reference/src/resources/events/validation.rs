//! Validation of events. Upstream keeps its old, loose rules for `v1` and is strict for `events.k8s.io/v1`. Errors name
//! fields as in `v1`, except the reporting controller.

use crdible_semantics::{Reason, Violation, message, name};
use serde_json::Value;

use super::EventVersion;
use crate::metadata::{STANDARD_FINALIZERS, fields};

/// The requirement of all rules here.
const REQUIREMENT: &str = "REST-078";
/// The maximum length of `reportingInstance`, `action` and `reason`, in bytes.
const MAX_WORD: usize = 128;
/// The maximum length of `message`, in bytes.
const MAX_MESSAGE: usize = 1024;
/// Namespaces allowed for events about cluster-scoped objects.
const CLUSTER_NAMESPACES: [&str; 2] = ["default", "kube-system"];
/// Fields that updates under `events.k8s.io/v1` cannot change.
const IMMUTABLE: [&str; 14] = [
    "involvedObject",
    "reason",
    "message",
    "source",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    // Listed twice, since upstream checks it twice.
    "reason",
    "type",
    "eventTime",
    "action",
    "related",
    "reportingController",
    "reportingInstance",
];

/// Validates a new event, in the core version, except for its metadata.
pub(super) fn created(event: &Value, version: EventVersion) -> Vec<Violation> {
    let mut found = basics(event, version);
    if version == EventVersion::Events {
        found.extend(finalizer_names(event));
        found.extend(series(event));
        if is_zero(event, "eventTime") {
            found.push(required("eventTime"));
        }
        if !matches!(text(event, "type"), "Normal" | "Warning") {
            found.push(invalid("type", "", &format!("has invalid value: {}", text(event, "type"))));
        }
        let set =
            ["firstTimestamp", "lastTimestamp", "count", "source"].into_iter().filter(|field| !is_zero(event, field));
        found.extend(set.map(|field| invalid(field, "", "needs to be unset")));
    }
    found
}

/// Validates a changed event, in the core version, except for its metadata.
pub(super) fn updated(event: &Value, old: &Value, version: EventVersion) -> Vec<Violation> {
    let mut found = basics(event, version);
    if version == EventVersion::Events {
        found.extend(finalizer_names(event));
        if event.get("series") != old.get("series") {
            found.extend(series(event));
        }
        let changed =
            IMMUTABLE.into_iter().filter(|field| event.get(stored_name(field)) != old.get(stored_name(field)));
        found.extend(changed.map(|field| immutable(event, field)));
    }
    found
}

/// Rules for all events: the namespace is that of the involved object, and an event with `eventTime` also has a
/// reporter, an action and a reason.
fn basics(event: &Value, version: EventVersion) -> Vec<Violation> {
    let mut found = Vec::new();
    let namespace = fields::text(event, "namespace");
    let involved = event["involvedObject"]["namespace"].as_str().unwrap_or_default();
    let is_new = !is_zero(event, "eventTime");
    let agrees = match (involved, is_new) {
        ("", true) => CLUSTER_NAMESPACES.contains(&namespace),
        ("", false) => matches!(namespace, "" | "default"),
        (_, true) => true,
        (involved, false) => involved == namespace,
    };
    if !agrees {
        found.push(invalid("involvedObject.namespace", involved, "does not match event.namespace"));
    }
    if is_new {
        found.extend(reporter(event, version));
        found.extend(["reportingInstance", "action", "reason"].into_iter().filter_map(|field| word(event, field)));
        if text(event, "message").len() > MAX_MESSAGE {
            found.push(invalid("message", "", &format!("can have at most {MAX_MESSAGE} characters")));
        }
    }
    found.extend(
        name::dns1123_subdomain_faults(namespace).into_iter().map(|fault| invalid("namespace", namespace, fault)),
    );
    found
}

/// Validates the reporting controller, whose field has a different name in each version.
fn reporter(event: &Value, version: EventVersion) -> Vec<Violation> {
    let field = if version == EventVersion::Core { "reportingComponent" } else { "reportingController" };
    let name = text(event, "reportingComponent");
    let missing = name.is_empty().then(|| required(field));
    let faults = name::qualified_name_faults(name).into_iter().map(|fault| invalid(field, name, fault));
    missing.into_iter().chain(faults).collect()
}

fn word(event: &Value, field: &str) -> Option<Violation> {
    match text(event, field).len() {
        0 => Some(required(field)),
        1..=MAX_WORD => None,
        _ => Some(invalid(field, "", &format!("can have at most {MAX_WORD} characters"))),
    }
}

/// Validates a series, which needs a count of at least two and a time.
fn series(event: &Value) -> Vec<Violation> {
    let Some(series) = event.get("series") else { return Vec::new() };
    let mut found = Vec::new();
    if series["count"].as_i64().unwrap_or_default() < 2 {
        found.push(invalid("series.count", "", "should be at least 2"));
    }
    if is_zero(series, "lastObservedTime") {
        found.push(required("series.lastObservedTime"));
    }
    found
}

/// Finalizers without a domain must be standard ones.
fn finalizer_names(event: &Value) -> Vec<Violation> {
    let unqualified = |finalizer: &str| !finalizer.contains('/') && !STANDARD_FINALIZERS.contains(&finalizer);
    let wrong = fields::finalizers(event).enumerate().filter(|(_, finalizer)| unqualified(finalizer));
    let violations = wrong.map(|(index, finalizer)| {
        let fault = "name is neither a standard finalizer name nor is it fully qualified";
        invalid(&format!("metadata.finalizers[{index}]"), finalizer, fault)
    });
    violations.collect()
}

fn text<'e>(event: &'e Value, field: &str) -> &'e str {
    event.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a field of a decoded object has its zero value.
fn is_zero(object: &Value, field: &str) -> bool {
    match object.get(field) {
        None | Some(Value::Null) => true,
        Some(Value::Object(members)) => members.is_empty(),
        Some(_) => false,
    }
}

fn required(field: &str) -> Violation {
    Violation { field: field.into(), reason: Reason::Required, requirement: REQUIREMENT, detail: String::new() }
}

fn invalid(field: &str, value: &str, fault: &str) -> Violation {
    violation(field, message::about_text(value, fault))
}

/// A field that was changed although it must not be, with its new value.
fn immutable(event: &Value, field: &str) -> Violation {
    let shown = event.get(stored_name(field)).map_or_else(|| "\"\"".to_owned(), message::shown);
    violation(field, message::about(shown, "field is immutable"))
}

/// The field of the stored form, where one of them has another name.
fn stored_name(field: &str) -> &str {
    if field == "reportingController" { "reportingComponent" } else { field }
}

fn violation(field: &str, detail: String) -> Violation {
    Violation { field: field.into(), reason: Reason::Invalid, requirement: REQUIREMENT, detail }
}
