//! What may refuse a write although the object is valid: upstream's admission plugins, of which the embedded server has
//! those that follow from namespaces and definitions that are being deleted.

use super::Exchange;
use crate::base::status::Failure;

/// What a request does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
}

/// A write of one object, about which admission decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Admission<'a> {
    pub(crate) operation: Operation,
    /// The namespace of the object; `None` if it has none.
    pub(crate) namespace: Option<&'a str>,
    /// Its name; empty if a name has to be generated first.
    pub(crate) name: &'a str,
}

impl Exchange<'_> {
    /// Refuses the write of an object that may not be written now.
    pub(super) fn admit(&self, operation: Operation, name: &str) -> Result<(), Failure> {
        self.resource.admit(&Admission { operation, namespace: self.path.namespace.as_deref(), name })
    }
}
