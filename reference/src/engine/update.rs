//! Replacing and patching an object (REST-028..035, REST-040, REST-045, REST-046).

use crdible_semantics::{Reason, Violation, json, release::Change};
use serde_json::Value;

use super::base::Base;
use super::create::Created;
use super::form::{Claim, DecodedBody};
use super::size_limit::Write;
use super::{Exchange, MetadataCheck, Outcome, Purpose};
use crate::answer::{Refusal, Warnings};
use crate::managed_fields::{self, Writer};
use crate::metadata::{self, OwnersFrom, collapse_owners, fields};
use crate::patch::{self, Patch, PatchType};
use crate::representation::Shown;
use crate::request::{FieldValidation, WriteKind, WriteOptions, body_object, json_text, media_type};
use crate::status::Failure;
use crate::storage::Stored;

/// The conflict message for a stale write.
const MODIFIED: &str = "the object has been modified; please apply your changes to the latest version and try again";

/// How often a write without a revision is tried while others write the same object.
const ATTEMPTS: usize = 1000;

/// Why a write was not stored.
enum Unstored {
    /// The object was written since it was read.
    Stale,
    /// It is not clear whether something would change: the stored object, which is not the one that the update started from, is this.
    Outdated(Box<Base>),
    Refused(Failure),
}

/// The object that a request wants to store in place of another.
struct Wanted<'c> {
    object: Value,
    /// The type that the body states, if it is not the expected one.
    claim: Option<&'c Claim>,
}

impl From<Failure> for Unstored {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

impl Exchange<'_> {
    pub(super) fn put(&self, name: &str, warnings: &mut Warnings) -> Result<Outcome, Refusal> {
        let parsed = body_object(&self.call)?;
        let text = json_text(&self.call, &parsed);
        let options = WriteOptions::parse(self.call.query, WriteKind::Update)?;
        let DecodedBody { object: mut body, claim } =
            self.form.decode_body(parsed, &text, options.field_validation, warnings)?;
        self.settle_namespace(&mut body)?;
        Self::check_name(&body, name)?;
        collapse_owners(&mut body, OwnersFrom::Body).into_iter().for_each(|text| warnings.add(text));

        let writer = self.writer();
        let may_be_unconditional = self.form.may_be_unconditional() || self.resource.takes_any_revision();
        let is_unconditional = may_be_unconditional && fields::text(&body, "resourceVersion").is_empty();
        let mut base = self.base(name, options.dry_run)?;
        for _ in 0..ATTEMPTS {
            let Some(Base { stored, old, is_current }) = base else {
                if self.resource.creates_on_update() {
                    match self.create_at(name, body.clone(), options.dry_run, warnings)? {
                        Created::Stored(created) => return Ok(Outcome::object(201, created)),
                        // Another request created it meanwhile.
                        Created::Taken(_) => {
                            base = self.current_base(name)?;
                            continue;
                        }
                    }
                }
                if !self.engine.release.has(Change::AbsentWhateverUid) {
                    self.check_uid(name, &body, &Value::Null)?;
                }
                return Err(self.not_found(name).into());
            };
            let body = if is_unconditional || !is_current { body.clone() } else { std::mem::take(&mut body) };
            let base_now = Base { stored, old, is_current };
            let written = self.check_uid(name, &body, &base_now.old).map_err(Unstored::from).and_then(|()| {
                let object = self.wanted(body, &base_now.old, &writer)?;
                let wanted = Wanted { object, claim: claim.as_ref() };
                self.store(name, wanted, &base_now, options.dry_run, warnings)
            });
            match written {
                Ok(written) => return Ok(Outcome::object(200, self.form.show(written, Purpose::Written)?)),
                Err(Unstored::Stale) if is_current && !is_unconditional => break,
                Err(unstored) => base = self.next_base(name, &base_now, unstored)?,
            }
        }
        Err(self.conflict(name, MODIFIED).into())
    }

    pub(super) fn patch(&self, name: &str, patch_type: PatchType, warnings: &mut Warnings) -> Result<Outcome, Refusal> {
        let options = WriteOptions::parse(self.call.query, WriteKind::Patch)?;
        if self.engine.release.has(Change::PatchesCheckedFirst) {
            patch::refuse_ill_formed(self.call.body)?;
        }
        let writer = self.writer();
        let mut patch = None;
        let mut base = self.base(name, options.dry_run)?.ok_or_else(|| self.not_found(name))?;
        for _ in 0..ATTEMPTS {
            // Parsed after the object was read, so that a missing object is reported first, like upstream.
            let written = self.parsed(&mut patch, patch_type, options.field_validation).and_then(|patch| {
                let (body, claim) = self.patched(name, patch, &base.old, options.field_validation, warnings)?;
                let object = self.wanted(body, &base.old, &writer)?;
                let wanted = Wanted { object, claim: claim.as_ref() };
                self.store(name, wanted, &base, options.dry_run, warnings)
            });
            match written {
                Ok(written) => return Ok(Outcome::object(200, self.form.show(written, Purpose::Written)?)),
                Err(unstored) => {
                    let next = self.next_base(name, &base, unstored)?;
                    base = next.ok_or_else(|| self.not_found(name))?;
                }
            }
        }
        Err(self.conflict(name, MODIFIED).into())
    }

    /// The patch of the request, which is parsed once.
    fn parsed<'p>(
        &self,
        patch: &'p mut Option<Patch>,
        patch_type: PatchType,
        validation: FieldValidation,
    ) -> Result<&'p Patch, Unstored> {
        Ok(match patch {
            Some(patch) => patch,
            None => patch.insert(Patch::parse(patch_type, self.call.body, self.resource.model(), validation)?),
        })
    }

    /// What to try next after an attempt that stored nothing. If it started from what the view had, and the stored object is another
    /// one, it is tried again; otherwise its failure counts.
    fn next_base(&self, name: &str, base: &Base, unstored: Unstored) -> Result<Option<Base>, Failure> {
        match unstored {
            Unstored::Refused(failure) if base.is_current => Err(failure),
            Unstored::Refused(failure) => match self.current_base(name)? {
                Some(current) if current.stored.revision == base.stored.revision => Err(failure),
                current => Ok(current),
            },
            Unstored::Stale => self.current_base(name),
            Unstored::Outdated(current) => Ok(Some(*current)),
        }
    }

    /// The type of a patch; 415 if it is not supported, or not yet (REST-032).
    pub(super) fn patch_type(&self) -> Result<PatchType, Failure> {
        let media_type = media_type(self.call.headers);
        let chosen = PatchType::from_media_type(&media_type);
        match chosen {
            Some(known @ (PatchType::Json | PatchType::Merge)) => Ok(known),
            Some(PatchType::Strategic) if self.resource.model().is_some() => Ok(PatchType::Strategic),
            Some(later) if self.resource.later_patch_types().contains(&later) => Err(Failure::unsupported_media_type(
                format!("{media_type} is not supported by the embedded server yet - {}", patch::ACCEPTED),
            )),
            _ => Err(Failure::unsupported_media_type(format!(
                "the body of the request was in an unknown format - {}",
                patch::ACCEPTED
            ))),
        }
    }

    /// Applies a patch and decodes the result (REST-033..035, REST-055).
    fn patched(
        &self,
        name: &str,
        patch: &Patch,
        old: &Value,
        validation: FieldValidation,
        warnings: &mut Warnings,
    ) -> Result<(Value, Option<Claim>), Failure> {
        let mut body = self.form.show(old.clone().into(), Purpose::Patching)?.into_value();
        // Upstream applies it to the text of the object, where a float from a webhook may look like an integer.
        json::store_form(&mut body);
        patch.apply(&mut body)?;
        let claim = self.form.decode_patched(&mut body, patch, validation, warnings)?;
        Self::check_name(&body, name)?;
        self.settle_namespace(&mut body)?;
        collapse_owners(&mut body, OwnersFrom::Patch).into_iter().for_each(|text| warnings.add(text));
        Ok((body, claim))
    }

    /// The object that a body requests in place of `old`, with its `managedFields` (REST-041).
    fn wanted(&self, body: Value, old: &Value, writer: &Writer) -> Result<Value, Failure> {
        let mut object = self.form.wanted(body, old, writer)?;
        if self.form.is_whole() {
            let is_tracked = managed_fields::track(&*self.update.tracked(), writer, Some(old), &mut object);
            if !is_tracked && self.engine.release.has(Change::KeptManagers) {
                managed_fields::keep(old, &mut object);
            }
        }
        Ok(object)
    }

    /// Creates the object of an update whose target does not exist, whatever revision the body names.
    fn create_at(&self, name: &str, object: Value, dry_run: bool, warnings: &mut Warnings) -> Result<Created, Failure> {
        self.check_uid(name, &object, &Value::Null)?;
        self.resource.admit_create(self.path.namespace.as_deref(), name)?;
        self.create_once(&mut self.as_new(object), dry_run, warnings)
    }

    /// Checks that a uid in a body is that of the stored object (REST-030).
    fn check_uid(&self, name: &str, body: &Value, old: &Value) -> Result<(), Failure> {
        let (uid, present) = (fields::text(body, "uid"), fields::text(old, "uid"));
        if uid.is_empty() || uid == present {
            return Ok(());
        }
        let why = format!("Precondition failed: UID in precondition: {uid}, UID in object meta: {present}");
        Err(self.conflict(name, &why))
    }

    /// Checks that the name in a body is that of the URL (REST-009).
    fn check_name(object: &Value, name: &str) -> Result<(), Failure> {
        match fields::text(object, "name") {
            own if own == name => Ok(()),
            "" => Err(Failure::bad_request(format!(
                "the name of the object ({name} based on URL) was undeterminable: name must be provided"
            ))),
            own => Err(Failure::bad_request(format!(
                "the name of the object ({own}) does not match the name on the URL ({name})"
            ))),
        }
    }

    /// Checks that the `resourceVersion` of a body is that of the stored object (REST-029, CRDVAL-022).
    fn check_version(&self, name: &str, object: &Value, stored: &Stored) -> Result<(), Failure> {
        let version = fields::text(object, "resourceVersion");
        if matches!(version, "" | "0") {
            if self.resource.takes_any_revision() {
                return Ok(());
            }
            let kind = self.resource.kind();
            let violation = Violation {
                field: "metadata.resourceVersion".into(),
                reason: Reason::Invalid,
                requirement: "REST-029",
                detail: "0: must be specified for an update".into(),
            };
            return Err(Failure::invalid(&kind.group, &kind.plural, name, &[violation]));
        }
        let version: u64 = version.parse().map_err(|_| {
            Failure::bad_request(format!("metadata.resourceVersion {version:?} is not a resource version"))
        })?;
        if version != stored.revision {
            return Err(self.conflict(name, MODIFIED));
        }
        Ok(())
    }

    /// Validates and stores a changed object. Returns it as clients read it.
    fn store(
        &self,
        name: &str,
        wanted: Wanted<'_>,
        base: &Base,
        dry_run: bool,
        warnings: &mut Warnings,
    ) -> Result<Shown, Unstored> {
        let Wanted { mut object, claim } = wanted;
        let Base { stored, old, is_current } = base;
        self.check_version(name, &object, stored)?;
        for field in ["creationTimestamp", "generation", "selfLink"] {
            fields::take_over(&mut object, field, old);
        }
        if fields::text(&object, "uid").is_empty() {
            fields::take_over(&mut object, "uid", old);
        }
        if fields::is_terminating(old) {
            fields::take_over(&mut object, "deletionTimestamp", old);
            let given =
                fields::metadata(&object).is_some_and(|metadata| metadata.contains_key("deletionGracePeriodSeconds"));
            if !given {
                fields::take_over(&mut object, "deletionGracePeriodSeconds", old);
            }
        }
        // A subresource may restore all metadata, but must not restore `managedFields`.
        let managers = fields::take(&mut object, "managedFields");
        self.update.prepare_update(&mut object, old);
        fields::put(&mut object, "managedFields", managers);
        self.resource.canonicalize(&mut object);
        if let Some(generation) = self.update.next_generation(&object, old) {
            fields::set(&mut object, "generation", generation);
        }
        let mut violations = metadata::updated(self.engine.release, &object, old);
        if let Some(claim) = claim.filter(|claim| !claim.wrong.is_empty()) {
            // Nothing else is checked.
            violations.extend(claim.wrong.iter().cloned());
            return Err(claim.invalid(name, &violations).into());
        }
        if self.resource.metadata_check() == MetadataCheck::ByType {
            violations.extend(metadata::updated_by_type(self.engine.release, &object, old));
        }
        violations.extend(self.update.updated_violations(&object, old));
        match claim {
            // A body that is not a whole object does not determine the type of the object.
            Some(claim) if self.form.is_whole() && !violations.is_empty() => {
                return Err(claim.invalid(name, &violations).into());
            }
            _ => self.refuse_if_any(&object, &violations)?,
        }
        self.update.warnings(&object, Some(old)).into_iter().for_each(|text| warnings.add(text));

        if self.resource.is_deleted_by_update(&object) {
            return self.remove_updated(name, object, stored, dry_run);
        }
        if dry_run {
            let mut shown = self.resource.round_trip(object)?;
            fields::set(&mut shown, "resourceVersion", stored.revision.to_string());
            return Ok(shown.into());
        }
        fields::remove(&mut object, "resourceVersion");
        let encoded = self.encode_within_limit(object, name, Write::Changed)?;
        if encoded == stored.object {
            // An update that changes nothing is not a write (REST-040).
            if *is_current {
                return Ok(self.present(&Stored { revision: stored.revision, object: encoded })?);
            }
            let current = self.current_base(name)?.ok_or(Unstored::Stale)?;
            if encoded == current.stored.object {
                return Ok(current.old.into());
            }
            return Err(Unstored::Outdated(Box::new(current)));
        }
        let replaced = self.resource.collection().replace(&self.key(name), stored.revision, encoded);
        let stored = replaced.map_err(|_| Unstored::Stale)?;
        // Shown before its consequences; that it cannot be shown does not undo it (CONV-021).
        let written = self.present(&stored);
        self.resource.written(name);
        Ok(written?)
    }

    /// Removes an object whose last finalizer was removed by an update. The response is the object as requested: it was never
    /// encoded for storage (REST-046).
    fn remove_updated(&self, name: &str, mut object: Value, stored: &Stored, dry_run: bool) -> Result<Shown, Unstored> {
        let shown = if self.resource.is_typed() {
            // A built-in type has only one form, which reading completes.
            fields::remove(&mut object, "resourceVersion");
            self.present(&Stored { revision: stored.revision, object: self.resource.encode(object)? })?
        } else {
            fields::set(&mut object, "resourceVersion", stored.revision.to_string());
            Shown::from(object)
        };
        if !dry_run && !self.remove(name, stored.revision)? {
            return Err(Unstored::Stale);
        }
        Ok(shown)
    }
}
