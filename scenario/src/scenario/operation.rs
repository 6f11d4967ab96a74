//! What a client did to an object while others did something to it, too.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One operation on an object, and the step that is it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The step.
    pub step: usize,
    /// What it does.
    pub act: Act,
}

/// What an operation does to an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// GET.
    Read,
    /// LIST of the collection, in which the object has this number.
    List {
        /// The number.
        object: usize,
    },
    /// POST of the object with this content.
    Create {
        /// The content; the definition has no defaults.
        content: Value,
    },
    /// PUT of what an earlier step returned, with another value at one place.
    Put {
        /// The earlier step; its `resourceVersion` is sent.
        seen: usize,
        /// A JSON pointer into the content.
        pointer: String,
        /// The value.
        value: Value,
    },
    /// A merge patch without `resourceVersion`.
    Merge {
        /// The patch of the content.
        patch: Value,
    },
    /// DELETE; the object has no finalizers.
    Delete,
}

impl Operation {
    /// The earlier step whose answer it sends back.
    pub fn seen(&self) -> Option<usize> {
        if let Act::Put { seen, .. } = self.act { Some(seen) } else { None }
    }

    /// The steps whose answers it is about.
    pub(super) fn steps(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.step).chain(self.seen())
    }

    /// The same, to be changed.
    pub(super) fn steps_mut(&mut self) -> Vec<&mut usize> {
        match &mut self.act {
            Act::Put { seen, .. } => vec![&mut self.step, seen],
            _ => vec![&mut self.step],
        }
    }
}
