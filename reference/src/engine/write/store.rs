//! Storing a valid object in the storage version, if anything changes (REST-040, REST-046, REST-059).

use serde_json::Value;

use super::size_limit::Request;
use super::{Base, Unstored, Write};
use crate::base::status::Failure;
use crate::messages::representation::Shown;
use crate::metadata::fields;
use crate::store::Stored;

/// The result of storing a new object.
pub(super) enum Inserted {
    /// The created object as clients see it; in a dry run, as it would be created.
    Stored(Shown),
    /// The name is in use by this object.
    Taken(Stored),
}

impl Write<'_> {
    /// Stores a new object, if its name is free; in a dry run only checks whether it could be stored.
    pub(super) fn insert(&self, object: &Value) -> Result<Inserted, Failure> {
        let exchange = self.exchange;
        let name = fields::text(object, "name");
        let key = exchange.key(name);
        let collection = exchange.resource.collection();
        if self.dry_run {
            // One that cannot be read is overlooked, like upstream.
            if let Some(taken) = collection.get(&key).filter(|taken| exchange.resource.read(taken).is_ok()) {
                return Ok(Inserted::Taken(taken));
            }
            // Encoded and read back like a real write (REST-059), but without the size limit.
            return exchange.resource.round_trip(object.clone()).map(|made| Inserted::Stored(Shown::Made(made)));
        }
        let encoded = exchange.encode_within_limit(object.clone(), name, Request::Create)?;
        match collection.insert(&key, encoded) {
            Err(occupied) => Ok(Inserted::Taken(occupied.by)),
            Ok(stored) => {
                exchange.resource.written(name);
                exchange.present(&stored).map(Inserted::Stored)
            }
        }
    }

    /// Stores a changed object in place of the base. Returns it as clients read it.
    pub(super) fn replace(&self, name: &str, mut object: Value, base: &Base) -> Result<Shown, Unstored> {
        let exchange = self.exchange;
        let Base { stored, is_current, .. } = base;
        if exchange.resource.is_deleted_by_update(&object) {
            return self.remove_updated(name, object, stored);
        }
        if self.dry_run {
            let mut shown = exchange.resource.round_trip(object)?;
            fields::set(&mut shown, "resourceVersion", stored.revision.to_string());
            return Ok(shown.into());
        }
        fields::remove(&mut object, "resourceVersion");
        let encoded = exchange.encode_within_limit(object, name, Request::Update)?;
        if encoded == stored.object {
            // An update that changes nothing is not a write (REST-040).
            if *is_current {
                return Ok(exchange.present(&Stored { revision: stored.revision, object: encoded })?);
            }
            let current = exchange.current_base(name)?.ok_or(Unstored::Stale)?;
            if encoded == current.stored.object {
                return Ok(current.old.into());
            }
            return Err(Unstored::Outdated(Box::new(current)));
        }
        let replaced = exchange.resource.collection().replace(&exchange.key(name), stored.revision, encoded);
        let stored = replaced.map_err(|_| Unstored::Stale)?;
        // Shown before its consequences; that it cannot be shown does not undo it (CONV-021).
        let written = exchange.present(&stored);
        exchange.resource.written(name);
        Ok(written?)
    }

    /// Removes an object whose last finalizer was removed by an update. The response is the object as requested: it was
    /// never encoded for storage (REST-046).
    fn remove_updated(&self, name: &str, mut object: Value, stored: &Stored) -> Result<Shown, Unstored> {
        let exchange = self.exchange;
        let shown = if exchange.resource.is_typed() {
            // A built-in type has only one form, which reading completes.
            fields::remove(&mut object, "resourceVersion");
            exchange.present(&Stored { revision: stored.revision, object: exchange.resource.encode(object)? })?
        } else {
            fields::set(&mut object, "resourceVersion", stored.revision.to_string());
            Shown::from(object)
        };
        if !self.dry_run && !exchange.remove(name, stored.revision)? {
            return Err(Unstored::Stale);
        }
        Ok(shown)
    }
}
