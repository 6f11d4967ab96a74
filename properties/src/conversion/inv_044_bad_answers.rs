//! INV-044, CONV-011 to CONV-015, CONV-018, CONV-021: an answer of a webhook that is wrong in one place makes the
//! conversion fail, and nothing else.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::Converter;

use super::{
    behaviours,
    shared::{Converted, webhook_failure},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-044-bad-answers", plan)
    .title("an invalid response of a webhook makes the conversion fail with 500")
    .asserts(&[
        "INV-044",
        "CONV-008/e2",
        "CONV-011",
        "CONV-011/e4",
        "CONV-012",
        "CONV-012/e2",
        "CONV-013",
        "CONV-014",
        "CONV-014/e1",
        "CONV-015",
        "CONV-015/e1",
        "CONV-016",
        "CONV-021",
        "INV-043",
    ])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw(plan, choices, &shape);
    let right = Converter::right(converted.conversion.chain.clone());
    let wrong = behaviours::all();
    let object = converted.conversion.object(choices);
    let created = converted.create(plan, &object, converted.storage);
    let other = converted.pick_other(choices);
    plan.case_parts(choices, "answer", |plan, choices| {
        let wrong = choices.pick(&wrong);
        plan.convert(converted.definition, right.clone().with(wrong.behaviour.clone()));
        let failed = plan.get_at(created, converted.name(other));
        plan.check(wrong.name, wrong.asserts, failed, webhook_failure("", &[]));
        let stored = plan.get_at(created, converted.name(converted.storage));
        let expected = Expectation::Content(converted.conversion.seen(&object, converted.storage));
        plan.check("stored", &["CONV-021"], stored, expected);
        plan.convert(converted.definition, right.clone());
        let mended = plan.get_at(created, converted.name(other));
        let expected = Expectation::Content(converted.conversion.seen(&object, other));
        plan.check("mended", &["INV-043"], mended, expected);
    });
}
