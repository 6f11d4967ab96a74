//! Replacing and patching an object (REST-028..035, REST-040).

use crdible_semantics::release::Change;
use serde_json::Value;

use super::store::Inserted;
use super::wanted::Intent;
use super::{Base, Unstored, Write};
use crate::base::status::Failure;
use crate::engine::form::DecodedBody;
use crate::engine::{Exchange, Operation, Purpose, Success};
use crate::messages::answer::{Refusal, Warnings};
use crate::messages::patch::{self, PatchType};
use crate::messages::representation::Shown;
use crate::messages::request::{WriteKind, WriteOptions, media_type};

/// The conflict message for a stale write.
pub(super) const MODIFIED: &str =
    "the object has been modified; please apply your changes to the latest version and try again";

/// How often a write without a revision is tried while others write the same object.
const ATTEMPTS: usize = 1000;

impl Exchange<'_> {
    pub(in crate::engine) fn put(&self, name: &str, warnings: &mut Warnings) -> Result<Success, Refusal> {
        let (write, decoded) = Write::of_body(self, WriteKind::Update, warnings)?;
        let intent = write.replacing(name, decoded, warnings)?;
        write.update(name, intent, warnings)
    }

    pub(in crate::engine) fn patch(
        &self,
        name: &str,
        patch_type: PatchType,
        warnings: &mut Warnings,
    ) -> Result<Success, Refusal> {
        let options = WriteOptions::parse(self.call.query, WriteKind::Patch)?;
        if self.engine.semantics.release.has(Change::PatchesCheckedFirst) {
            patch::refuse_ill_formed(self.call.body)?;
        }
        Write::new(self, options).update(name, Intent::Patch { patch_type, parsed: None }, warnings)
    }

    /// The type of a patch; 415 if it is not supported, or not yet (REST-032).
    pub(in crate::engine) fn patch_type(&self) -> Result<PatchType, Failure> {
        let media_type = media_type(self.call.headers);
        let chosen = PatchType::from_media_type(&media_type);
        match chosen {
            Some(known @ (PatchType::Json | PatchType::Merge)) => Ok(known),
            Some(PatchType::Strategic) if self.resource.model().is_some() => Ok(PatchType::Strategic),
            Some(later) if self.resource.later_patch_types().contains(&later) => Err(Failure::unsupported_media_type(
                format!("{media_type} is not supported by the embedded server yet - {}", patch::ACCEPTED),
            )),
            _ if self.resource.is_typed() => Err(Failure::unlisted_media_type()),
            // Upstream lists the type of server-side apply, too.
            _ => Err(Failure::unsupported_media_type(format!(
                "the body of the request was in an unknown format - {}, application/apply-patch+yaml",
                patch::ACCEPTED
            ))),
        }
    }
}

impl Write<'_> {
    /// Takes the steps of a write from one base after the other, until the object is stored or refused.
    fn update(&self, name: &str, mut intent: Intent, warnings: &mut Warnings) -> Result<Success, Refusal> {
        let exchange = self.exchange;
        let mut base = exchange.base(name, self.dry_run)?;
        for _ in 0..ATTEMPTS {
            let Some(present) = base else {
                match self.create_missing(name, &intent, warnings)? {
                    Inserted::Stored(created) => return Ok(Success::object(201, created)),
                    // Another request created it meanwhile.
                    Inserted::Taken(_) => {
                        base = exchange.current_base(name)?;
                        continue;
                    }
                }
            };
            match self.attempt(name, &mut intent, &present, warnings) {
                Ok(written) => return Ok(Success::object(200, exchange.form.show(written, Purpose::Written)?)),
                Err(Unstored::Stale) if present.is_current && intent.is_of_one_revision() => break,
                Err(unstored) => base = self.next_base(name, &present, unstored)?,
            }
        }
        Err(exchange.conflict(name, MODIFIED).into())
    }

    /// Takes the steps of a write once. Returns the object as clients read it.
    fn attempt(
        &self,
        name: &str,
        intent: &mut Intent,
        base: &Base,
        warnings: &mut Warnings,
    ) -> Result<Shown, Unstored> {
        let DecodedBody { object, claim } = self.wanted(name, intent, base, warnings)?;
        self.exchange.admit(Operation::Update, name)?;
        let object = self.validate_changed(name, object, claim.as_ref(), base, warnings)?;
        self.replace(name, object, base)
    }

    /// Creates the object of an update that does not exist, whatever revision the body names; 404 if the resource does
    /// not create objects so.
    fn create_missing(&self, name: &str, intent: &Intent, warnings: &mut Warnings) -> Result<Inserted, Failure> {
        let exchange = self.exchange;
        let Intent::Replace { wanted, .. } = intent else { return Err(exchange.not_found(name)) };
        let creates = exchange.resource.creates_on_update();
        if creates || !exchange.engine.semantics.release.has(Change::AbsentWhateverUid) {
            exchange.check_uid(name, &wanted.object, &Value::Null)?;
        }
        if !creates {
            return Err(exchange.not_found(name));
        }
        let object = self.new_object(wanted.object.clone());
        exchange.admit(Operation::Create, name)?;
        let mut object = self.prepared(object);
        self.validate_new(&mut object, warnings)?;
        self.insert(&object)
    }

    /// The base of the next attempt after one that stored nothing; `None` if the object is gone. An attempt that
    /// started from what the view had is repeated if the stored object is another one; otherwise its failure counts.
    fn next_base(&self, name: &str, base: &Base, unstored: Unstored) -> Result<Option<Base>, Failure> {
        match unstored {
            Unstored::Refused(failure) if base.is_current => Err(failure),
            Unstored::Refused(failure) => match self.exchange.current_base(name)? {
                Some(current) if current.stored.revision == base.stored.revision => Err(failure),
                current => Ok(current),
            },
            Unstored::Stale => self.exchange.current_base(name),
            Unstored::Outdated(current) => Ok(Some(*current)),
        }
    }
}
