//! CONV-018, CONV-022: an object that the webhook refuses fails alone, and with it what includes it.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::{Behaviour, Converter, When};

use super::{
    behaviours::failed,
    shared::{Converted, webhook_failure},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-018-one-object", plan)
    .title("if a webhook refuses one object, GET at other versions fails for that object only")
    .asserts(&["CONV-018", "CONV-012"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw(plan, choices, &shape);
    let storage = converted.storage;
    let other = converted.pick_other(choices);
    let refused = Behaviour {
        when: When::Holds("/metadata/labels/refused".to_owned(), json!("yes")),
        ..failed(Some("not this one"))
    };
    let converter = Converter::right(converted.conversion.chain.clone()).with(refused);
    plan.convert(converted.definition, converter);
    let mut objects = Vec::new();
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let is_refused = choices.chance(1, 2);
        let mut content: Value = converted.conversion.seen(&object, storage);
        if is_refused {
            content["metadata"] = json!({ "labels": { "refused": "yes" } });
        }
        let created = plan.create_at(converted.definition, converted.name(storage), content);
        objects.push((created, object, is_refused));
    });
    for (created, object, is_refused) in objects {
        let read = plan.get_at(created, converted.name(other));
        let expected = if is_refused {
            webhook_failure(converted.name(storage), &["failed: not this one"])
        } else {
            Expectation::Content(converted.conversion.seen(&object, other))
        };
        plan.check(if is_refused { "refused" } else { "other" }, &["CONV-018", "CONV-012"], read, expected);
    }
}
