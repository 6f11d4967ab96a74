//! The model of a row: a piece of schema, where it belongs, and the expected answer.

use crdible_semantics::{Cause, RowCause, Schema};
use serde_json::{Value, json};

use super::buried::{Buried, bury};
use crate::choice::Choices;

/// A piece of schema, and the answer that a server must give.
#[derive(Debug)]
pub struct Row {
    /// A short name, in words joined by dashes.
    pub name: &'static str,
    /// Where the piece belongs.
    pub site: Site,
    /// The piece; null if it is made.
    pub schema: Value,
    /// Its causes, with paths relative to the piece; empty if the piece is accepted.
    pub causes: Vec<RowCause>,
    /// Whether it prevents a server from building a structural schema, so that the server reports no other causes.
    pub is_hiding: bool,
    /// Whether it may be the only violation of a schema.
    pub is_single: bool,
    /// The references that it covers, one group per requirement; the first requirement is its subject.
    asserts: Vec<&'static [&'static str]>,
}

/// Where a piece belongs.
#[derive(Clone, Copy, Debug)]
pub enum Site {
    /// At any structural node below the root.
    Node,
    /// Anywhere in a quantifier below the root. It mentions no properties but `q` and `metadata`.
    Branch,
    /// Keywords of the root, which may have any further properties and keywords.
    Root,
    /// Keywords of the root, which may have further properties, but neither meta fields nor other keywords: they would
    /// change the causes.
    BareRoot,
    /// The piece is the whole schema, because further properties would change the causes.
    Whole,
    /// A function that violates the rule in a valid schema.
    Made(fn(&mut Choices, &Schema) -> Option<Broken>),
}

/// A broken schema and its causes.
pub(super) type Broken = (Value, Vec<Cause>);

/// The requirements and edges that a row covers: constructors for the rows of the table.
pub(super) struct Asserts(pub(super) &'static [&'static str]);

impl Asserts {
    /// A node that must be accepted.
    pub(super) fn accepts(&self, name: &'static str, schema: Value) -> Row {
        let (site, causes, asserts) = (Site::Node, Vec::new(), vec![self.0]);
        Row { name, site, schema, causes, is_hiding: false, is_single: true, asserts }
    }

    /// A node that must be rejected with exactly these causes, with paths relative to the node.
    pub(super) fn refuses(&self, name: &'static str, schema: Value, causes: &[RowCause]) -> Row {
        Row { causes: causes.to_vec(), ..self.accepts(name, schema) }
    }

    /// A way to violate the rule in a valid schema.
    pub(super) fn made(&self, name: &'static str, make: fn(&mut Choices, &Schema) -> Option<Broken>) -> Row {
        Row { site: Site::Made(make), ..self.accepts(name, Value::Null) }
    }
}

/// Changes to a new row.
impl Row {
    pub(super) fn at(self, site: Site) -> Self {
        Self { site, ..self }
    }

    pub(super) fn hiding(self) -> Self {
        Self { is_hiding: true, is_single: false, ..self }
    }

    /// It is never the only violation of a schema: it violates other rules, too, or is accepted by some releases.
    pub(super) fn apart(self) -> Self {
        Self { is_single: false, ..self }
    }

    /// It also covers these references of one other requirement, whose property tries it, too.
    pub(super) fn also(mut self, asserts: &'static [&'static str]) -> Self {
        self.asserts.push(asserts);
        self
    }
}

impl Row {
    /// The requirement that is its subject (`STRUCT-008`).
    pub fn requirement(&self) -> &'static str {
        self.asserts.first().map_or("", |asserts| requirement_of(asserts))
    }

    /// The references that it covers as a case of this requirement; `None` if it is none.
    pub fn asserts_of(&self, requirement: &str) -> Option<&'static [&'static str]> {
        self.asserts.iter().copied().find(|asserts| requirement_of(asserts) == requirement)
    }

    /// Whether it can violate its subject, and nothing else, in a schema that is valid without it.
    pub fn can_break(&self) -> bool {
        let is_refused = matches!(self.site, Site::Made(_)) || !self.causes.is_empty();
        is_refused && self.is_single && !matches!(self.site, Site::Whole)
    }

    /// The piece as a node or root, and its causes: a branch is the only one under `allOf` of a node.
    pub fn plain(&self) -> (Value, Vec<Cause>) {
        let Site::Branch = self.site else { return (self.schema.clone(), self.causes_at("")) };
        let mut node = leaf();
        node["allOf"] = json!([self.schema]);
        (node, self.causes_at(".allOf[0]"))
    }

    /// The same, with a branch at any depth of quantifiers.
    pub fn drawn(&self, c: &mut Choices) -> (Value, Vec<Cause>) {
        let Site::Branch = self.site else { return self.plain() };
        let Buried { node, path } = bury(c, self.schema.clone(), leaf());
        (node, self.causes_at(&path))
    }

    /// Its causes, if it is at this path.
    pub(super) fn causes_at(&self, path: &str) -> Vec<Cause> {
        self.causes.iter().map(|cause| cause.below(path)).collect()
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The node at the position of a branch: it declares all that branches of the table mention.
fn leaf() -> Value {
    let metadata = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let inner = json!({ "type": "object", "properties": { "metadata": metadata } });
    json!({ "type": "object", "properties": { "q": inner, "metadata": metadata } })
}

fn requirement_of(asserts: &'static [&'static str]) -> &'static str {
    let first = asserts.first().copied().unwrap_or_default();
    first.split('/').next().unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Reason;

    use super::*;

    #[test]
    fn a_cause_keeps_its_message_in_a_branch() {
        let cause = Cause::of(".type", Reason::Forbidden).saying("must be empty to be structural");
        let row = Asserts(&["STRUCT-008"]).refuses("typed", json!({ "type": "string" }), &[cause]).at(Site::Branch);
        let (_, causes) = row.plain();
        let expected = Cause::new(".allOf[0].type", "Forbidden").with_message("must be empty to be structural");
        assert_eq!(causes, [expected]);
    }
}
