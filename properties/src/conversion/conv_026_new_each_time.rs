//! CONV-026: a field that is lost on the way to the storage version is new in each write that has it.

use crdible_generators::conversion::{ConversionShape, FirstOnly};

use super::shared::Converted;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-026-new-each-time", plan)
    .title("each update with a field that the storage version loses increases the generation")
    .asserts(&["CONV-026", "CONV-026/e2"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { first_only: FirstOnly::Lost, rest: false, ..ConversionShape::default() };
    let converted = Converted::draw_stored(plan, choices, &shape, 1);
    plan.case_parts(choices, "object", |plan, choices| {
        let mut object = converted.conversion.object(choices);
        object["spec"]["firstOnly"] = json!(choices.between(0, 9));
        let mut left = object.clone();
        left["spec"].as_object_mut().map(|spec| spec.remove("firstOnly"));
        let shown = |plan: &mut Plan, step, generation: i64| {
            plan.check("shown", &["CONV-026"], step, Expectation::Content(left.clone()));
            plan.check("generation", &["CONV-026/e2"], step, at("/metadata/generation", generation));
        };
        let created = converted.create(plan, &object, 0);
        shown(plan, created, 1);
        let mut last = created;
        for generation in 2..=3 {
            let spec: Value = object["spec"].clone();
            last = plan.put_back(last, vec![Edit::Set("/spec".into(), spec)]);
            shown(plan, last, generation);
        }
        // Without the field nothing is new.
        let same = plan.put_back(last, vec![]);
        shown(plan, same, 3);
        plan.check("not-written", &["CONV-026"], same, Expectation::same_revision(last));
    });
}
