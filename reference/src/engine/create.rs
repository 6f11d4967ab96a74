//! Creating an object (REST-013..018).

use crdible_semantics::Violation;
use serde_json::Value;

use super::form::DecodedBody;
use super::size_limit::Write;
use super::{Exchange, MetadataCheck, Outcome};
use crate::answer::{Refusal, Warnings};
use crate::managed_fields;
use crate::metadata::{self, OwnersFrom, collapse_owners, fields};
use crate::representation::Shown;
use crate::request::{WriteKind, WriteOptions, body_object, json_text};
use crate::status::Failure;
use crate::storage::Stored;

/// How many generated names are tried (REST-018).
const NAME_ATTEMPTS: usize = 8;

/// Metadata fields that clients cannot set on create (REST-014).
const SYSTEM_FIELDS: [&str; 5] =
    ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/// The result of trying to create an object.
pub(super) enum Created {
    /// The created object as clients see it; in a dry run, as it would be created.
    Stored(Shown),
    /// The name is in use by this object.
    Taken(Stored),
}

impl Exchange<'_> {
    pub(super) fn create(&self, warnings: &mut Warnings) -> Result<Outcome, Refusal> {
        let parsed = body_object(&self.call)?;
        let text = json_text(&self.call, &parsed);
        let options = WriteOptions::parse(self.call.query, WriteKind::Create)?;
        let DecodedBody { mut object, claim } =
            self.form.decode_body(parsed, &text, options.field_validation, warnings)?;
        self.settle_namespace(&mut object)?;
        collapse_owners(&mut object, OwnersFrom::Body).into_iter().for_each(|text| warnings.add(text));
        self.resource.admit_create(self.path.namespace.as_deref(), fields::text(&object, "name"))?;
        if let Some(claim) = claim.filter(|claim| !claim.wrong.is_empty()) {
            return Err(claim.invalid(fields::text(&object, "name"), &claim.wrong).into());
        }
        refuse_version(&object)?;

        let mut object = self.as_new(object);
        let prefix = fields::text(&object, "generateName").to_owned();
        let generates = fields::text(&object, "name").is_empty() && !prefix.is_empty();
        for _ in 0..NAME_ATTEMPTS {
            if generates {
                fields::set(&mut object, "name", self.engine.identities.name(&prefix));
            }
            let taken = match self.create_once(&mut object, options.dry_run, warnings)? {
                Created::Stored(created) => return Ok(Outcome::object(201, created)),
                Created::Taken(by) => by,
            };
            if !generates {
                let kind = self.resource.kind();
                let being_deleted = self.resource.read(&taken).is_ok_and(|taken| fields::is_terminating(&taken));
                let name = fields::text(&object, "name");
                return Err(Failure::already_exists(&kind.group, &kind.plural, name, being_deleted).into());
            }
        }
        let kind = self.resource.kind();
        Err(Failure::already_exists(&kind.group, &kind.plural, fields::text(&object, "name"), false).into())
    }

    /// The new object that a body requests, with the fields that the server sets (REST-014).
    pub(super) fn as_new(&self, mut object: Value) -> Value {
        for field in SYSTEM_FIELDS {
            fields::remove(&mut object, field);
        }
        fields::remove(&mut object, "resourceVersion");
        let writer = self.writer();
        managed_fields::track(&*self.update.tracked(), &writer, None, &mut object);
        fields::set(&mut object, "uid", self.engine.identities.uid());
        // The same second as that of its fields.
        fields::set(&mut object, "creationTimestamp", writer.time);
        self.resource.prepare_create(&mut object);
        object
    }

    /// Validates and stores a new object, if its name is free.
    pub(super) fn create_once(
        &self,
        object: &mut Value,
        dry_run: bool,
        warnings: &mut Warnings,
    ) -> Result<Created, Failure> {
        self.resource.canonicalize(object);
        self.refuse_if_any(object, &self.created_violations(object))?;
        // Sent even if the name is in use.
        self.resource.warnings(object, None).into_iter().for_each(|text| warnings.add(text));
        let name = fields::text(object, "name").to_owned();
        match self.insert(object, &name, dry_run) {
            Ok(answer) => Ok(Created::Stored(answer?)),
            Err(taken) => Ok(Created::Taken(taken)),
        }
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        let own = self.resource.created_violations(object);
        match self.resource.metadata_check() {
            MetadataCheck::ByServer if !own.is_empty() => own,
            _ => metadata::created(self.engine.release, object, self.resource.name_rule())
                .into_iter()
                .chain(own)
                .collect(),
        }
    }

    /// Stores the object; in a dry run only checks whether it could be stored. The outer error is the object that has the name.
    fn insert(&self, object: &Value, name: &str, dry_run: bool) -> Result<Result<Shown, Failure>, Stored> {
        let key = self.key(name);
        let collection = self.resource.collection();
        if dry_run {
            // One that cannot be read is overlooked, like upstream.
            if let Some(taken) = collection.get(&key).filter(|taken| self.resource.read(taken).is_ok()) {
                return Err(taken);
            }
            // Encoded and read back like a real write (REST-059), but without the size limit.
            return Ok(self.resource.round_trip(object.clone()).map(Shown::Made));
        }
        let encoded = match self.encode_within_limit(object.clone(), name, Write::New) {
            Ok(encoded) => encoded,
            Err(failure) => return Ok(Err(failure)),
        };
        let stored = collection.insert(&key, encoded).map_err(|occupied| occupied.by)?;
        self.resource.written(name);
        Ok(self.present(&stored))
    }
}

/// Refuses a positive number as `resourceVersion` of a new object, also in a dry run (REST-015).
fn refuse_version(object: &Value) -> Result<(), Failure> {
    match fields::text(object, "resourceVersion").parse::<u64>() {
        Ok(1..) => Err(Failure::bad_request("resourceVersion should not be set on objects to be created")),
        _ => Ok(()),
    }
}
