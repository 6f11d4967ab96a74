//! Objects on their way to a client.

use serde_json::Value;

use crate::json;
use crate::metadata::fields;
use crate::status::Failure;
use crate::storage::{Reading, Stored};

/// An object as a client sees it, with its revision.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// Just as it is stored: its text need not be read to be told.
    Stored(Stored),
    /// As it was made of what is stored.
    Made(Value),
}

impl Shown {
    /// A stored object as it is read. `read` gives it without its revision; what the same `reading` gave before is not read again.
    pub(crate) fn of(
        stored: &Stored,
        reading: Option<Reading>,
        read: impl FnOnce(&Stored) -> Result<Value, Failure>,
    ) -> Result<Self, Failure> {
        if reading.is_some_and(|reading| stored.object.is_unchanged_by(reading)) {
            return Ok(Self::Stored(stored.clone()));
        }
        let mut object = read(stored)?;
        if reading.is_some_and(|reading| stored.object.note_read(reading, &object)) {
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

    /// Appends its JSON text.
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
