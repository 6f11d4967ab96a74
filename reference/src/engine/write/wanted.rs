//! The object that a request wants to be stored, and who manages its fields (REST-009, REST-028..035, REST-041).

use crdible_semantics::{json, release::Change};
use serde_json::Value;

use super::{Base, Unstored, Write};
use crate::base::status::Failure;
use crate::engine::form::DecodedBody;
use crate::engine::{Exchange, Purpose, unmet};
use crate::messages::answer::Warnings;
use crate::messages::patch::{Patch, PatchType};
use crate::metadata::{OwnersFrom, collapse_owners, fields};

/// Metadata fields that clients cannot set on create (REST-014).
const SYSTEM_FIELDS: [&str; 5] =
    ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/// How a request changes an object.
pub(super) enum Intent {
    /// This object takes its place.
    Replace {
        wanted: DecodedBody,
        /// Whether it replaces any revision.
        is_unconditional: bool,
    },
    /// A patch is applied to it.
    Patch {
        patch_type: PatchType,
        /// Parsed once, and only after the object was read, so that a missing object is reported first, like upstream.
        parsed: Option<Patch>,
    },
}

impl Intent {
    /// Whether only the revision that the body names is replaced. Then the request is not repeated with a newer one.
    pub(super) fn is_of_one_revision(&self) -> bool {
        matches!(self, Self::Replace { is_unconditional: false, .. })
    }
}

impl Write<'_> {
    /// The new object that a body requests.
    pub(super) fn wanted_new(&self, decoded: DecodedBody, warnings: &mut Warnings) -> Result<DecodedBody, Failure> {
        let mut wanted = decoded;
        self.exchange.settle_namespace(&mut wanted.object)?;
        report_owners(&mut wanted.object, OwnersFrom::Body, warnings);
        wanted.object = self.new_object(wanted.object);
        Ok(wanted)
    }

    /// The new object of a body: without what clients cannot set, and with who manages its fields.
    pub(super) fn new_object(&self, mut body: Value) -> Value {
        for field in SYSTEM_FIELDS {
            fields::remove(&mut body, field);
        }
        self.track(None, &mut body);
        body
    }

    /// The intent of a body that replaces the object with this name.
    pub(super) fn replacing(
        &self,
        name: &str,
        decoded: DecodedBody,
        warnings: &mut Warnings,
    ) -> Result<Intent, Failure> {
        let exchange = self.exchange;
        let mut wanted = decoded;
        exchange.settle_namespace(&mut wanted.object)?;
        check_name(&wanted.object, name)?;
        report_owners(&mut wanted.object, OwnersFrom::Body, warnings);
        let may_be_unconditional = exchange.form.may_be_unconditional() || exchange.resource.takes_any_revision();
        let is_unconditional = may_be_unconditional && fields::text(&wanted.object, "resourceVersion").is_empty();
        Ok(Intent::Replace { wanted, is_unconditional })
    }

    /// The object that the request wants in place of the base.
    pub(super) fn wanted(
        &self,
        name: &str,
        intent: &mut Intent,
        base: &Base,
        warnings: &mut Warnings,
    ) -> Result<DecodedBody, Unstored> {
        let exchange = self.exchange;
        let is_last = base.is_current && intent.is_of_one_revision();
        let DecodedBody { object: body, claim } = match intent {
            Intent::Replace { wanted, .. } => {
                exchange.check_uid(name, &wanted.object, &base.old)?;
                // The last attempt takes the body instead of a copy.
                if is_last { std::mem::take(wanted) } else { wanted.clone() }
            }
            Intent::Patch { patch_type, parsed } => {
                let patch = match parsed {
                    Some(patch) => patch,
                    None => parsed.insert(self.parse(*patch_type)?),
                };
                self.patched(name, patch, &base.old, warnings)?
            }
        };
        let mut object = exchange.form.wanted(body, &base.old, &self.writer)?;
        // The form of a subresource tracks the fields itself.
        if exchange.form.is_whole() {
            let is_tracked = self.track(Some(&base.old), &mut object);
            if !is_tracked && exchange.engine.semantics.release.has(Change::KeptManagers) {
                fields::take_over(&mut object, "managedFields", &base.old);
            }
        }
        Ok(DecodedBody { object, claim })
    }

    /// Sets who manages the fields of an object that takes the place of `old`. Returns whether that could be found out.
    fn track(&self, old: Option<&Value>, object: &mut Value) -> bool {
        let Exchange { engine, update, .. } = self.exchange;
        engine.semantics.track_fields(&*update.tracked(), &self.writer, old, object)
    }

    fn parse(&self, patch_type: PatchType) -> Result<Patch, Failure> {
        Patch::parse(patch_type, self.exchange.call.body, self.exchange.resource.model(), self.field_validation)
    }

    /// Applies a patch and decodes the result (REST-033..035, REST-055).
    fn patched(&self, name: &str, patch: &Patch, old: &Value, warnings: &mut Warnings) -> Result<DecodedBody, Failure> {
        let exchange = self.exchange;
        let apply = || {
            let mut object = exchange.form.show(old.clone().into(), Purpose::Patching)?.into_value();
            // Upstream applies it to the text of the object, where a float from a webhook may look like an integer.
            json::store_form(&mut object);
            patch.apply(&mut object)?;
            Ok::<Value, Failure>(object)
        };
        let mut object = apply()?;
        // Decoding changes the object, so a message that shows the result applies the patch again.
        let refuse = |fault: &str| match apply() {
            Ok(result) => Failure::of_patch(&result, fault),
            Err(failure) => failure,
        };
        let claim = exchange.form.decode_patched(&mut object, patch, self.field_validation, warnings, &refuse)?;
        check_name(&object, name)?;
        exchange.settle_namespace(&mut object)?;
        report_owners(&mut object, OwnersFrom::Patch, warnings);
        Ok(DecodedBody { object, claim })
    }
}

impl Exchange<'_> {
    /// Sets the namespace of a body to that of the URL; refuses a different one (VALUE-040, REST-009).
    fn settle_namespace(&self, object: &mut Value) -> Result<(), Failure> {
        match &self.path.namespace {
            None => fields::remove(object, "namespace"),
            Some(namespace) => match fields::text(object, "namespace") {
                "" => fields::set(object, "namespace", namespace.as_str()),
                own if own == namespace => {}
                _ => {
                    return Err(Failure::bad_request(
                        "the namespace of the provided object does not match the namespace sent on the request",
                    ));
                }
            },
        }
        Ok(())
    }

    /// Checks that a uid in a body is that of the stored object (REST-030).
    pub(super) fn check_uid(&self, name: &str, body: &Value, old: &Value) -> Result<(), Failure> {
        let (uid, present) = (fields::text(body, "uid"), fields::text(old, "uid"));
        if uid.is_empty() || uid == present {
            return Ok(());
        }
        let (key, unmet) = (self.key_in_store(&self.key(name)), unmet("UID", uid, present));
        let error = "StorageError: invalid object, Code: 4, Key:";
        Err(self.conflict(name, &format!("{error} {key}, ResourceVersion: 0, AdditionalErrorMsg: {unmet}")))
    }
}

/// Removes repeated owners, with a warning for each.
fn report_owners(object: &mut Value, from: OwnersFrom, warnings: &mut Warnings) {
    collapse_owners(object, from).into_iter().for_each(|text| warnings.add(text));
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
