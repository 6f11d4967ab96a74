//! What was sent and answered in a step.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::protocol;
use crate::{
    expect::Mismatch,
    scenario::{PointEdit, Review, ReviewScenario, Reviewed},
    transcript::Transcript,
};

/// The fields that are no content.
pub(super) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The review of a step.
pub(super) fn review(scenario: &ReviewScenario, step: usize) -> Option<&Review> {
    Some(&scenario.steps.get(step)?.action.review)
}

/// The objects of a step's review; `None` if it sends on what an earlier step should have returned and did not.
pub fn sent(scenario: &ReviewScenario, transcript: &Transcript, step: usize) -> Option<Vec<Value>> {
    let review = review(scenario, step)?;
    let mut answers: BTreeMap<usize, (Vec<Value>, Vec<Value>)> = BTreeMap::new();
    let object = |object: &Reviewed| match object {
        Reviewed::Object(object) => Some(object.clone()),
        Reviewed::Converted { step: from, at, content, edits, bare, overwritten } => {
            if *from >= step {
                return None;
            }
            if !answers.contains_key(from) {
                let before = sent(scenario, transcript, *from)?;
                answers.insert(*from, (before, converted(scenario, transcript, *from)?.ok()?));
            }
            let (before, after) = answers.get(from)?;
            let mut object = with_metadata(after.get(*at)?, before.get(*at)?, *bare);
            if let Some(text) = overwritten {
                overwrite(&mut object, before.get(*at)?, text);
            }
            if let Some(content) = content {
                object = with_content(&object, content);
            }
            edits.iter().for_each(|edit| edit.apply(&mut object));
            Some(object)
        }
    };
    review.objects.iter().map(object).collect()
}

/// A converted object with the metadata that a server gives it: what was sent, except for labels and annotations
/// (CONV-017). Empty maps are as good as none (CONV-016).
fn with_metadata(converted: &Value, sent: &Value, bare: bool) -> Value {
    let mut object = converted.clone();
    let mut metadata = sent["metadata"].clone();
    if let Some(fields) = metadata.as_object_mut() {
        for map in ["labels", "annotations"] {
            let from = if bare { &sent["metadata"] } else { &converted["metadata"] };
            match from.get(map).filter(|map| map.as_object().is_some_and(|map| !map.is_empty())) {
                Some(map_now) => fields.insert(map.to_owned(), map_now.clone()),
                None => fields.remove(map),
            };
        }
    }
    object["metadata"] = metadata;
    object
}

/// Gives the annotations that an object has now and had not before this value.
fn overwrite(object: &mut Value, before: &Value, text: &str) {
    let annotations = object.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut);
    for (key, value) in annotations.into_iter().flatten() {
        if before["metadata"]["annotations"].get(key).is_none() {
            *value = text.into();
        }
    }
}

impl PointEdit {
    fn apply(&self, object: &mut Value) {
        let pointer = match self {
            Self::Set(pointer, _) | Self::Remove(pointer) => pointer,
            Self::Reverse(pointer) => {
                if let Some(list) = object.pointer_mut(pointer).and_then(Value::as_array_mut) {
                    list.reverse();
                }
                return;
            }
        };
        let Some((parent, key)) = pointer.rsplit_once('/') else { return };
        let key = key.replace("~1", "/").replace("~0", "~");
        match (object.pointer_mut(parent), self) {
            (Some(Value::Object(fields)), Self::Set(_, value)) => drop(fields.insert(key, value.clone())),
            (Some(Value::Object(fields)), _) => drop(fields.remove(&key)),
            (Some(Value::Array(elements)), edit) => {
                let at = key.parse::<usize>().ok().filter(|at| *at < elements.len());
                match (at, edit) {
                    (Some(at), Self::Set(_, value)) => elements[at] = value.clone(),
                    (Some(at), _) => drop(elements.remove(at)),
                    (None, _) => {}
                }
            }
            _ => {}
        }
    }
}

/// The objects that a step's review returned, or what is wrong with its answer; `None` if it has none.
pub(super) fn converted(
    scenario: &ReviewScenario,
    transcript: &Transcript,
    step: usize,
) -> Option<Result<Vec<Value>, Mismatch>> {
    let review = review(scenario, step)?;
    let answer = transcript.answer(step)?;
    let sent = sent(scenario, transcript, step)?;
    Some(protocol::check(review, &sent, answer))
}

/// An object without `apiVersion`, `kind` and `metadata`.
pub fn content(object: &Value) -> Value {
    let mut content = object.clone();
    if let Some(fields) = content.as_object_mut() {
        META_FIELDS.iter().for_each(|meta| drop(fields.remove(*meta)));
    }
    content
}

/// An object with other content.
pub fn with_content(object: &Value, content: &Value) -> Value {
    let mut fields: Map<String, Value> = content.as_object().cloned().unwrap_or_default();
    for meta in META_FIELDS {
        match object.get(meta) {
            Some(value) => fields.insert(meta.to_owned(), value.clone()),
            None => fields.remove(meta),
        };
    }
    Value::Object(fields)
}
