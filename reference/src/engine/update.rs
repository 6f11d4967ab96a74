//! Replacing and patching an object (REST-028..035, REST-040, REST-045, REST-046).

use crdible_semantics::{Reason, Violation};
use serde_json::Value;

use super::{Exchange, Outcome, report_fields};
use crate::answer::{Refusal, Warnings};
use crate::metadata::{self, fields};
use crate::patch::{self, Patch, PatchType};
use crate::request::{FieldValidation, WriteKind, WriteOptions, body_object, media_type};
use crate::status::Failure;
use crate::storage::Stored;

/// What a stale writer is told.
const MODIFIED: &str = "the object has been modified; please apply your changes to the latest version and try again";

/// How often a patch is tried anew while others write the same object.
const PATCH_ATTEMPTS: usize = 1000;

/// Why a write was not stored.
enum Unstored {
    /// Somebody else wrote since the object was read.
    Stale,
    Refused(Failure),
}

impl From<Failure> for Unstored {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

impl Exchange<'_> {
    pub(super) fn put(&self, name: &str, warnings: &mut Warnings) -> Result<Outcome, Refusal> {
        let parsed = body_object(&self.call)?;
        let options = WriteOptions::parse(self.call.query, WriteKind::Update)?;
        let mut object = parsed.value;
        let wrong_kind = self.check_type(&mut object)?;
        if !wrong_kind {
            let unknown = self.resource.decode(&mut object).map_err(|error| self.undecodable(&error))?;
            let duplicates = self.told_duplicates(parsed.duplicates, &unknown);
            report_fields(&duplicates, &unknown, options.field_validation, warnings)
                .map_err(|error| self.undecodable(&error))?;
        }
        Self::check_name(&object, name)?;
        self.settle_namespace(&mut object)?;

        let stored = self.resource.collection().get(&self.key(name)).ok_or_else(|| self.not_found(name))?;
        let uid = fields::text(&object, "uid");
        let present = fields::text(&stored.object, "uid");
        if !uid.is_empty() && uid != present {
            let why = format!("Precondition failed: UID in precondition: {uid}, UID in object meta: {present}");
            return Err(self.conflict(name, &why).into());
        }
        self.check_version(name, &object, &stored)?;
        if wrong_kind {
            return Err(self.wrong_kind(&object).into());
        }
        let old = self.present(&stored)?;
        match self.store(name, object, &stored, &old, options.dry_run, warnings) {
            Ok(answer) => Ok(answer),
            Err(Unstored::Stale) => Err(self.conflict(name, MODIFIED).into()),
            Err(Unstored::Refused(failure)) => Err(failure.into()),
        }
    }

    pub(super) fn patch(&self, name: &str, patch_type: PatchType, warnings: &mut Warnings) -> Result<Outcome, Refusal> {
        let options = WriteOptions::parse(self.call.query, WriteKind::Patch)?;
        let mut patch = None;
        for _ in 0..PATCH_ATTEMPTS {
            let stored = self.resource.collection().get(&self.key(name)).ok_or_else(|| self.not_found(name))?;
            // Read after the object, so that a missing object is told first, as upstream does.
            let patch = match &mut patch {
                Some(patch) => patch,
                None => patch.insert(Patch::parse(patch_type, self.call.body)?),
            };
            let old = self.present(&stored)?;
            let object = self.patched(name, patch, &old, options.field_validation, warnings)?;
            match self.store(name, object, &stored, &old, options.dry_run, warnings) {
                Ok(answer) => return Ok(answer),
                Err(Unstored::Stale) => {}
                Err(Unstored::Refused(failure)) => return Err(failure.into()),
            }
        }
        Err(self.conflict(name, MODIFIED).into())
    }

    /// The type of a patch; 415 for one that is not taken, or not yet (REST-032).
    pub(super) fn patch_type(&self) -> Result<PatchType, Failure> {
        let media_type = media_type(self.call.headers);
        let chosen = PatchType::from_media_type(&media_type);
        match chosen {
            Some(known @ (PatchType::Json | PatchType::Merge)) => Ok(known),
            Some(later) if self.resource.later_patch_types().contains(&later) => Err(Failure::unsupported_media_type(
                format!("{media_type} is not supported by the embedded server yet - {}", patch::ACCEPTED),
            )),
            _ => Err(Failure::unsupported_media_type(format!(
                "the body of the request was in an unknown format - {}",
                patch::ACCEPTED
            ))),
        }
    }

    /// The object that a patch makes, decoded (REST-033..035, REST-055).
    fn patched(
        &self,
        name: &str,
        patch: &Patch,
        old: &Value,
        validation: FieldValidation,
        warnings: &mut Warnings,
    ) -> Result<Value, Failure> {
        let mut object = old.clone();
        patch.apply(&mut object)?;
        let invalid = |error: String| patch_violation(&error);
        self.check_patched_type(&mut object, old)?;
        let unknown = self.resource.decode(&mut object).map_err(invalid)?;
        if validation != FieldValidation::Ignore {
            patch.unknown_members().iter().for_each(|path| {
                if validation == FieldValidation::Warn {
                    warnings.add(format!("json patch unknown field \"{path}\""));
                }
            });
        }
        if validation == FieldValidation::Strict && !patch.unknown_members().is_empty() {
            let told = patch.unknown_members().iter().map(|path| format!("json patch unknown field \"{path}\""));
            return Err(patch_violation(&format!("strict decoding error: {}", told.collect::<Vec<_>>().join(", "))));
        }
        report_fields(patch.duplicates(), &unknown, validation, warnings).map_err(invalid)?;
        Self::check_name(&object, name)?;
        self.settle_namespace(&mut object)?;
        Ok(object)
    }

    /// `apiVersion` and `kind` cannot be patched away or changed (REST-035).
    fn check_patched_type(&self, object: &mut Value, old: &Value) -> Result<(), Failure> {
        let kind = self.resource.kind();
        if !object.is_object() {
            return Err(Failure::unprocessable("the patch makes something that is no object"));
        }
        let text = |field: &str| object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (api_version, given) = (text("apiVersion"), text("kind"));
        if given.is_empty() {
            return Err(patch_violation("Object 'Kind' is missing"));
        }
        if api_version.is_empty() {
            return Err(patch_violation("Object 'apiVersion' is missing"));
        }
        let wrong = |field: &str, given: &str, right: &str| Violation {
            field: field.into(),
            reason: Reason::Invalid,
            requirement: "REST-035",
            detail: format!("{given:?}: must be {right}"),
        };
        let mut violations = Vec::new();
        if api_version != kind.api_version {
            violations.push(wrong("apiVersion", &api_version, &kind.api_version));
        }
        if given != kind.kind {
            violations.push(wrong("kind", &given, &kind.kind));
        }
        if violations.is_empty() {
            return Ok(());
        }
        if self.resource.is_typed() {
            return Err(patch_violation(&format!("no kind {given:?} is registered for version {api_version:?}")));
        }
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        Err(Failure::invalid(group, &given, fields::text(old, "name"), &violations))
    }

    /// The name in a body must be that of the URL (REST-009).
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

    /// The `resourceVersion` of a body must be that of the stored object (REST-029, CRDVAL-022).
    fn check_version(&self, name: &str, object: &Value, stored: &Stored) -> Result<(), Failure> {
        let version = fields::text(object, "resourceVersion");
        if matches!(version, "" | "0") {
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
            Failure::bad_request(format!("metadata.resourceVersion {version:?} is no resource version"))
        })?;
        if version != stored.revision {
            return Err(self.conflict(name, MODIFIED));
        }
        Ok(())
    }

    /// Validates and stores a changed object. `old` is what `stored` looks like to the client.
    fn store(
        &self,
        name: &str,
        mut object: Value,
        stored: &Stored,
        old: &Value,
        dry_run: bool,
        warnings: &mut Warnings,
    ) -> Result<Outcome, Unstored> {
        self.check_version(name, &object, stored)?;
        for field in ["creationTimestamp", "generation", "selfLink", "managedFields"] {
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
        self.resource.prepare_update(&mut object, old);
        if let Some(generation) = self.resource.next_generation(&object, old) {
            fields::set(&mut object, "generation", generation);
        }
        let mut violations = metadata::updated(&object, old);
        violations.extend(self.resource.updated_violations(&object, old));
        self.refuse_if_any(&object, &violations)?;
        self.resource.warnings(&object, Some(old)).into_iter().for_each(|text| warnings.add(text));

        let goes = self.resource.goes_after_update(&object);
        fields::remove(&mut object, "resourceVersion");
        let encoded = self.resource.encode(object)?;
        let collection = self.resource.collection();
        let key = self.key(name);
        if !dry_run && goes {
            collection.remove(&key, stored.revision).map_err(|_| Unstored::Stale)?;
            self.resource.written(name);
        }
        let unchanged = encoded == *stored.object;
        if dry_run || goes || unchanged {
            // A write of what is there is none (REST-040).
            let shown = Stored { revision: stored.revision, object: encoded.into() };
            return Ok(Outcome::object(200, self.present(&shown)?));
        }
        let stored = collection.replace(&key, stored.revision, encoded).map_err(|_| Unstored::Stale)?;
        let answer = self.present(&stored)?;
        self.resource.written(name);
        Ok(Outcome::object(200, answer))
    }
}

/// `422(patch,Invalid)`, with neither kind nor name (REST-055).
fn patch_violation(detail: &str) -> Failure {
    let violation =
        Violation { field: "patch".into(), reason: Reason::Invalid, requirement: "REST-055", detail: detail.into() };
    Failure::invalid("", "", "", &[violation])
}
