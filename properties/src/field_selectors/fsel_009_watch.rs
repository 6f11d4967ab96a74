//! FSEL-008, FSEL-009: watches by fields.

use super::selectable::{FIELDS, NUMBER, Term, create, definition, object, some};
use crate::prelude::*;
use crate::shared::{
    oracle::{self, Change, change, stored},
    watch::{Events, Happened, watch_anew},
};

pub(super) const PROPERTY: Property = Property::new("fsel-009-watch", plan)
    .title("a watch with a field selector reports objects as they enter and leave the selection")
    .asserts(&["FSEL-008", "FSEL-009", "FSEL-009/e1"])
    .needs(&[Capability::Storing, Capability::FieldSelectors, Capability::Watches])
    .edges(&[Edge { name: "numbers-otherwise-written", plan: otherwise_written }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let fields = some(choices);
    let definition = plan.define(definition(&fields));
    let (known, steps) = create(choices, plan, definition);
    let mut objects: Vec<(StepId, Value)> =
        steps.into_iter().zip(known.into_iter().map(|(_, object)| object)).collect();
    let drawn: Vec<Value> = objects.iter().map(|(_, object)| object.clone()).collect();
    objects.iter_mut().for_each(|(_, object)| *object = stored(object));
    let term = Term::draw(choices, &fields, &drawn);
    let selector = term.text(choices);
    let list = plan.list(definition, "v1");
    let mut events = Events::at("v1");
    choices.many_parts("write", 1, 8, |choices, _| {
        let at = choices.up_to(5);
        if at >= objects.len() {
            let new = object(choices);
            let created = plan.create(definition, new.clone());
            if term.selects(&new) {
                push(&mut events, Happened::Added, plan, created, &new);
            }
            objects.push((created, stored(&new)));
        } else if choices.chance(1, 6) {
            let (created, gone) = objects.remove(at);
            let resource = plan.object_of(created);
            plan.send(Request::delete(resource));
            if term.selects(&gone) {
                push(&mut events, Happened::Deleted, plan, created, &gone);
            }
        } else {
            let (created, object) = &mut objects[at];
            let before = object.clone();
            // Mostly the field that counts.
            let field = if choices.chance(2, 3) { term.field } else { *choices.pick(&FIELDS) };
            let patch = field.change(choices, object);
            plan.patch(*created, Method::MergePatch, patch);
            report(&mut events, plan, &term, *created, (&before, object));
            *object = stored(object);
        }
    });
    let watched = events.watch_since(plan, list, &[("fieldSelector", &selector)]);
    plan.check("events", &["FSEL-008", "FSEL-009"], watched, events.or_gone());
    let mut begin = Events::at("v1");
    for (created, object) in objects.iter().filter(|(_, object)| term.selects(object)) {
        push(&mut begin, Happened::Added, plan, *created, object);
    }
    let watched = watch_anew(plan, definition, &[("fieldSelector", &selector)]);
    let (version, events) = ("v1".to_owned(), begin.into_events());
    let initial = NamedCheck::InitialEvents { version, events, end: false, any_order: true };
    plan.check("initial", &["FSEL-009/e1"], watched, initial);
}

/// A number that is written otherwise, or again.
fn otherwise_written(plan: &mut Plan) {
    let definition = plan.define(definition(&[NUMBER]));
    let term = Term { field: NUMBER, is: false, value: "1".to_owned() };
    let list = plan.list(definition, "v1");
    let mut events = Events::at("v1");
    let mut before = json!({ "spec": { "number": -5 } });
    let created = plan.create(definition, before.clone());
    push(&mut events, Happened::Added, plan, created, &before);
    let numbers =
        [json!(-5), json!(-5.0), json!(-5.0), json!(-5), json!(0.0), json!(0), json!(2e10), json!(1.0), json!(1)];
    for number in numbers {
        let after = json!({ "spec": { "number": number } });
        plan.patch(created, Method::MergePatch, after.clone());
        report(&mut events, plan, &term, created, (&before, &after));
        before = stored(&after);
        plan.count_case();
    }
    let watched = events.watch_since(plan, list, &[("fieldSelector", "spec.number!=1")]);
    plan.check("events", &["FSEL-009"], watched, events.or_gone());
}

/// What a watch by this term reports of a write.
fn report(events: &mut Events, plan: &Plan, term: &Term, created: StepId, (before, after): (&Value, &Value)) {
    let changed = change(before, after);
    if changed == Change::Nothing {
        return;
    }
    match (term.selects(before), term.selects(after)) {
        (false, true) => push(events, Happened::Added, plan, created, after),
        (true, true) => push(events, Happened::Modified, plan, created, after),
        (true, false) => push(events, Happened::Deleted, plan, created, before),
        (false, false) => return,
    }
    if changed == Change::Open {
        events.last_is_left_open();
    }
}

fn push(events: &mut Events, happened: Happened, plan: &Plan, step: StepId, object: &Value) {
    let mut content = object.clone();
    let labels = oracle::or_none(object.pointer("/metadata/labels"));
    if let Some(fields) = content.as_object_mut() {
        fields.remove("metadata");
    }
    events.push(happened, plan, step, &labels, content);
}
