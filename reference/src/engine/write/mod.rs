//! How an object is written, by a create, an update or a patch: *base → wanted → admit → validate → store*.
//!
//! | step | what it decides | in |
//! |---|---|---|
//! | base | from which state the request starts | [`base`] |
//! | wanted | the object that the request wants in its place, and who manages its fields | [`wanted`] |
//! | admit | whether it may be written now | [`admission`](super::admission) |
//! | validate | what the server sets itself, and whether the result is valid | [`validate`] |
//! | store | its form in the storage version, and whether anything changes | [`store`] |
//!
//! A create has no base ([`create`]); an update and a patch begin again from a newer base if another request was faster
//! ([`update`]).

mod base;
mod create;
mod size_limit;
mod store;
mod update;
mod validate;
mod wanted;

pub(super) use base::Base;

use crdible_semantics::managed_fields::Writer;

use super::Exchange;
use super::form::DecodedBody;
use crate::base::status::Failure;
use crate::messages::answer::{Refusal, Warnings};
use crate::messages::request::{FieldValidation, WriteKind, WriteOptions, body_object, check_media_type};

/// A request that writes one object.
struct Write<'a> {
    exchange: &'a Exchange<'a>,
    /// Nothing is stored; the response is as if it were.
    dry_run: bool,
    field_validation: FieldValidation,
    /// Who manages the fields that are written, and the time of the write.
    writer: Writer,
}

impl<'a> Write<'a> {
    /// A write with the object in the body of the request.
    fn of_body(
        exchange: &'a Exchange<'a>,
        kind: WriteKind,
        warnings: &mut Warnings,
    ) -> Result<(Self, DecodedBody), Refusal> {
        check_media_type(exchange.call.headers)?;
        let options = WriteOptions::parse(exchange.call.query, kind)?;
        let parsed = body_object(&exchange.call, exchange.form.kind())?;
        let decoded = exchange.form.decode_body(&exchange.call, parsed, options.field_validation, warnings)?;
        Ok((Self::new(exchange, options), decoded))
    }

    fn new(exchange: &'a Exchange<'a>, options: WriteOptions) -> Self {
        let WriteOptions { dry_run, field_validation } = options;
        Self { exchange, dry_run, field_validation, writer: exchange.writer() }
    }
}

/// Why a changed object was not stored.
enum Unstored {
    /// The stored object is a newer one than that of the base.
    Stale,
    /// The base is not the stored object, which is this one: only from there it is clear whether anything would change.
    Outdated(Box<Base>),
    Refused(Failure),
}

impl From<Failure> for Unstored {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}
