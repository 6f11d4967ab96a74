//! REST-058, REST-059: a dry run answers like the request, and does nothing.

use super::thing::{Thing, Write, create_of, fields, schema};
use crate::prelude::*;
use crate::shared::has;

pub(super) const PROPERTY: Property = Property::new("rest-058-dry-runs", plan)
    .title("a dry run answers like the real request and has no effect")
    .asserts(&["REST-049", "REST-058", "REST-059", "REST-059/e1", "INV-069"])
    .needs(&[Capability::Storing, Capability::ObjectDryRun]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut thing = create(choices, plan, definition);
        let created = thing.created;
        choices.many_average("write", 0, 4, 2, |choices, _| {
            let write = Write::draw(choices);
            let read = thing.read(&["REST-058", "INV-069"]);
            thing.rehearse(&write, read);
        });
        let target = thing.resource();
        let removal = || Request::delete(target.clone());
        let tried = thing.plan.send(removal().as_dry_run());
        thing.plan.check("tried-removal", &["REST-049", "REST-058"], tried, Expectation::Status(200));
        thing.read(&["REST-049", "INV-069"]);
        let removed = thing.plan.send(removal());
        thing.plan.check("removed-as-tried", &["INV-069"], removed, Expectation::same_outcome(tried));
        let read = thing.plan.get(created);
        thing.plan.check("gone", &["INV-069"], read, Expectation::Status(404));
    });
}

/// Tries a create, and then creates the object.
fn create<'a>(choices: &mut Choices, plan: &'a mut Plan, definition: usize) -> Thing<'a> {
    let (fields, object) = (fields(choices), plan.next_object());
    let create = create_of(definition, object, fields.clone());
    let tried = plan.send(create.clone().as_dry_run());
    plan.check("tried-create", &["REST-058"], tried, accepted_as(201));
    plan.check("no-revision", &["REST-059"], tried, absent("/metadata/resourceVersion"));
    plan.check("generation-of-create", &["REST-059/e1"], tried, at("/metadata/generation", 1));
    for part in ["uid", "creationTimestamp"] {
        plan.check(part, &["REST-059"], tried, has(format!("/metadata/{part}")));
    }
    let read = plan.get(tried);
    plan.check("not-there", &["REST-058", "INV-069"], read, Expectation::Status(404));
    let created = plan.send(create);
    plan.check("created-as-tried", &["INV-069"], created, Expectation::same_outcome(tried));
    Thing { plan, definition, object, created, last: created, fields }
}
