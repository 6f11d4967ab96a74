//! CONV-003: watches at another version report converted objects.

use crdible_generators::conversion::ConversionShape;

use super::{shared::Converted, writes::Writer};
use crate::prelude::*;
use crate::shared::watch::watch_once;

pub(super) const PROPERTY: Property = Property::new("conv-003-watches", plan)
    .title("a watch at another version reports each write once, in order, with the converted object")
    .asserts(&["CONV-003", "REST-060", "REST-061", "REST-063", "REST-063/e1", "REST-067"])
    .needs(&[Capability::Storing, Capability::Webhooks, Capability::Watches]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    // What earlier scenarios left behind must not be reported.
    let converted = Converted::draw_as(plan, choices, &shape, Definition::owned);
    let watched = converted.pick(choices);
    let before = plan.read(converted.collection(watched));
    let mut writer = Writer::new(plan, &converted, watched);
    choices.case_parts("write", |choices, _| {
        let at = converted.pick(choices);
        writer.write(choices, at);
        writer.plan.count_case();
    });
    if choices.chance(1, 2) {
        let seen = watch_once(writer.plan, before, &[]);
        // What is written while the watch goes on.
        let at = converted.pick(choices);
        let written = writer.write_in_one_step(choices, at);
        writer.plan.send_together(written);
        let expected = writer.events.or_fewer();
        writer.plan.check("meanwhile", PROPERTY.asserts, seen, expected);
    }
    let events = writer.events;
    let seen = events.watch_since(plan, before, &[]);
    plan.check("watched", PROPERTY.asserts, seen, events.or_gone());
}
