//! CONV-011: reviews of `v1beta1`, whose answers need neither version nor kind nor uid.

use crdible_generators::conversion::ConversionShape;
use crdible_scenario::Webhook;
use crdible_webhooks::{Behaviour, Converter};

use super::{
    behaviours::{remove, set},
    shared::{Converted, webhook_failure},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-011-beta-reviews", plan)
    .title("a response to a v1beta1 review may omit version, kind and uid")
    .asserts(&["CONV-011/e1"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw_as(plan, choices, &shape, |definition| {
        let webhook = definition
            .webhook
            .map(|webhook| Webhook { review_versions: vec!["v1beta1".to_owned(), "v1".to_owned()], ..webhook });
        Definition { webhook, ..definition }
    });
    let right = Converter::right(converted.conversion.chain.clone());
    let object = converted.conversion.object(choices);
    let created = converted.create(plan, &object, converted.storage);
    let other = converted.pick_other(choices);
    let answers = [
        ("other-uid", set("/response/uid", "another"), true),
        ("no-uid", remove("/response/uid"), true),
        ("no-version", remove("/apiVersion"), true),
        ("null-kind", set("/kind", Value::Null), true),
        ("empty-version", set("/apiVersion", ""), true),
        ("version-v1", set("/apiVersion", "apiextensions.k8s.io/v1"), false),
        ("other-kind", set("/kind", "AdmissionReview"), false),
        ("failed", set("/response/result", json!({ "status": "Failed" })), false),
        ("no-response", remove("/response"), false),
        ("no-objects", set("/response/convertedObjects", json!([])), false),
    ];
    plan.case_parts(choices, "answer", |plan, choices| {
        let (name, edit, passes) = choices.pick(&answers).clone();
        let behaviour = Behaviour { review: vec![edit], ..Behaviour::default() };
        plan.convert(converted.definition, right.clone().with(behaviour));
        let read = plan.get_at(created, converted.name(other));
        let expected = if passes {
            Expectation::Content(converted.conversion.seen(&object, other))
        } else {
            webhook_failure("", &[])
        };
        plan.check(name, &["CONV-011/e1"], read, expected);
    });
}
