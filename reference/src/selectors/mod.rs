//! Which objects of a collection a client wants (REST-023, chapter 14).

mod fields;
mod labels;

use serde_json::Value;

pub(crate) use fields::{Field, FieldSelector};
pub(crate) use labels::LabelSelector;

use crate::status::Failure;
use crate::storage::Stored;

/// The objects that fulfil a label selector and a field selector, whose labels are known.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) labels: LabelSelector,
    pub(crate) fields: FieldSelector<Field>,
}

impl Selection {
    /// Whether nothing is demanded.
    pub(crate) fn is_all(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Whether a stored object is wanted. Fields other than those of metadata are those of the object as it is read (FSEL-007). One
    /// that cannot be read is wanted, so that whoever asks is told.
    pub(crate) fn wants(&self, stored: &Stored, read: impl FnOnce(&Stored) -> Result<Value, Failure>) -> bool {
        if !self.labels.matches(&stored.object) {
            return false;
        }
        if self.fields.are_of_metadata() {
            return self.fields.matches(&stored.object);
        }
        read(stored).map_or(true, |object| self.fields.matches(&object))
    }
}
