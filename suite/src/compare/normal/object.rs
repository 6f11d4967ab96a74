//! What a server sets in the metadata of objects, in the form in which two servers are compared.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    execute::SENTINEL,
    marks::{ALIVE_UNTIL, RUN_LABEL},
};

/// Stands for a `resourceVersion` of which nothing is compared.
pub(super) const REVISION: &str = "$revision";

/// As this manager the executor writes: the name in its `User-Agent`.
const EXECUTOR: &str = "crdible";

/// The objects of one transcript: what was shown of them so far.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// Whether its definitions are of the pool: such a definition has a history, which differs from side to side.
    are_pooled: bool,
    /// The numbers that stand for the `resourceVersion`s of each object.
    revisions: BTreeMap<String, BTreeMap<String, usize>>,
    /// The first `generation` that came of each definition.
    generations: BTreeMap<String, i64>,
}

impl Objects {
    /// Those of a transcript, whose definitions are of the pool or its own.
    pub(super) fn new(are_pooled: bool) -> Self {
        Self { are_pooled, ..Self::default() }
    }

    /// Makes an object comparable: what a server sets in its metadata, and of a definition also what the executor adds. What a
    /// definition's controllers set stays if it was waited for.
    pub(super) fn normalise(&mut self, object: &mut Value, waited: bool) {
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            take_out_generated_name(metadata);
            metadata.get_mut("managedFields").into_iter().for_each(managed_fields);
        }
        let about = identity(object);
        if object.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition") {
            self.definition(object, &about, waited);
        }
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
        replace(metadata, "uid", "$uid");
        replace(metadata, "creationTimestamp", "$time");
        replace(metadata, "deletionTimestamp", "$time");
        if let Some(Value::String(revision)) = metadata.get_mut("resourceVersion")
            && revision != REVISION
        {
            let numbers = self.revisions.entry(about).or_default();
            let next = numbers.len();
            let number = *numbers.entry(revision.clone()).or_insert(next);
            *revision = format!("{REVISION}-{number}");
        }
    }

    fn definition(&mut self, document: &mut Value, about: &str, waited: bool) {
        take_out_added(document);
        if let Some(status) = document.get_mut("status").and_then(Value::as_object_mut) {
            if waited {
                conditions(status);
            } else {
                status.retain(|key, _| key == "storedVersions");
            }
        }
        let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) else { return };
        replace(metadata, "resourceVersion", REVISION);
        if self.are_pooled {
            metadata.remove("managedFields");
            if let Some(generation) = metadata.get_mut("generation")
                && let Some(number) = generation.as_i64()
            {
                let first = *self.generations.entry(about.to_owned()).or_insert(number);
                *generation = json!(format!("$generation+{}", number.saturating_sub(first)));
            }
        } else if let Some(entries) = metadata.get_mut("managedFields").and_then(Value::as_array_mut) {
            // What controllers set so far is a matter of time, as is the status that they set.
            entries.retain(|entry| waited || !is_of_controllers(entry));
            for entry in entries.iter_mut().filter(|entry| is_of_controllers(entry)) {
                entry["manager"] = json!("$controllers");
            }
            entries.iter_mut().for_each(take_out_transition_times);
            entries.sort_by_cached_key(Value::to_string);
        }
    }
}

/// Takes out of a definition what only the executor put there.
fn take_out_added(document: &mut Value) {
    if let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) {
        for (key, added) in [("labels", RUN_LABEL), ("annotations", ALIVE_UNTIL)] {
            if let Some(Value::Object(fields)) = metadata.get_mut(key) {
                fields.remove(added);
                if fields.is_empty() {
                    metadata.remove(key);
                }
            }
        }
    }
    for version in document.pointer_mut("/spec/versions").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::Object(properties)) = version.pointer_mut("/schema/openAPIV3Schema/properties") {
            properties.remove(SENTINEL);
        }
    }
}

/// Conditions without times and messages, in one order: which controller came first says nothing.
fn conditions(status: &mut Map<String, Value>) {
    let Some(conditions) = status.get_mut("conditions").and_then(Value::as_array_mut) else { return };
    for condition in conditions.iter_mut().filter_map(Value::as_object_mut) {
        replace(condition, "lastTransitionTime", "$time");
        replace(condition, "message", "$message");
    }
    conditions.sort_by_cached_key(Value::to_string);
}

/// Who wrote the time of a condition depends on whether it was another second than before.
fn take_out_transition_times(entry: &mut Value) {
    let conditions = entry.pointer_mut("/fieldsV1/f:status/f:conditions").and_then(Value::as_object_mut);
    for condition in conditions.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        condition.remove("f:lastTransitionTime");
    }
}

/// Entries without times, in one order: upstream sorts them by their times, in whole seconds. Whether an entry has a time stays.
fn managed_fields(entries: &mut Value) {
    let Some(entries) = entries.as_array_mut() else { return };
    entries.iter_mut().filter_map(Value::as_object_mut).for_each(|entry| replace(entry, "time", "$time"));
    entries.sort_by_cached_key(Value::to_string);
}

/// Whether the server's own controllers wrote it, which are called after the server's program.
fn is_of_controllers(entry: &Value) -> bool {
    entry.get("subresource").is_some_and(|part| part == "status")
        && entry.get("manager").is_some_and(|manager| manager != EXECUTOR)
}

/// What tells an object from all others of a transcript.
pub(super) fn identity(object: &Value) -> String {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    format!("{} {}/{}", text("/kind"), text("/metadata/namespace"), text("/metadata/name"))
}

/// A name that the server made of `generateName`: what it appends is random, how much is not.
fn take_out_generated_name(metadata: &mut Map<String, Value>) {
    let Some(prefix) = metadata.get("generateName").and_then(Value::as_str).map(str::to_owned) else { return };
    if let Some(Value::String(name)) = metadata.get_mut("name")
        && let Some(made) = name.strip_prefix(&prefix)
    {
        *name = format!("{prefix}$made-{}", made.len());
    }
}

/// Puts a word in the place of a text; what is no text stays, and shows.
pub(super) fn replace(fields: &mut Map<String, Value>, key: &str, word: &str) {
    if let Some(Value::String(text)) = fields.get_mut(key) {
        word.clone_into(text);
    }
}
