//! How a webhook differs from a correct one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is wrong with the answers of a webhook. The parts apply one after the other to the correct answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Behaviour {
    /// In which calls it is wrong.
    #[serde(default, skip_serializing_if = "When::is_always")]
    pub when: When,
    /// Changes of the converted objects, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectEdit>,
    /// A change of the list of converted objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListEdit>,
    /// Changes of the whole review that is answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub review: Vec<Edit>,
    /// What happens to the answer on its way.
    #[serde(default, skip_serializing_if = "Transport::is_plain")]
    pub transport: Transport,
}

/// The calls in which a webhook is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// All.
    #[default]
    Always,
    /// Those that want this version.
    To(String),
    /// Those with an object that has this value at a JSON pointer.
    Holds(String, Value),
    /// Those with more objects than this.
    MoreThan(usize),
}

impl When {
    fn is_always(&self) -> bool {
        *self == Self::Always
    }
}

/// A change of a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edit {
    /// Sets the value at a JSON pointer whose parent exists; the empty pointer replaces the whole.
    Set(String, Value),
    /// Removes the value at a JSON pointer, if there is one.
    Remove(String),
}

/// A change of converted objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectEdit {
    /// Which of them.
    #[serde(default, skip_serializing_if = "Which::is_all")]
    pub which: Which,
    /// The change.
    #[serde(flatten)]
    pub edit: Edit,
}

/// Which of the converted objects of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// All.
    #[default]
    All,
    /// The one at this position, if there is one.
    Nth(usize),
    /// The last one.
    Last,
}

impl Which {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_all(&self) -> bool {
        *self == Self::All
    }

    pub(crate) fn is(self, position: usize, count: usize) -> bool {
        match self {
            Self::All => true,
            Self::Nth(nth) => position == nth,
            Self::Last => position + 1 == count,
        }
    }
}

/// A change of the list of converted objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListEdit {
    /// The last one is missing.
    DropLast,
    /// The last one comes twice.
    RepeatLast,
    /// They come in reverse order.
    Reverse,
    /// None comes.
    Empty,
    /// The first comes in place of each.
    AllFirst,
}

/// What happens to an answer on its way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Nothing: 200 with the review.
    #[default]
    Plain,
    /// Another status code, with these headers. The body is this text, or the review.
    Status {
        /// The code.
        code: u16,
        /// Further headers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        headers: Vec<(String, String)>,
        /// The body; the review if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// A body in place of the review, with 200.
    Body(String),
    /// The body is preceded by this and followed by that.
    Around {
        /// What comes before the review.
        before: String,
        /// What comes after it.
        after: String,
    },
    /// The body is cut off after this many bytes, although its announced length is right.
    Truncated(usize),
    /// The connection is closed without an answer.
    Closed,
    /// There is never an answer.
    Silent,
    /// The answer comes after this many milliseconds.
    Late(u64),
}

impl Transport {
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
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
