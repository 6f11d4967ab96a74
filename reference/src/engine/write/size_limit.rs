//! The size limit of stored objects (REST-007).
//!
//! Storage is in memory here and could hold more, but users who test with this server want to see what a cluster
//! rejects.

use serde_json::Value;

use crate::base::status::Failure;
use crate::engine::Exchange;
use crate::metadata::fields;
use crate::store::Document;

/// The maximum size of a request to etcd, in bytes.
const MAX_REQUEST: usize = 1_572_864;

/// A request to etcd that stores an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Create,
    Update,
}

impl Request {
    /// Its size without the object: framing, and the key in the comparison, in the write, and in an update also
    /// in the read of a conflicting object.
    fn overhead(self, key: usize) -> usize {
        match self {
            Self::Create => 2 * key + 41,
            Self::Update => 3 * key + 48,
        }
    }
}

impl Exchange<'_> {
    /// Encodes an object for storage. If it is too large, drops `managedFields`; 500 if it still is.
    pub(super) fn encode_within_limit(&self, object: Value, name: &str, request: Request) -> Result<Document, Failure> {
        let encoded = self.resource.encode(object)?;
        let kind = self.resource.kind();
        let group = if kind.group.is_empty() { 0 } else { kind.group.len() + 1 };
        let key = "/registry/".len() + group + kind.plural.len() + 1 + self.key(name).len();
        let is_within_limit = |document: &Document| document.size() + request.overhead(key) <= MAX_REQUEST;
        if is_within_limit(&encoded) {
            return Ok(encoded);
        }
        let mut object = encoded.value().into_owned();
        fields::remove(&mut object, "managedFields");
        let without_managers = encoded.replaced(object);
        if is_within_limit(&without_managers) { Ok(without_managers) } else { Err(Failure::too_large_to_store()) }
    }
}
