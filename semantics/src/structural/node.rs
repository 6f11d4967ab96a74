//! Schema nodes of a definition.

use crate::{FieldPath, Reason, Schema, Violation, message};

/// The relation of a schema to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The schema has no parent.
    Root,
    /// One of `properties`, or `additionalProperties`.
    Field,
    /// `items`.
    Item,
    /// A branch of a quantifier.
    Branch,
}

/// A schema with its position in a definition.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The schema.
    pub schema: &'a Schema,
    /// Its path, from `openAPIV3Schema`.
    pub path: &'a FieldPath<'a>,
    /// Its relation to its parent.
    pub position: Position,
    /// Whether it is at or below `apiVersion`, `kind` or `metadata` of the root or of an embedded object.
    pub inside_meta: bool,
    /// Where it is, if a default is forbidden there (CRDVAL-051): the last word of the message.
    pub defaults_forbidden: Option<&'static str>,
}

impl<'a> Node<'a> {
    /// The root node of a definition's schema.
    pub fn root(schema: &'a Schema, path: &'a FieldPath<'a>) -> Self {
        Self { schema, path, position: Position::Root, inside_meta: false, defaults_forbidden: None }
    }

    /// The node of a schema below this one.
    #[must_use]
    pub fn below<'b>(&self, schema: &'b Schema, path: &'b FieldPath<'b>, position: Position) -> Node<'b> {
        Node { schema, path, position, inside_meta: self.inside_meta, defaults_forbidden: self.defaults_forbidden }
    }

    /// Whether values here are whole resources.
    pub fn is_resource(&self) -> bool {
        self.position == Position::Root || self.schema.embedded_resource
    }

    /// Reports a type that the node must have but has not: it has none, or another.
    pub(super) fn report_type(&self, found: &mut Vec<Violation>, requirement: &'static str, rule: &str) {
        let (reason, detail) = required_or_invalid(&self.schema.type_name, rule);
        self.report_keyword(found, "type", reason, requirement, &detail);
    }

    /// Reports a violation of a keyword.
    pub fn report_keyword(
        &self,
        found: &mut Vec<Violation>,
        keyword: &str,
        reason: Reason,
        requirement: &'static str,
        detail: &str,
    ) {
        report_at(found, &self.path.name(keyword), reason, requirement, detail);
    }
}

/// The reason and detail for a text that is missing or wrong.
pub(super) fn required_or_invalid(text: &str, rule: &str) -> (Reason, String) {
    if text.is_empty() {
        (Reason::Required, rule.to_owned())
    } else {
        (Reason::Invalid, message::about_text(text, rule))
    }
}

/// Reports a violation at a path.
pub(super) fn report_at(
    found: &mut Vec<Violation>,
    path: &FieldPath<'_>,
    reason: Reason,
    requirement: &'static str,
    detail: &str,
) {
    found.push(Violation::new(path, reason, requirement, detail));
}
