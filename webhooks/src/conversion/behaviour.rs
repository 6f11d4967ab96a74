//! How a converter differs from a correct one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{edit::Edit, transport::Transport};

/// What is wrong with the answers of a converter. The parts apply one after the other to the correct answer.
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

    pub(super) fn is(self, position: usize, count: usize) -> bool {
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

impl Behaviour {
    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a call that wants this version of these objects is one in which it is wrong.
    pub(super) fn concerns(&self, desired: &str, objects: &[Value]) -> bool {
        match &self.when {
            When::Always => true,
            When::To(version) => desired.rsplit_once('/').is_some_and(|(_, wanted)| wanted == version),
            When::Holds(pointer, value) => objects.iter().any(|object| object.pointer(pointer) == Some(value)),
            When::MoreThan(count) => objects.len() > *count,
        }
    }
}
