//! What a variation of a definition is.

use crdible_semantics::Reason;
use serde_json::Value;

use super::VariedDefinition;

/// One edit of a legal definition, and what a server must say of the result.
#[derive(Debug)]
pub struct Variation {
    /// What it is, in a few words joined by dashes.
    pub name: &'static str,
    /// The requirements and edges that it shows; the first is the one that it is about.
    pub asserts: &'static [&'static str],
    /// Which part of a definition it is about.
    pub part: Part,
    /// What a server must say.
    pub outcome: Outcome,
    edit: Edit,
}

/// The parts of a definition. Variations of different parts do not touch what the other says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Name, group, names.
    Identity,
    /// The scope.
    Scope,
    /// The list of versions: names and which one is stored.
    Versions,
    /// Deprecation of one version.
    Deprecation,
    /// Schema of one version, and what is judged by it.
    Schema,
    /// `/scale` of one version.
    Scale,
    /// Printer columns of one version.
    Columns,
    /// Conversion.
    Conversion,
    /// It touches several parts, so that it stands alone.
    Alone,
}

/// What a server must say of a varied definition.
#[derive(Debug)]
pub enum Outcome {
    /// It is accepted, and read back as sent but for the defaults that [`super::with_defaults`] fills in.
    Accepted,
    /// It is accepted; this edit makes of the sent definition what is read back, before defaults.
    AcceptedAs(fn(&mut Value, usize)),
    /// 422 with exactly these causes. `{v}` stands for the index of the version.
    Refused(&'static [(&'static str, Reason)]),
    /// 400 with the reason `BadRequest` and without causes.
    Undecodable,
}

type Edit = fn(&mut Value, usize);
type Asserts = &'static [&'static str];

/// The rows of the tables: what is edited in a part, and what must be said of it.
impl Part {
    /// An edit that is refused with exactly these causes.
    pub(super) const fn refused(
        self,
        name: &'static str,
        asserts: Asserts,
        edit: Edit,
        causes: &'static [(&'static str, Reason)],
    ) -> Variation {
        self.varied(name, asserts, edit, Outcome::Refused(causes))
    }

    /// An edit that leaves a definition legal.
    pub(super) const fn legal(self, name: &'static str, asserts: Asserts, edit: Edit) -> Variation {
        self.varied(name, asserts, edit, Outcome::Accepted)
    }

    /// An edit that leaves a definition legal, and another one that makes of the result what is read back.
    pub(super) const fn legal_as(self, name: &'static str, asserts: Asserts, edit: Edit, read_back: Edit) -> Variation {
        self.varied(name, asserts, edit, Outcome::AcceptedAs(read_back))
    }

    /// An edit of which nothing can be decoded any more.
    pub(super) const fn undecodable(self, name: &'static str, asserts: Asserts, edit: Edit) -> Variation {
        self.varied(name, asserts, edit, Outcome::Undecodable)
    }

    const fn varied(self, name: &'static str, asserts: Asserts, edit: Edit, outcome: Outcome) -> Variation {
        Variation { name, asserts, part: self, outcome, edit }
    }
}

impl Variation {
    /// The requirement that it is about (`CRDVAL-005`).
    pub fn requirement(&self) -> &'static str {
        let first = self.asserts.first().copied().unwrap_or_default();
        first.split('/').next().unwrap_or(first)
    }

    /// Whether it is refused with causes.
    pub fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Refused(_))
    }

    /// Varies a definition, at the version of this index if it is about one version. Returns the causes that must be answered; none
    /// for what is accepted, and for what cannot be decoded.
    pub fn apply(&self, document: &mut Value, version: usize) -> Vec<(String, Reason)> {
        (self.edit)(document, version);
        let Outcome::Refused(causes) = self.outcome else { return Vec::new() };
        let index = version.to_string();
        causes.iter().map(|(field, reason)| (field.replace("{v}", &index), *reason)).collect()
    }

    /// A definition that was legal, varied.
    pub fn of(&'static self, mut document: Value, version: usize) -> VariedDefinition {
        let causes = self.apply(&mut document, version);
        VariedDefinition { document, variation: self, version, causes }
    }

    /// What is read back of a definition that this variation made of a legal one: its `spec`.
    pub fn read_back(&self, document: &Value, version: usize) -> Value {
        let mut document = document.clone();
        if let Outcome::AcceptedAs(edit) = self.outcome {
            edit(&mut document, version);
        }
        super::with_defaults(&document)["spec"].take()
    }
}

impl PartialEq for Variation {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
