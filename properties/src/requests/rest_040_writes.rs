//! REST-028, REST-033, REST-034, REST-040, REST-070: writes of one object, one after the other.

use super::{
    owners,
    thing::{Thing, Write, schema},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-040-writes", plan)
    .title("the resourceVersion changes with every write that changes the object, and with no other")
    .asserts(&[
        "REST-013",
        "REST-019",
        "REST-020",
        "REST-028",
        "REST-031",
        "REST-033",
        "REST-034",
        "REST-035",
        "REST-040",
        "REST-040/e1",
        "REST-070",
        "REST-070/e1",
        "INV-061",
        "INV-062",
        "INV-066",
        "INV-067",
        "INV-068",
        "INV-079",
    ])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut thing = Thing::new(plan, definition, choices);
        let (created, fields) = (thing.created, thing.fields.clone());
        thing.plan.check("is-created", &["REST-013"], created, accepted_as(201));
        thing.check_fields("created", &["REST-013"], created, &fields);
        thing.plan.check("first-generation", &["REST-013", "INV-066"], created, at("/metadata/generation", 1));
        choices.many_average("write", 1, 8, 3, |choices, _| {
            let write = Write::draw(choices);
            let read = thing.read(&["REST-019", "REST-020"]);
            if choices.chance(1, 6) {
                owners::try_write(choices, &mut thing, read);
            }
            thing.write(&write, read);
        });
        thing.read(&["REST-019", "REST-020"]);
    });
}
