//! Validation of `metadata` on create and update.

use std::collections::BTreeSet;

use crdible_semantics::release::Change;
use crdible_semantics::{FieldPath, Reason, Release, Violation, go_text, message, name, validate::owner_violations};
use serde_json::{Map, Value};

use super::fields::{finalizers, is_terminating, metadata, text};

/// The maximum total size of all annotations, in bytes.
const MAX_ANNOTATIONS: i64 = 256 * 1024;

/// Validates the name of a resource: one message per broken rule.
pub(crate) type NameRule = fn(&str) -> Vec<&'static str>;

/// Validates the metadata of a new object (VALUE-040, VALUE-041, REST-017, REST-018).
pub(crate) fn created(release: Release, object: &Value, name_rule: NameRule) -> Vec<Violation> {
    let mut found = Vec::new();
    let prefix = text(object, "generateName");
    if !prefix.is_empty() {
        let faults = name_rule(&name::prefix_to_check(prefix));
        found.extend(faults.iter().map(|fault| wrong("metadata.generateName", "REST-018", prefix, fault)));
    }
    match text(object, "name") {
        "" => found.push(Violation {
            field: "metadata.name".into(),
            reason: Reason::Required,
            requirement: "REST-017",
            detail: "name or generateName is required".into(),
        }),
        name => found.extend(name_rule(name).iter().map(|fault| wrong("metadata.name", "VALUE-040", name, fault))),
    }
    found.extend(limits(release, object));
    found.extend(finalizer_names(object));
    once(release, found)
}

/// Causes about metadata, each as often as a release reports it (VALUE-041).
pub(crate) fn once(release: Release, found: Vec<Violation>) -> Vec<Violation> {
    if release.has(Change::MetadataCausesOnce) { Violation::distinct(found) } else { found }
}

/// Validates the metadata of a changed object, as the server does for all types.
pub(crate) fn updated(release: Release, object: &Value, old: &Value) -> Vec<Violation> {
    let mut found = limits(release, object);
    found.extend(finalizer_names(object));
    found.extend(changes(object, old));
    found.extend(limits(release, object));
    found
}

/// The checks that most types repeat, so that each cause is reported as often as upstream (REST-030, REST-031).
pub(crate) fn updated_by_type(release: Release, object: &Value, old: &Value) -> Vec<Violation> {
    let mut found = changes(object, old);
    found.extend(limits(release, object));
    once(release, found)
}

fn changes(object: &Value, old: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    if is_terminating(old) {
        let known: BTreeSet<&str> = finalizers(old).collect();
        let added: Vec<&str> = finalizers(object).filter(|finalizer| !known.contains(finalizer)).collect();
        if !added.is_empty() {
            found.push(Violation {
                field: "metadata.finalizers".into(),
                reason: Reason::Forbidden,
                requirement: "REST-045",
                detail: format!(
                    "no new finalizers can be added if the object is being deleted, found new finalizers \
                     []string{{{}}}",
                    added.into_iter().map(go_text::quoted).collect::<Vec<_>>().join(", ")
                ),
            });
        }
    }
    for field in ["name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"] {
        let value = |object| metadata(object).and_then(|metadata| metadata.get(field)).cloned();
        let new = value(object);
        if new != value(old) {
            // Times and periods are pointers upstream, the rest are texts.
            let empty = if field.starts_with("deletion") { "null" } else { "\"\"" };
            let shown = new.map_or_else(|| empty.to_owned(), |new| message::shown(&new));
            let detail = message::about(shown, "field is immutable");
            found.push(invalid(&format!("metadata.{field}"), "REST-031", detail));
        }
    }
    found
}

/// The limits of labels, annotations and owners (VALUE-041).
fn limits(release: Release, object: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    let Some(metadata) = metadata(object) else {
        return found;
    };
    for (key, value) in map(metadata, "labels") {
        for (text, faults) in
            [(key.as_str(), name::qualified_name_faults(key)), (value, name::label_value_faults(value))]
        {
            found.extend(faults.iter().map(|fault| wrong("metadata.labels", "VALUE-041", text, fault)));
        }
    }
    let mut size = 0;
    for (key, value) in map(metadata, "annotations") {
        size += (key.len() + value.len()) as u64;
        let faults = name::qualified_name_faults(&key.to_lowercase());
        found.extend(faults.iter().map(|fault| wrong("metadata.annotations", "VALUE-041", key, fault)));
    }
    if size > MAX_ANNOTATIONS.unsigned_abs() {
        found.push(Violation {
            field: "metadata.annotations".into(),
            reason: Reason::TooLong,
            requirement: "VALUE-041",
            detail: message::too_long(MAX_ANNOTATIONS),
        });
    }
    found.extend(owner_violations(release, metadata, &FieldPath::Root.name("metadata"), "VALUE-041"));
    found
}

/// Validates finalizers (VALUE-041, REST-070).
fn finalizer_names(object: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    for finalizer in finalizers(object) {
        let faults = name::qualified_name_faults(finalizer);
        found.extend(faults.iter().map(|fault| wrong("metadata.finalizers", "REST-070", finalizer, fault)));
    }
    if ["orphan", "foregroundDeletion"].iter().all(|wanted| finalizers(object).any(|name| name == *wanted)) {
        let given = message::shown(&finalizers(object).collect());
        let detail = message::about(given, "finalizer orphan and foregroundDeletion cannot be both set");
        found.push(invalid("metadata.finalizers", "VALUE-041", detail));
    }
    found
}

/// A map of strings. Other values do not occur in coerced metadata.
fn map<'m>(metadata: &'m Map<String, Value>, field: &str) -> impl Iterator<Item = (&'m String, &'m str)> {
    let map = metadata.get(field).and_then(Value::as_object);
    map.into_iter().flatten().filter_map(|(key, value)| Some((key, value.as_str()?)))
}

/// A violation by a text, with what is wrong with it.
fn wrong(field: &str, requirement: &'static str, text: &str, fault: &str) -> Violation {
    invalid(field, requirement, message::about_text(text, fault))
}

fn invalid(field: &str, requirement: &'static str, detail: String) -> Violation {
    Violation { field: field.into(), reason: Reason::Invalid, requirement, detail }
}
