//! Objects as they are returned to a client.

use serde_json::Value;

use crate::base::status::Failure;
use crate::metadata::fields;
use crate::store::{Reading, Stored};
use crate::wire::json;

/// An object as a client sees it, with its `resourceVersion`.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// Exactly as stored: it can be returned without being decoded.
    Stored(Stored),
    /// Computed from the stored object.
    Made(Value),
}

impl Shown {
    /// Reads a stored object. `read` returns it without its `resourceVersion`; it is skipped if this `reading` is known
    /// to leave the stored object unchanged.
    pub(crate) fn of(
        stored: &Stored,
        reading: Option<Reading>,
        read: impl FnOnce(&Stored) -> Result<Value, Failure>,
    ) -> Result<Self, Failure> {
        if reading.is_some_and(|reading| stored.object.is_unchanged_by(reading)) {
            return Ok(Self::Stored(stored.clone()));
        }
        let mut object = read(stored)?;
        if reading.is_some_and(|reading| stored.object.record_read(reading, &object)) {
            return Ok(Self::Stored(stored.clone()));
        }
        fields::set(&mut object, "resourceVersion", stored.revision.to_string());
        Ok(Self::Made(object))
    }

    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Stored(stored) => stored.object.with_revision(stored.revision),
            Self::Made(object) => object,
        }
    }

    /// Appends the object as JSON.
    pub(crate) fn append_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Stored(stored) => stored.object.write_with_revision(stored.revision, out),
            Self::Made(object) => json::append(out, object),
        }
    }
}

impl From<Value> for Shown {
    fn from(object: Value) -> Self {
        Self::Made(object)
    }
}
