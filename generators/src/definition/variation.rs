//! The model of a variation: one edit of a legal definition, and the expected answer.

use crdible_semantics::{Cause, RowCause};
use serde_json::Value;

use super::defaults::with_defaults;

/// An edit of a legal definition, and the answer that a server must give to the result.
#[derive(Debug)]
pub struct Variation {
    /// A short name, in words joined by dashes.
    pub name: &'static str,
    /// The requirements and edges that it covers; the first is its subject.
    pub asserts: &'static [&'static str],
    /// The part of a definition that it changes.
    pub part: Part,
    /// The answer that a server must give.
    pub outcome: Outcome,
    edit: Edit,
}

/// A legal definition with one place varied.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedDefinition {
    /// The document.
    pub document: Value,
    /// The variation.
    pub variation: &'static Variation,
    /// The index of the varied version, if the variation changes one version.
    pub version: usize,
    /// The expected causes; empty unless it is rejected with causes.
    pub causes: Vec<Cause>,
}

/// The parts of a definition. Variations of different parts do not affect each other's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Name, group, names.
    Identity,
    /// The scope.
    Scope,
    /// The list of versions: their names, and which one is stored.
    Versions,
    /// Deprecation of one version.
    Deprecation,
    /// The schema of one version, and what depends on it.
    Schema,
    /// `/scale` of one version.
    Scale,
    /// Printer columns of one version.
    Columns,
    /// Conversion.
    Conversion,
    /// It affects several parts, so it is not combined with another variation.
    Alone,
}

/// The answer that a server must give to a varied definition.
#[derive(Debug)]
pub enum Outcome {
    /// It is accepted, and returned as sent plus the defaults of [`with_defaults`].
    Accepted,
    /// It is accepted; this edit turns the sent definition into the returned one, before defaults.
    AcceptedAs(fn(&mut Value, usize)),
    /// Status 422 with exactly these causes. `{v}` is replaced by the index of the version.
    Refused(&'static [RowCause]),
    /// Status 400 with the reason `BadRequest` and no causes.
    Undecodable,
}

type Edit = fn(&mut Value, usize);
type Asserts = &'static [&'static str];

/// Constructors for the rows of the tables.
impl Part {
    /// An edit that must be rejected with exactly these causes.
    pub(super) const fn refused(
        self,
        name: &'static str,
        asserts: Asserts,
        edit: Edit,
        causes: &'static [RowCause],
    ) -> Variation {
        self.varied(name, asserts, edit, Outcome::Refused(causes))
    }

    /// An edit that keeps a definition legal.
    pub(super) const fn legal(self, name: &'static str, asserts: Asserts, edit: Edit) -> Variation {
        self.varied(name, asserts, edit, Outcome::Accepted)
    }

    /// An edit that keeps a definition legal, and another one that turns the result into the returned definition.
    pub(super) const fn legal_as(self, name: &'static str, asserts: Asserts, edit: Edit, read_back: Edit) -> Variation {
        self.varied(name, asserts, edit, Outcome::AcceptedAs(read_back))
    }

    /// An edit that makes a definition undecodable.
    pub(super) const fn undecodable(self, name: &'static str, asserts: Asserts, edit: Edit) -> Variation {
        self.varied(name, asserts, edit, Outcome::Undecodable)
    }

    const fn varied(self, name: &'static str, asserts: Asserts, edit: Edit, outcome: Outcome) -> Variation {
        Variation { name, asserts, part: self, outcome, edit }
    }
}

impl Variation {
    /// The requirement that is its subject (`CRDVAL-005`).
    pub fn requirement(&self) -> &'static str {
        let first = self.asserts.first().copied().unwrap_or_default();
        first.split('/').next().unwrap_or(first)
    }

    /// Whether it must be rejected with causes.
    pub fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Refused(_))
    }

    /// Varies a definition, at the version with this index if the variation changes one version. Returns the expected
    /// causes; empty if the definition is accepted or cannot be decoded.
    pub fn apply(&self, document: &mut Value, version: usize) -> Vec<Cause> {
        (self.edit)(document, version);
        let Outcome::Refused(causes) = self.outcome else { return Vec::new() };
        let index = version.to_string();
        causes.iter().map(|cause| Cause { field: cause.field.replace("{v}", &index), ..cause.below("") }).collect()
    }

    /// Varies a legal definition.
    pub fn of(&'static self, mut document: Value, version: usize) -> VariedDefinition {
        let causes = self.apply(&mut document, version);
        VariedDefinition { document, variation: self, version, causes }
    }

    /// The `spec` that a server returns for a definition with this variation.
    pub fn read_back(&self, document: &Value, version: usize) -> Value {
        let mut document = document.clone();
        if let Outcome::AcceptedAs(edit) = self.outcome {
            edit(&mut document, version);
        }
        with_defaults(&document)["spec"].take()
    }
}

impl PartialEq for Variation {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Reason;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cause_keeps_its_message_and_names_the_version() {
        const CAUSES: &[RowCause] = &[Cause::of("spec.versions[{v}].name", Reason::Invalid).saying("must be a label")];
        let variation = Part::Versions.refused("no-label", &["CRDVAL-012"], |_, _| {}, CAUSES);
        let causes = variation.apply(&mut json!({}), 2);
        assert_eq!(causes, [Cause::new("spec.versions[2].name", "Invalid").with_message("must be a label")]);
    }
}
