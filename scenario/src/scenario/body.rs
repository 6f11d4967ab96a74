//! The bodies of requests, and edits of earlier answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Content, Version};

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// No body.
    #[default]
    None,
    /// An object of a definition: `apiVersion`, `kind` and `metadata.name` are added before these fields, unless the
    /// fields have them.
    Object {
        /// Which definition.
        definition: usize,
        /// The version in `apiVersion`.
        version: String,
        /// Which object, for `metadata.name`.
        object: usize,
        /// The other root fields.
        fields: Content,
    },
    /// The document of a definition with its names, and these versions.
    Definition {
        /// Which definition.
        definition: usize,
        /// `spec.versions`.
        versions: Vec<Version>,
        /// Changes to the document, in this order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edits: Vec<Edit>,
    },
    /// What an earlier step returned, edited and without `managedFields`. When the step is repeated, its own last
    /// answer replaces the earlier one, so that the `resourceVersion` is never stale.
    Answer {
        /// The earlier step.
        step: usize,
        /// Changes, in this order.
        edits: Vec<Edit>,
    },
    /// JSON as it is, without generated names.
    Json(Content),
    /// Text as it is: YAML, or what is neither YAML nor JSON.
    Text {
        /// What comes before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<Head>,
        /// The number of spaces before the text: a large body stays short in a file.
        #[serde(default, skip_serializing_if = "is_zero")]
        padding: usize,
        /// The text.
        text: String,
    },
}

/// The beginning of the text of an object, with names that only an execution knows: `apiVersion`, `kind` and
/// `metadata`, which is left open after `name`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Which definition.
    pub definition: usize,
    /// The version in `apiVersion`.
    pub version: String,
    /// Which object, for `metadata.name`.
    pub object: usize,
    /// How it is written.
    pub form: Form,
}

/// A form of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// JSON without white space.
    Json,
    /// YAML, a line for each key. It ends without a line break.
    Yaml,
}

impl From<Content> for Body {
    fn from(content: Content) -> Self {
        Self::Json(content)
    }
}

impl From<Value> for Body {
    fn from(json: Value) -> Self {
        Self::json(json)
    }
}

impl Body {
    /// JSON as it is: a patch, or a document with literal names.
    pub fn json(content: impl Into<Content>) -> Self {
        Self::Json(content.into())
    }

    /// The definition that it names.
    pub(super) fn definition(&self) -> Option<usize> {
        match self {
            Self::Object { definition, .. } | Self::Definition { definition, .. } => Some(*definition),
            Self::Text { head, .. } => head.as_ref().map(|head| head.definition),
            Self::None | Self::Answer { .. } | Self::Json(_) => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn definition_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Object { definition, .. } | Self::Definition { definition, .. } => Some(definition),
            Self::Text { head, .. } => head.as_mut().map(|head| &mut head.definition),
            Self::None | Self::Answer { .. } | Self::Json(_) => None,
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// One change of an earlier answer before it is sent back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edit {
    /// Sets the value at this JSON pointer; its parent must exist.
    Set(String, Value),
    /// Removes the value at this JSON pointer, if there is one.
    Remove(String),
    /// Sets the value at this JSON pointer to a time: this number of seconds before the object was created, or after it
    /// if they are negative. A plan knows no time of its own.
    Before {
        /// Where it is set.
        pointer: String,
        /// How long before.
        seconds: i64,
    },
    /// Makes it a new object: another name, and no metadata that a server sets.
    AsNew {
        /// The number of the new object.
        object: usize,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
