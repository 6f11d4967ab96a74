//! What fits the store (REST-007).
//!
//! Storage is memory here, and would take more. But who tests with this server wants to know what a cluster refuses.

use serde_json::Value;

use super::Exchange;
use crate::metadata::fields;
use crate::status::Failure;
use crate::storage::Document;

/// How large a request to etcd may be, in bytes.
const MAX_REQUEST: usize = 1_572_864;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    New,
    Changed,
}

impl Write {
    /// What a request takes beside the object: its key to compare and to write by, in an update also to read what is there instead, and
    /// framing.
    fn overhead(self, key: usize) -> usize {
        match self {
            Self::New => 2 * key + 41,
            Self::Changed => 3 * key + 48,
        }
    }
}

impl Exchange<'_> {
    /// An object as it is stored. One that is too large is stored without telling who manages its fields; 500 if that does not help.
    pub(super) fn fit(&self, object: Value, name: &str, write: Write) -> Result<Document, Failure> {
        let encoded = self.resource.encode(object)?;
        let kind = self.resource.kind();
        let group = if kind.group.is_empty() { 0 } else { kind.group.len() + 1 };
        let key = "/registry/".len() + group + kind.plural.len() + 1 + self.key(name).len();
        let fits = |document: &Document| document.size() + write.overhead(key) <= MAX_REQUEST;
        if fits(&encoded) {
            return Ok(encoded);
        }
        let mut object = encoded.value().into_owned();
        fields::remove(&mut object, "managedFields");
        let without_managers = encoded.replaced(object);
        if fits(&without_managers) { Ok(without_managers) } else { Err(Failure::too_large_to_store()) }
    }
}
