//! Normalises what a server sets in the metadata of objects.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::{
    execute::SENTINEL,
    marks::{ALIVE_UNTIL, RUN_LABEL},
};

/// Replaces a `resourceVersion` that is not compared.
pub(super) const REVISION: &str = "$revision";

/// The start of a certificate, as a definition holds it: `-----` in base64.
const ENCODED_PEM: &str = "LS0tLS";

/// The field manager of the executor: the name in its `User-Agent`.
const EXECUTOR: &str = "crdible";

/// What the answers of one transcript have shown of its objects so far.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// Whether its definitions are pooled: such a definition has a history, which differs between the two sides.
    are_pooled: bool,
    /// The numbers that stand for the `resourceVersion`s of each object.
    revisions: BTreeMap<String, BTreeMap<String, usize>>,
    /// The first `generation` seen of each definition.
    generations: BTreeMap<String, i64>,
    /// The creation times.
    times: BTreeSet<String>,
}

impl Objects {
    /// The objects of a transcript, whose definitions are pooled or not.
    pub(super) fn new(are_pooled: bool) -> Self {
        Self { are_pooled, ..Self::default() }
    }

    /// Whether the definitions are pooled.
    pub(super) fn are_pooled(&self) -> bool {
        self.are_pooled
    }

    /// Makes an object comparable: what a server sets in its metadata, and of a definition also what the executor adds.
    /// What a definition's controllers set is kept if the step waited for it.
    pub(super) fn normalise(&mut self, object: &mut Value, waited: bool) {
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            remove_generated_name(metadata);
            metadata.get_mut("managedFields").into_iter().for_each(managed_fields);
        }
        let about = identity(object);
        if object.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition") {
            self.definition(object, &about, waited);
        }
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
        replace(metadata, "uid", "$uid");
        self.times.extend(metadata.get("creationTimestamp").and_then(Value::as_str).map(str::to_owned));
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

    /// Removes the creation times of objects from the cells of a table, where
    /// columns of other types than `date` show them.
    pub(super) fn remove_times(&self, cells: &mut [Value]) {
        for cell in cells {
            if cell.as_str().is_some_and(|text| self.times.contains(text)) {
                *cell = json!("$time");
            }
        }
    }

    fn definition(&mut self, document: &mut Value, about: &str, waited: bool) {
        remove_added(document);
        document.pointer_mut("/spec/conversion/webhook/clientConfig").into_iter().for_each(remove_hook);
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
            // How much the controllers have written so far is a matter of timing, and so is the status that they set.
            entries.retain(|entry| waited || !is_of_controllers(entry));
            for entry in entries.iter_mut().filter(|entry| is_of_controllers(entry)) {
                entry["manager"] = json!("$controllers");
            }
            entries.iter_mut().for_each(remove_transition_times);
            entries.sort_by_cached_key(Value::to_string);
        }
    }
}

/// Removes from a definition what the executor added.
fn remove_added(document: &mut Value) {
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

/// Removes where a hook of the run is, and its certificate: each run has its own. A hook's path begins with its number.
fn remove_hook(config: &mut Value) {
    if let Some(Value::String(url)) = config.get_mut("url")
        && let Some((host, path)) = url.strip_prefix("https://").and_then(|rest| rest.split_once('/'))
        && !host.is_empty()
    {
        let rest = path.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.len() < path.len() {
            *url = format!("$hook{rest}");
        }
    }
    if let Some(Value::String(bundle)) = config.get_mut("caBundle")
        && bundle.starts_with(ENCODED_PEM)
    {
        "$certificate".clone_into(bundle);
    }
}

/// Conditions without times and messages, sorted: which controller came first does not matter.
fn conditions(status: &mut Map<String, Value>) {
    let Some(conditions) = status.get_mut("conditions").and_then(Value::as_array_mut) else { return };
    for condition in conditions.iter_mut().filter_map(Value::as_object_mut) {
        replace(condition, "lastTransitionTime", "$time");
        replace(condition, "message", "$message");
    }
    conditions.sort_by_cached_key(Value::to_string);
}

/// The manager of a condition's time depends on whether the second changed between two writes.
fn remove_transition_times(entry: &mut Value) {
    let conditions = entry.pointer_mut("/fieldsV1/f:status/f:conditions").and_then(Value::as_object_mut);
    for condition in conditions.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        condition.remove("f:lastTransitionTime");
    }
}

/// Entries without times, sorted: upstream sorts them by their times, in whole seconds. Whether an entry has a time is
/// kept.
fn managed_fields(entries: &mut Value) {
    let Some(entries) = entries.as_array_mut() else { return };
    entries.iter_mut().filter_map(Value::as_object_mut).for_each(|entry| replace(entry, "time", "$time"));
    entries.sort_by_cached_key(Value::to_string);
}

/// Whether the server's own controllers wrote it; their manager is the name of the server's binary.
fn is_of_controllers(entry: &Value) -> bool {
    entry.get("subresource").is_some_and(|part| part == "status")
        && entry.get("manager").is_some_and(|manager| manager != EXECUTOR)
}

/// What identifies an object within a transcript.
pub(super) fn identity(object: &Value) -> String {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    format!("{} {}/{}", text("/kind"), text("/metadata/namespace"), text("/metadata/name"))
}

/// A name generated by the server from `generateName`: the suffix is random, its length is not.
fn remove_generated_name(metadata: &mut Map<String, Value>) {
    let Some(prefix) = metadata.get("generateName").and_then(Value::as_str).map(str::to_owned) else { return };
    if let Some(Value::String(name)) = metadata.get_mut("name")
        && let Some(generated) = name.strip_prefix(&prefix)
    {
        *name = format!("{prefix}$made-{}", generated.len());
    }
}

/// Replaces a string by a word; any other value is kept, so a difference in type is reported.
pub(super) fn replace(fields: &mut Map<String, Value>, key: &str, word: &str) {
    if let Some(Value::String(text)) = fields.get_mut(key) {
        word.clone_into(text);
    }
}
