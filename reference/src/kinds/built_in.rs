//! What a built-in resource is called and can do.

use std::sync::{Arc, OnceLock};

use crdible_semantics::managed_fields::FieldType;
use serde_json::Value;

use super::column::Column;
use super::declaration::Type;
use super::kind::Kind;

/// Which code serves a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    Namespaces,
    Definitions,
    CoreEvents,
    Events,
}

/// A built-in resource at one version.
pub(crate) struct BuiltIn {
    pub(crate) served: Served,
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) singular: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) namespaced: bool,
    pub(crate) short_names: &'static [&'static str],
    pub(crate) categories: &'static [&'static str],
    /// Sorted by name.
    pub(crate) subresources: &'static [&'static str],
    pub(crate) deletes_collections: bool,
    /// The group and version in which upstream stores the objects; discovery publishes a hash of it (DISC-008).
    pub(crate) stored_as: [&'static str; 2],
    pub(crate) object: &'static Type,
    pub(crate) list: &'static Type,
    pub(crate) columns: &'static [Column],
    pub(super) derived: Derived,
}

/// What follows from the declaration of a resource; set when it is first needed.
pub(super) struct Derived {
    names: OnceLock<Kind>,
    pub(super) model: OnceLock<Value>,
    pub(super) fields: OnceLock<Arc<FieldType>>,
}

impl Derived {
    pub(super) const fn new() -> Self {
        Self { names: OnceLock::new(), model: OnceLock::new(), fields: OnceLock::new() }
    }
}

impl BuiltIn {
    /// The names that the engine needs.
    pub(crate) fn names(&self) -> &Kind {
        self.derived.names.get_or_init(|| Kind {
            group: self.group.into(),
            api_version: if self.group.is_empty() {
                self.version.into()
            } else {
                format!("{}/{}", self.group, self.version)
            },
            plural: self.plural.into(),
            kind: self.kind.into(),
            list_kind: format!("{}List", self.kind),
        })
    }
}
