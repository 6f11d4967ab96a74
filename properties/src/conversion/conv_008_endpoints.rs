//! CONV-008: a webhook that cannot be reached, or must not be trusted, makes conversions fail, and nothing else.

use crdible_generators::conversion::ConversionShape;
use crdible_scenario::{Endpoint, Webhook};
use crdible_webhooks::Converter;

use super::shared::{Converted, webhook_failure};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-008-endpoints", plan)
    .title("a conversion fails with 500 if the webhook cannot be reached or its certificate is not trusted")
    .asserts(&["CONV-008", "CONV-008/e3", "CONV-021"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let endpoints = [
        Endpoint::OtherAuthority,
        Endpoint::NoAuthority,
        Endpoint::OtherHost,
        Endpoint::NobodyListens,
        Endpoint::NoTls,
    ];
    let endpoint = choices.pick(&endpoints).clone();
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw_as(plan, choices, &shape, |definition| {
        let chain = definition.webhook.map(|webhook| webhook.converter.chain).unwrap_or_default();
        let webhook = Webhook { endpoint, ..Webhook::of(Converter::right(chain)) };
        Definition { webhook: Some(webhook), ..definition }
    });
    let asserts = &["CONV-008", "CONV-008/e3", "CONV-021"];
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let storage = converted.storage;
        let created = converted.create(plan, &object, storage);
        let stored = Expectation::Content(converted.conversion.seen(&object, storage));
        plan.check("stored", asserts, created, stored.clone());
        let other = converted.pick_other(choices);
        let read = plan.get_at(created, converted.name(other));
        plan.check("read", asserts, read, webhook_failure(converted.name(storage), &["failed: Post "]));
        let sent = converted.create(plan, &object, other);
        plan.check("create", asserts, sent, webhook_failure(converted.name(other), &["failed: Post "]));
        let again = plan.get_at(created, converted.name(storage));
        plan.check("still-stored", asserts, again, stored);
    });
}
