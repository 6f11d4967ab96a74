//! FSEL-008, FSEL-009: watches by fields.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::selectable::{FIELDS, Term, create, definition, object, some};
use crate::{
    properties::{
        Capability, Property,
        shared::watch::{Events, Happened, watch_anew},
    },
    scenario::{Body, Expectation, Method, Plan, Request, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "fsel-009-watch",
    title: "a watch by fields reports objects that begin or cease to be selected as added and deleted, and no others; one without a resourceVersion begins with those that are selected",
    asserts: &["FSEL-008", "FSEL-009", "FSEL-009/e1"],
    needs: &[Capability::Storing, Capability::FieldSelectors, Capability::Watches],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let fields = some(choices);
    let definition = plan.define(definition(&fields));
    let (known, steps) = create(choices, &mut plan, definition);
    let mut objects: Vec<(StepId, Value)> =
        steps.into_iter().zip(known.into_iter().map(|(_, object)| object)).collect();
    let drawn: Vec<Value> = objects.iter().map(|(_, object)| object.clone()).collect();
    let term = Term::draw(choices, &fields, &drawn);
    let selector = term.text(choices);
    let list = plan.list(definition, "v1");
    let mut events = Events::at("v1");
    choices.many_parts("write", 1, 8, |choices, _| {
        let at = usize::try_from(choices.draw(5)).unwrap_or(0);
        if at >= objects.len() {
            let new = object(choices);
            let created = plan.create(definition, new.clone());
            if term.selects(&new) {
                push(&mut events, Happened::Added, &plan, created, &new);
            }
            objects.push((created, new));
        } else if choices.chance(1, 6) {
            let (created, gone) = objects.remove(at);
            let resource = plan.object_of(created);
            plan.send(Request::new(Method::Delete, resource, Body::None));
            if term.selects(&gone) {
                push(&mut events, Happened::Deleted, &plan, created, &gone);
            }
        } else {
            let (created, object) = &mut objects[at];
            let before = object.clone();
            // Mostly the field that counts.
            let field = if choices.chance(2, 3) { term.field } else { *choices.pick(&FIELDS) };
            let patch = field.change(choices, object);
            plan.patch(*created, Method::MergePatch, patch);
            if stored(&before) == stored(object) {
                return;
            }
            match (term.selects(&before), term.selects(object)) {
                (false, true) => push(&mut events, Happened::Added, &plan, *created, object),
                (true, true) => push(&mut events, Happened::Modified, &plan, *created, object),
                (true, false) => push(&mut events, Happened::Deleted, &plan, *created, &before),
                (false, false) => {}
            }
        }
    });
    let watched = events.watch_since(&mut plan, list, &[("fieldSelector", &selector)]);
    plan.check("events", &["FSEL-008", "FSEL-009"], watched, events.or_gone());
    let mut begin = Events::at("v1");
    for (created, object) in objects.iter().filter(|(_, object)| term.selects(object)) {
        push(&mut begin, Happened::Added, &plan, *created, object);
    }
    let watched = watch_anew(&mut plan, definition, &[("fieldSelector", &selector)]);
    let arguments = json!({ "version": "v1", "events": begin.into_events(), "end": false, "any-order": true });
    plan.check("initial", &["FSEL-009/e1"], watched, Expectation::named_with("initial-events@1", arguments));
    plan.finish()
}

/// Whether a write changes something does not depend on how numbers are written.
fn stored(object: &Value) -> Value {
    let mut stored = object.clone();
    if let Some(number) = object["spec"]["number"].as_f64() {
        stored["spec"]["number"] = json!(number);
    }
    stored
}

fn push(events: &mut Events, happened: Happened, plan: &Plan, step: StepId, object: &Value) {
    let mut content = object.clone();
    let labels = content["metadata"]["labels"].take();
    if let Some(fields) = content.as_object_mut() {
        fields.remove("metadata");
    }
    let labels = if labels.is_null() { json!({}) } else { labels };
    events.push(happened, plan, step, &labels, content);
}
