//! The table columns of a kind.

use crdible_semantics::Release;
use crdible_semantics::release::Change;

/// A table column.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) type_name: &'static str,
    pub(crate) description: &'static str,
    /// 1 if only wide tables have it.
    pub(crate) priority: u8,
    /// The path of its values; empty if a function of the kind computes them.
    pub(crate) path: &'static str,
    /// Whether times are shown as ages, whatever the type of the column is.
    pub(crate) is_age: bool,
    since: Option<Change>,
}

pub(super) const fn column(name: &'static str, type_name: &'static str, description: &'static str) -> Column {
    Column { name, type_name, description, priority: 0, path: "", is_age: false, since: None }
}

/// The first column of most tables.
pub(crate) const NAME: Column =
    column("Name", "string", "The name of the object, unique among those of its kind in its namespace");

impl Column {
    /// Only wide tables have it.
    pub(super) const fn wide(self) -> Self {
        Self { priority: 1, ..self }
    }

    /// Its values are at a path.
    pub(super) const fn at(self, path: &'static str) -> Self {
        Self { path, ..self }
    }

    /// It shows the age of the object.
    pub(super) const fn age(self) -> Self {
        Self { path: ".metadata.creationTimestamp", is_age: true, ..self }
    }

    /// It came with a change.
    pub(super) const fn since(self, change: Change) -> Self {
        Self { since: Some(change), ..self }
    }

    pub(crate) fn is_in(&self, release: Release) -> bool {
        self.since.is_none_or(|change| release.has(change))
    }
}
