//! What a converter is asked, and what is demanded of its answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One `ConversionReview`, sent to the converter of the scenario's [`Contract`](super::Contract).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// `v1` or `v1beta1`.
    #[serde(default = "Review::usual", skip_serializing_if = "Review::is_usual")]
    pub version: String,
    /// `desiredAPIVersion`, with the group.
    pub desired: String,
    /// The objects, in this order.
    pub objects: Vec<Reviewed>,
    /// Each object is sent in a review of its own, one after the other; the answer is that to one review of all,
    /// put together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub singly: bool,
    /// This text is sent in place of a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// An object of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Reviewed {
    /// This one, whole.
    Object(Value),
    /// What an earlier review returned.
    Converted {
        /// The step of that review.
        step: usize,
        /// The position among its converted objects.
        at: usize,
        /// What a client wrote since: all of the object but `apiVersion`, `kind` and `metadata`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Value>,
        /// What a client changed since.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edits: Vec<PointEdit>,
        /// Without the labels and annotations that the converter added.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bare: bool,
        /// The annotations that the converter added have this value instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        overwritten: Option<String>,
    },
}

/// One change of an object by a client, at a JSON pointer. What does not exist there is left alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointEdit {
    /// Sets a property of an object, or an element of a list.
    Set(String, Value),
    /// Removes a property of an object, or an element of a list.
    Remove(String),
    /// Turns a list around.
    Reverse(String),
}

impl Reviewed {
    /// What an earlier review returned at this position.
    pub fn converted(step: usize, at: usize) -> Self {
        Self::Converted { step, at, content: None, edits: Vec::new(), bare: false, overwritten: None }
    }
}

impl Review {
    /// A review of these objects, of the usual version.
    pub fn of(desired: impl Into<String>, objects: Vec<Reviewed>) -> Self {
        Self { version: Self::usual(), desired: desired.into(), objects, singly: false, raw: None }
    }

    /// The steps whose answers it sends on.
    pub(super) fn sources(&self) -> impl Iterator<Item = usize> {
        self.objects.iter().filter_map(|object| match object {
            Reviewed::Object(_) => None,
            Reviewed::Converted { step, .. } => Some(*step),
        })
    }

    /// The same, to be changed.
    pub(super) fn sources_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        self.objects.iter_mut().filter_map(|object| match object {
            Reviewed::Object(_) => None,
            Reviewed::Converted { step, .. } => Some(step),
        })
    }

    fn usual() -> String {
        "v1".to_owned()
    }

    fn is_usual(version: &str) -> bool {
        version == Self::usual()
    }
}

/// What must hold of the answer to a review. Its meaning never changes: scenarios in files refer to it by name.
///
/// All but the first five are only judged of an answer that converts rightly as far as the protocol goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Demand {
    /// An answer came in time, says `Success`, and has an object for each (CONV-045, CONV-047, CONV-048).
    Converted,
    /// It is a review as the protocol has it (CONV-030..032).
    Protocol,
    /// It repeats version, kind and uid of the request, also where a server does not insist on them (CONV-031).
    Envelope,
    /// It refuses in the protocol: a status other than `Success`, and a message (CONV-049).
    Refusal,
    /// The HTTP status is 4xx (CONV-049).
    ClientError,
    /// Name, namespace and UID of each object are as they were (CONV-033).
    Identity,
    /// Other metadata, except labels and annotations, is as it was (CONV-033).
    Metadata,
    /// Every label and annotation that was sent in that step is there, with its value (CONV-034).
    Labels {
        /// The step.
        of: usize,
    },
    /// Nothing that was sent in that step has become another thing of this kind on the way there and back (CONV-035,
    /// CONV-039, CONV-040).
    Back {
        /// The step that sent the objects on their way.
        of: usize,
        /// Which differences are meant.
        change: Change,
    },
    /// Each object is content that the target's schema keeps and whose types it admits (CONV-041).
    Declared,
    /// Each object is valid at the target's schema (CONV-042).
    Valid,
    /// Each object that was sent is valid at its schema: a server stores nothing else.
    SentValid,
    /// Each object has the content that was written in that step (CONV-036).
    Written {
        /// The step that sent what was written.
        of: usize,
    },
    /// The objects are those that another step returned.
    Same {
        /// The other step.
        r#as: usize,
        /// In reverse order.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reversed: bool,
        /// Only their content counts, and numbers by value (CONV-038); else everything, and how numbers are
        /// written (CONV-037).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        content: bool,
    },
    /// What the objects and those that another step returned both have is the same in both (CONV-052).
    Agrees {
        /// The other step.
        with: usize,
    },
    /// The objects are those that were sent (CONV-050).
    Unchanged,
}

/// Which differences between what was sent and what came back are meant. Each difference is of one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// A field is lost, added, or became something of another shape (CONV-035).
    Fields,
    /// One of absent, null and the empty or zero value became another of them (CONV-039).
    Emptiness,
    /// A scalar became another one (CONV-040).
    Scalars,
    /// An absent object became an empty one or the other way, where no field below has a default (CONV-039/e3).
    Hollow,
    /// A time or a quantity is written in another way (CONV-040/e3).
    Form,
}

impl Demand {
    /// The other step that it looks at.
    pub(super) fn looks_at(&self) -> Option<usize> {
        match self {
            Self::Labels { of } | Self::Back { of, .. } | Self::Written { of } => Some(*of),
            Self::Same { r#as, .. } => Some(*r#as),
            Self::Agrees { with } => Some(*with),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn looks_at_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Labels { of } | Self::Back { of, .. } | Self::Written { of } => Some(of),
            Self::Same { r#as, .. } => Some(r#as),
            Self::Agrees { with } => Some(with),
            _ => None,
        }
    }

    /// Whether it is about how the converter answers, and not about what it converts to.
    pub fn is_about_the_protocol(&self) -> bool {
        matches!(self, Self::Converted | Self::Protocol | Self::Envelope | Self::Refusal | Self::ClientError)
    }
}
