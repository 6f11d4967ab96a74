//! CONV-016: label selectors see the labels that a webhook made for the version of the request.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::{Behaviour, Converter, Edit, ObjectEdit, When, Which};

use super::{
    behaviours::{remove, set},
    shared::Converted,
};
use crate::prelude::*;
use crate::shared::watch::{Events, Happened};

pub(super) const PROPERTY: Property = Property::new("conv-016-selectors", plan)
    .title("label selectors match the labels that a webhook gives objects at the request version")
    .asserts(&["CONV-016/e2", "CONV-003/e1"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

const ASSERTS: &[&str] = &["CONV-016/e2", "CONV-003/e1"];

/// An object, and whether it has the label `old` where it is stored. Everywhere else it has the label `new` in
/// its place.
struct Labelled {
    created: StepId,
    number: usize,
    content: Value,
    is_old: bool,
}

/// A selector, and whether it selects an object at the storage version and elsewhere.
type Selector = (&'static str, fn(&Labelled) -> bool, fn(&Labelled) -> bool);

const SELECTORS: [Selector; 6] = [
    ("new=yes", |_| false, |_| true),
    ("old=yes", |object| object.is_old, |_| false),
    ("!old", |object| !object.is_old, |_| true),
    ("new", |_| false, |_| true),
    ("new notin (yes)", |_| true, |_| false),
    ("kind=thing", |_| true, |_| true),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    // What earlier scenarios left behind must not be selected.
    let converted = Converted::draw_as(plan, choices, &shape, Definition::owned);
    let other = converted.pick_other(choices);
    let elsewhere = converted.name(other).to_owned();
    let edit = |edit: Edit| ObjectEdit { which: Which::All, edit };
    let relabelled = Behaviour {
        when: When::To(elsewhere),
        objects: vec![edit(remove("/metadata/labels/old")), edit(set("/metadata/labels/new", "yes"))],
        ..Behaviour::default()
    };
    plan.convert(converted.definition, Converter::right(converted.conversion.chain.clone()).with(relabelled));
    // From here on watches report.
    let before = plan.read(converted.collection(other));
    let mut objects: Vec<Labelled> = Vec::new();
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let is_old = choices.chance(1, 2);
        let mut stored = converted.conversion.seen(&object, converted.storage);
        let old = if is_old { json!({ "kind": "thing", "old": "yes" }) } else { json!({ "kind": "thing" }) };
        stored["metadata"] = json!({ "labels": old });
        let created = plan.create_at(converted.definition, converted.name(converted.storage), stored);
        let Resource::Object { object: number, .. } = plan.object_of(created) else { return };
        objects.push(Labelled { created, number, content: converted.conversion.seen(&object, other), is_old });
    });
    choices.many_parts("selector", 1, 3, |choices, _| {
        let (selector, stored, shown) = *choices.pick(&SELECTORS);
        let is_stored = choices.chance(1, 4);
        let (at, selects) = if is_stored { (converted.storage, stored) } else { (other, shown) };
        let selected = |objects: &[Labelled]| -> Vec<usize> {
            objects.iter().filter(|object| selects(object)).map(|object| object.number).collect()
        };
        let list = plan.send(selecting(Method::Get, converted.collection(at), selector));
        plan.check("listed", ASSERTS, list, lists(selected(&objects)));
    });
    match choices.draw(2) {
        0 => {}
        1 => {
            let (selector, _, shown) = *choices.pick(&SELECTORS);
            let mut events = Events::at(converted.name(other));
            let labels = json!({ "kind": "thing", "new": "yes" });
            for object in objects.iter().filter(|object| shown(object)) {
                events.push(Happened::Added, plan, object.created, &labels, object.content.clone());
            }
            let watched = events.watch_since(plan, before, &[("labelSelector", selector)]);
            plan.check("watched", ASSERTS, watched, events.or_gone());
        }
        _ => {
            let (selector, _, shown) = *choices.pick(&SELECTORS);
            plan.send(selecting(Method::Delete, converted.collection(other), selector));
            let left: Vec<usize> = objects.iter().filter(|object| !shown(object)).map(|object| object.number).collect();
            let list = plan.read(converted.collection(converted.storage));
            plan.check("left", ASSERTS, list, lists(left));
        }
    }
}

fn selecting(method: Method, collection: Resource, selector: &str) -> Request {
    let query = vec![("labelSelector".to_owned(), selector.to_owned())];
    Request { query, ..Request::new(method, collection, Body::None) }
}

fn lists(objects: Vec<usize>) -> NamedCheck {
    NamedCheck::Lists { objects }
}
