//! Creating an object (REST-013..018).

use super::Write;
use super::store::Inserted;
use crate::base::status::Failure;
use crate::engine::form::DecodedBody;
use crate::engine::{Exchange, Operation, Success};
use crate::messages::answer::{Refusal, Warnings};
use crate::messages::request::WriteKind;
use crate::metadata::fields;
use crate::store;

/// How many generated names are tried (REST-018).
const NAME_ATTEMPTS: usize = 8;

impl Exchange<'_> {
    pub(in crate::engine) fn create(&self, warnings: &mut Warnings) -> Result<Success, Refusal> {
        let (write, decoded) = Write::of_body(self, WriteKind::Create, warnings)?;
        write.create(decoded, warnings)
    }
}

impl Write<'_> {
    fn create(&self, decoded: DecodedBody, warnings: &mut Warnings) -> Result<Success, Refusal> {
        let exchange = self.exchange;
        let DecodedBody { object, claim } = self.wanted_new(decoded, warnings)?;
        exchange.admit(Operation::Create, fields::text(&object, "name"))?;
        if let Some(claim) = claim.filter(|claim| !claim.wrong.is_empty()) {
            return Err(claim.invalid(fields::text(&object, "name"), &claim.wrong).into());
        }
        refuse_version(fields::text(&object, "resourceVersion"))?;

        let mut object = self.prepared(object);
        let prefix = fields::text(&object, "generateName").to_owned();
        let generates = fields::text(&object, "name").is_empty() && !prefix.is_empty();
        for _ in 0..NAME_ATTEMPTS {
            if generates {
                fields::set(&mut object, "name", exchange.engine.identities.name(&prefix));
            }
            self.validate_new(&mut object, warnings)?;
            let taken = match self.insert(&object)? {
                Inserted::Stored(created) => return Ok(Success::object(201, created)),
                Inserted::Taken(by) => by,
            };
            if !generates {
                let being_deleted = exchange.resource.read(&taken).is_ok_and(|taken| fields::is_terminating(&taken));
                return Err(exchange.already_exists(fields::text(&object, "name"), being_deleted).into());
            }
        }
        Err(exchange.already_exists(fields::text(&object, "name"), false).into())
    }
}

/// Refuses a positive number as `resourceVersion` of a new object, also in a dry run (REST-015).
fn refuse_version(version: &str) -> Result<(), Failure> {
    match store::revision(version) {
        Some(1..) => Err(Failure::bad_request("resourceVersion should not be set on objects to be created")),
        _ => Ok(()),
    }
}
