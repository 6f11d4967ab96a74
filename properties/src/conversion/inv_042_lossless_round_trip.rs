//! INV-042, CONV-002, CONV-003: an object that was written at any version is at each other version what the webhook
//! makes of it, and writing back what was read there changes nothing.

use crdible_generators::conversion::ConversionShape;

use super::shared::Converted;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-042-lossless-round-trip", plan)
    .title("a round trip of an object through a lossless webhook changes nothing")
    .asserts(&["INV-042", "CONV-002", "CONV-003", "CONV-026", "VER-019"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let converted = Converted::draw(plan, choices, &ConversionShape::default());
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let writer = converted.pick(choices);
        let expected = |at: usize| Expectation::Content(converted.conversion.seen(&object, at));
        let created = converted.create(plan, &object, writer);
        plan.check("create", &["CONV-002", "CONV-003"], created, expected(writer));
        for reader in converted.positions() {
            let read = plan.get_at(created, converted.name(reader));
            plan.check("read", &["INV-042", "CONV-002", "CONV-003"], read, expected(reader));
            let list = plan.read(converted.collection(reader));
            plan.check("listed", &["CONV-003"], list, NamedCheck::Listed.against(read));
        }
        let at = converted.pick(choices);
        let read = plan.get_at(created, converted.name(at));
        let written = plan.put_back(read, vec![]);
        plan.check("written-back", &["INV-042", "CONV-026"], written, expected(at));
        plan.check("generation", &["INV-042", "CONV-026"], written, Expectation::same_generation(created));
        let again = plan.get_at(created, converted.name(writer));
        plan.check("as-before", &["INV-042"], again, expected(writer));
        for field in ["uid", "creationTimestamp"] {
            let pointer = format!("/metadata/{field}");
            let same = Expectation::SameAt { pointer: pointer.clone(), r#as: created, other: pointer };
            plan.check("same-metadata", &["VER-019"], again, same);
        }
    });
}
