//! CONV-023: what was written while a webhook was broken is reported when it works again.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::Converter;

use super::{behaviours::failed, shared::Converted, writes::Writer};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-023-recovery", plan)
    .title("watches report what was written while a webhook was broken, once it works again")
    .asserts(&["CONV-023/e1", "CONV-023/e2", "CONV-023/e3"])
    .needs(&[Capability::Storing, Capability::Webhooks, Capability::Watches]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    // What earlier scenarios left behind must not be reported.
    let converted = Converted::draw_as(plan, choices, &shape, Definition::owned);
    let (definition, storage) = (converted.definition, converted.storage);
    let right = Converter::right(converted.conversion.chain.clone());
    let watched = converted.pick_other(choices);
    let before = plan.read(converted.collection(watched));
    let before_stored = plan.read(converted.collection(storage));
    let mut writer = Writer::new(plan, &converted, watched);
    let first = converted.conversion.object(choices);
    writer.create(first, storage);
    // Nothing that is written from now on needs the webhook.
    writer.plan.convert(definition, right.clone().with(failed(Some("out of order"))));
    choices.case_parts("write", |choices, _| {
        writer.write(choices, storage);
        writer.plan.count_case();
    });
    let Writer { events, stored, .. } = writer;
    let seen = stored.watch_since(plan, before_stored, &[]);
    plan.check("stored", &["CONV-023/e2"], seen, stored.expectation());
    plan.convert(definition, right);
    let seen = events.watch_since(plan, before, &[]);
    plan.check("caught-up", &["CONV-023/e1", "CONV-023/e3"], seen, events.or_gone());
}
