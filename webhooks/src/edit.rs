//! Changes of a review, or of a part of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change of a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edit {
    /// Sets the value at a JSON pointer whose parent exists; the empty pointer replaces the whole.
    Set(String, Value),
    /// Removes the value at a JSON pointer, if there is one.
    Remove(String),
}

impl Edit {
    /// Changes a document.
    pub(crate) fn apply(&self, document: &mut Value) {
        match self {
            Self::Set(pointer, value) if pointer.is_empty() => document.clone_from(value),
            Self::Set(pointer, value) => match parent(document, pointer) {
                Some((Value::Object(object), key)) => {
                    object.insert(key, value.clone());
                }
                Some((Value::Array(elements), key)) => {
                    if let Some(element) = key.parse::<usize>().ok().and_then(|at| elements.get_mut(at)) {
                        element.clone_from(value);
                    }
                }
                _ => {}
            },
            Self::Remove(pointer) => match parent(document, pointer) {
                Some((Value::Object(object), key)) => {
                    object.remove(&key);
                }
                Some((Value::Array(elements), key)) => {
                    if let Some(at) = key.parse::<usize>().ok().filter(|at| *at < elements.len()) {
                        elements.remove(at);
                    }
                }
                _ => {}
            },
        }
    }
}

/// The parent of the value at a JSON pointer, and the unescaped key of the value there.
fn parent<'a>(document: &'a mut Value, pointer: &str) -> Option<(&'a mut Value, String)> {
    let (parent, key) = pointer.rsplit_once('/')?;
    Some((document.pointer_mut(parent)?, key.replace("~1", "/").replace("~0", "~")))
}
