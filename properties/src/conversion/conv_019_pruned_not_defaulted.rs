//! CONV-019, PRUNE-023, DEFAULT-012: what a webhook returns is pruned by the schema of its version, and not defaulted.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::Converter;

use super::{
    behaviours::{of_objects, set},
    shared::Converted,
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-019-pruned-not-defaulted", plan)
    .title("an object that a webhook returns is pruned, but neither defaulted nor validated")
    .asserts(&["CONV-019", "CONV-019/e1", "PRUNE-023", "DEFAULT-012"])
    .needs(&[Capability::Storing, Capability::Webhooks, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw_as(plan, choices, &shape, with_defaults);
    let right = Converter::right(converted.conversion.chain.clone());
    let storage = converted.storage;
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let created = converted.create(plan, &object, storage);
        let other = converted.pick_other(choices);
        let expected = converted.conversion.seen(&object, other);
        let extras = [
            ("/spec/unknown", json!("x"), false),
            ("/unknown", json!({ "a": [1] }), false),
            ("/spec/bare", Value::Null, false),
            // No value of the schema: it is not checked.
            ("/spec/given", json!(7), true),
        ];
        let (pointer, value, is_kept) = choices.pick(&extras).clone();
        plan.convert(converted.definition, right.clone().with(of_objects(vec![set(pointer, value.clone())])));
        let read = plan.get_at(created, converted.name(other));
        let mut shown = expected.clone();
        if is_kept {
            shown["spec"]["given"] = value;
        }
        let asserts = &["CONV-019", "CONV-019/e1", "PRUNE-023", "DEFAULT-012"];
        plan.check("read", asserts, read, Expectation::Content(shown));
        plan.convert(converted.definition, right.clone());
        let plain = plan.get_at(created, converted.name(other));
        plan.check("plain", asserts, plain, Expectation::Content(expected));
    });
}

/// Each version but the storage version has two fields that no object has, one of them with a default.
fn with_defaults(mut definition: Definition) -> Definition {
    for version in definition.versions.iter_mut().filter(|version| !version.storage) {
        let properties = &mut version.schema["properties"]["spec"]["properties"];
        properties["given"] = json!({ "type": "string", "default": "filled" });
        properties["bare"] = json!({ "type": "string" });
    }
    definition
}
