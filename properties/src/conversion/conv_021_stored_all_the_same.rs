//! CONV-021, CONV-022, CONV-012: what is stored although the answer fails, and what works with a broken webhook.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::{Behaviour, Converter, When};

use super::{
    behaviours::{failed, set},
    shared::{Converted, webhook_failure},
};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("conv-021-stored-all-the-same", plan)
    .title("a create is stored even if the conversion of its answer fails")
    .asserts(&["CONV-021/e1", "CONV-021/e3", "CONV-022/e5", "CONV-012/e1", "CONV-012/e2"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw(plan, choices, &shape);
    let right = Converter::right(converted.conversion.chain.clone());
    let (definition, storage) = (converted.definition, converted.storage);
    let broken = right.clone().with(failed(Some("out of order")));
    plan.case_parts(choices, "case", |plan, choices| {
        let object = converted.conversion.object(choices);
        let other = converted.pick_other(choices);
        let name = converted.name(other).to_owned();
        let failure = |from: &str| webhook_failure(from, &["failed: out of order"]);
        match choices.draw(4) {
            0 => {
                // Only the way from the store fails.
                let behaviour = Behaviour { when: When::To(name), ..failed(Some("out of order")) };
                plan.convert(definition, right.clone().with(behaviour));
                let sent = converted.create(plan, &object, other);
                plan.check("answer", &["CONV-021/e1"], sent, failure(converted.name(storage)));
                plan.convert(definition, right.clone());
                let stored = plan.get_at(sent, converted.name(storage));
                let expected = Expectation::Content(converted.conversion.seen(&object, storage));
                plan.check("stored", &["CONV-021/e1"], stored, expected);
            }
            1 => {
                let created = converted.create(plan, &object, storage);
                let read = plan.get_at(created, &name);
                plan.convert(definition, broken.clone());
                let put = plan.put_back(read, vec![Edit::Set("/spec".into(), json!("no object"))]);
                plan.check("invalid-update", &["CONV-021/e3"], put, failure(""));
                let malformed = plan.put_back(read, vec![Edit::Set("/metadata/name".into(), json!("another"))]);
                plan.check("other-name", &["CONV-021/e3"], malformed, refused_as(400, "BadRequest"));
                plan.convert(definition, right.clone());
            }
            2 => {
                plan.convert(definition, broken.clone());
                let missing = Resource::Object { definition, version: name, object: plan.next_object() };
                let patched = plan.send(Request::merge_patch(missing, json!({ "spec": {} })));
                plan.check("no-such-object", &["CONV-021/e3"], patched, Expectation::Status(404));
                plan.convert(definition, right.clone());
            }
            3 => {
                // Any status but Success is a failure, and its message is shown.
                let words = *choices.pick(&["Failed", "Failure", "success", "Ok"]);
                let result = json!({ "status": words, "message": "out of order", "code": 200, "reason": "None" });
                let created = converted.create(plan, &object, storage);
                let behaviour = Behaviour { review: vec![set("/response/result", result)], ..Behaviour::default() };
                plan.convert(definition, right.clone().with(behaviour));
                let read = plan.get_at(created, &name);
                plan.check("any-status", &["CONV-012/e1", "CONV-012/e2"], read, failure(converted.name(storage)));
                plan.convert(definition, right.clone());
            }
            _ => {
                // Success may come with any message.
                let result = json!({ "status": "Success", "message": "out of order", "code": 500 });
                let created = converted.create(plan, &object, storage);
                let behaviour = Behaviour { review: vec![set("/response/result", result)], ..Behaviour::default() };
                plan.convert(definition, right.clone().with(behaviour));
                let read = plan.get_at(created, &name);
                let expected = Expectation::Content(converted.conversion.seen(&object, other));
                plan.check("success", &["CONV-012/e2"], read, expected);
                plan.convert(definition, right.clone());
            }
        }
    });
    empty_list(plan, choices);
}

/// A definition without objects, whose webhook is broken from the start.
fn empty_list(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let empty = Converted::draw_as(plan, choices, &shape, |mut definition| {
        if let Some(webhook) = &mut definition.webhook {
            webhook.converter.behaviour = failed(None);
        }
        // One of the pool may still show objects of earlier scenarios.
        definition.owned()
    });
    let other = empty.pick_other(choices);
    let list = plan.read(empty.collection(other));
    plan.check("empty", &["CONV-022/e5"], list, at("/items", json!([])));
}
