//! Schema nodes of a definition.

use crate::{FieldPath, Reason, Schema, Violation};

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
    /// Whether a default is forbidden here (CRDVAL-051).
    pub defaults_forbidden: bool,
}

impl<'a> Node<'a> {
    /// The root node of a definition's schema.
    pub fn root(schema: &'a Schema, path: &'a FieldPath<'a>) -> Self {
        Self { schema, path, position: Position::Root, inside_meta: false, defaults_forbidden: false }
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
