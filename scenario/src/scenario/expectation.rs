//! What is expected of the answers.

use std::collections::BTreeMap;

use crdible_semantics::Cause;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{NamedCheck, Operation};

/// One named check of one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// What is checked, in a word or two; part of the signature of a failure.
    pub name: String,
    /// The requirements and edges it asserts: `PRUNE-004`, `PRUNE-004/e2`.
    pub asserts: Vec<String>,
    /// The step whose answer it judges.
    pub step: usize,
    /// What must hold.
    pub expect: Expectation,
    /// What the request is, where that is what must not be accepted or must be answered so: the clause of a long
    /// requirement, as the end of a sentence that begins with the request: `of a version that is not served`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// What of `asserts` is violated, by the reason of the failure: a check that asserts several things together blames
    /// only what was broken. A reason that is not listed violates all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub blames: BTreeMap<String, Vec<String>>,
}

impl Check {
    /// What it blames if it fails for this reason.
    pub fn blamed(&self, reason: &str) -> Vec<String> {
        self.blames.get(reason).unwrap_or(&self.asserts).clone()
    }

    /// The last step whose answer it needs.
    pub(crate) fn last_step(&self) -> usize {
        self.expect.looks_at().into_iter().fold(self.step, usize::max)
    }
}

/// A field that is present is a value, also if it is null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What must hold of an answer, alone or compared with an earlier one (`as`: the number of that step).
///
/// *Content* is the object without `apiVersion`, `kind` and `metadata`. Numbers are compared by value, objects without
/// regard to key order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// A 2xx answer.
    Accepted,
    /// This code.
    Status(u16),
    /// A 4xx answer with a `Status` document.
    Refused,
    /// 400 with the reason `BadRequest` and without causes.
    BadRequest,
    /// 422 with exactly these causes, as a multiset.
    Causes(Vec<Cause>),
    /// 422 with at least these causes.
    CausesInclude(Vec<Cause>),
    /// 2xx, and the content is exactly this.
    Content(Value),
    /// 2xx, and the object has this value at this JSON pointer; `None`: no value.
    At {
        /// A JSON pointer into the whole object.
        pointer: String,
        /// The value; a file without the field means no value, one with null means a null.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        value: Option<Value>,
    },
    /// 2xx, and the same content as that answer.
    SameContent {
        /// The earlier step.
        r#as: usize,
    },
    /// 2xx, and the value at this pointer equals the value at that pointer of that answer (both absent is equal).
    SameAt {
        /// A JSON pointer into this object.
        pointer: String,
        /// The earlier step.
        r#as: usize,
        /// A JSON pointer into that object.
        other: String,
    },
    /// The specification's `≡`: code, `Status.reason`, multiset of causes, and for 2xx the content.
    SameOutcome {
        /// The earlier step.
        r#as: usize,
    },
    /// Both accepted or both rejected.
    SameAcceptance {
        /// The earlier step.
        r#as: usize,
    },
    /// The same `resourceVersion` as that answer.
    SameRevision {
        /// The earlier step.
        r#as: usize,
    },
    /// The same `generation` as that answer.
    SameGeneration {
        /// The earlier step.
        r#as: usize,
    },
    /// The `Warning` headers about fields name exactly these unknown fields, in this order.
    UnknownFieldWarnings(Vec<String>),
    /// Whether a `Warning` header reports a duplicate field.
    DuplicateFieldWarnings(bool),
    /// 400 whose message lists exactly these unknown fields (`fieldValidation=Strict`).
    StrictRefusal(Vec<String>),
    /// The group in a discovery document lists exactly these versions, in any order.
    GroupVersions(Vec<String>),
    /// The group in a discovery document lists exactly these versions in this order, the first being preferred.
    GroupOrder(Vec<String>),
    /// A pure function of the transcript, by name and version; see `expect/named.rs`.
    #[serde(with = "super::named::written")]
    Named {
        /// The check with its arguments.
        check: NamedCheck,
        /// The other step whose answer it uses.
        of: Option<usize>,
    },
    /// All these operations on one object, of which this answer is one, can be put in one order that explains every
    /// answer, and in which each comes after those that were answered before it was sent.
    OneOrder(Vec<Operation>),
    /// To nearly all of these earlier reads there was an answer at once. A read is sent again if the connection ends
    /// without an answer, and mostly there is one then: to more than two of them that must not happen. Once or twice the
    /// way to the server may be to blame.
    AnsweredAtOnce(Vec<usize>),
    /// These pages, of which this is one, each the continuation of the one before, hold together what the list in the
    /// answer `whole` holds: each item once, and in the same order. They end with the first that has no token; if there
    /// is none, or one is refused, only what there is counts.
    Pages {
        /// The step of the list.
        whole: usize,
        /// The steps of the pages, in their order.
        pages: Vec<usize>,
    },
}

/// Comparisons with the answer to an earlier step.
impl Expectation {
    /// 2xx, and the same content.
    pub fn same_content(r#as: usize) -> Self {
        Self::SameContent { r#as }
    }

    /// The specification's `≡`.
    pub fn same_outcome(r#as: usize) -> Self {
        Self::SameOutcome { r#as }
    }

    /// Both accepted or both rejected.
    pub fn same_acceptance(r#as: usize) -> Self {
        Self::SameAcceptance { r#as }
    }

    /// The same `resourceVersion`.
    pub fn same_revision(r#as: usize) -> Self {
        Self::SameRevision { r#as }
    }

    /// The same `generation`.
    pub fn same_generation(r#as: usize) -> Self {
        Self::SameGeneration { r#as }
    }
}

impl Expectation {
    /// Its kind, the same for expectations that differ only in generated values.
    pub fn kind(&self) -> String {
        match self {
            Self::Status(code) => format!("status {code}"),
            Self::At { value, .. } => format!("at, {}", if value.is_some() { "a value" } else { "nothing" }),
            Self::Named { check, .. } => check.kind(),
            other => serde_json::to_value(other).map_or_else(
                |_| String::new(),
                |value| match value {
                    Value::Object(fields) => fields.into_iter().next().map(|(name, _)| name).unwrap_or_default(),
                    value => value.as_str().unwrap_or_default().to_owned(),
                },
            ),
        }
    }

    /// Whether it is about the warnings of an answer.
    pub fn is_about_warnings(&self) -> bool {
        matches!(self, Self::Named { check, .. } if check.is_about_warnings())
    }

    /// Whether it comes true on a server on which it ever did, however busy that is: a watch begins, or what was deleted
    /// or is no longer served is gone.
    pub fn is_only_a_matter_of_time(&self) -> bool {
        matches!(self, Self::Named { check: NamedCheck::WatchBegins, .. } | Self::Status(404))
    }

    /// Whether it compares two answers.
    pub fn is_comparison(&self) -> bool {
        matches!(
            self,
            Self::SameContent { .. }
                | Self::SameAt { .. }
                | Self::SameOutcome { .. }
                | Self::SameAcceptance { .. }
                | Self::SameRevision { .. }
                | Self::SameGeneration { .. }
        )
    }

    /// The other steps whose answers it uses.
    pub fn looks_at(&self) -> Vec<usize> {
        match self {
            Self::OneOrder(operations) => operations.iter().flat_map(Operation::steps).collect(),
            Self::AnsweredAtOnce(steps) => steps.clone(),
            Self::Pages { whole, pages } => [&[*whole], pages.as_slice()].concat(),
            Self::SameContent { r#as }
            | Self::SameAt { r#as, .. }
            | Self::SameOutcome { r#as }
            | Self::SameAcceptance { r#as }
            | Self::SameRevision { r#as }
            | Self::SameGeneration { r#as } => vec![*r#as],
            Self::Named { of, .. } => of.iter().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub(super) fn looks_at_mut(&mut self) -> Vec<&mut usize> {
        match self {
            Self::OneOrder(operations) => operations.iter_mut().flat_map(Operation::steps_mut).collect(),
            Self::AnsweredAtOnce(steps) => steps.iter_mut().collect(),
            Self::Pages { whole, pages } => std::iter::once(whole).chain(pages).collect(),
            Self::SameContent { r#as }
            | Self::SameAt { r#as, .. }
            | Self::SameOutcome { r#as }
            | Self::SameAcceptance { r#as }
            | Self::SameRevision { r#as }
            | Self::SameGeneration { r#as } => vec![r#as],
            Self::Named { of, .. } => of.iter_mut().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::Expectation;

    #[rstest]
    #[case::absent(None)]
    #[case::null(Some(Value::Null))]
    #[case::value(Some(json!(1)))]
    fn a_null_in_a_file_is_not_a_missing_value(#[case] value: Option<Value>) {
        let expectation = Expectation::At { pointer: "/spec".into(), value };
        let text = serde_json::to_string(&expectation).expect("expectations are data");
        assert_eq!(serde_json::from_str::<Expectation>(&text).expect("expectations are data"), expectation);
    }
}
