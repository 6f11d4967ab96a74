//! TABLE-008: watches of tables.

use crdible_scenario::{Happened, TableEvent, TableRow};
use crdible_semantics::release::Change;

use super::{
    column::{Column, or_default, stated},
    object::{self, Fields},
    table::{INCLUDED, TABLE},
};
use crate::prelude::*;
use crate::shared::watch::{watch_anew_as, watch_for};

pub(super) const PROPERTY: Property = Property::new("table-008-watch", plan)
    .title("a watch of a Table reports each event as a Table with one row")
    .asserts(&["TABLE-008", "TABLE-008/e1"])
    .needs(&[Capability::Storing, Capability::Tables, Capability::Watches]);

/// What is known of an object that exists.
struct Object {
    number: usize,
    created: StepId,
    seen: Value,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // How old something is when it is reported is not known.
    let columns: Vec<Column> = choices
        .many_parts("column", 0, 4, |choices, _| Column::draw(choices))
        .into_iter()
        .filter(|column| !column.is_age())
        .chain([Column::number()])
        .collect();
    let fields = Fields::of(choices, &columns, &[]);
    let version = Version { further: stated(&columns), ..Version::only(fields.schema()) };
    let definition = plan.define(Definition::with_versions(vec![version]));
    let mut objects: Vec<Object> = Vec::new();
    let create = |choices: &mut Choices, plan: &mut Plan, number: usize| {
        let sent = fields.draw(choices);
        let seen = object::seen(&sent);
        plan.count_case();
        Object { number, created: plan.create(definition, sent), seen }
    };
    let mut numbers = 0..;
    choices.many_parts("object", 0, 2, |choices, _| {
        objects.push(create(choices, plan, numbers.next().unwrap_or_default()));
    });
    let list = plan.list(definition, "v1");
    let cells = |object: &Object| or_default(&columns).iter().map(|column| column.cell(&object.seen)).collect();
    let mut events = Vec::new();
    let mut push = |r#type: Happened, object: &Object| {
        events.push(TableEvent { r#type, object: object.number, cells: cells(object) });
    };
    choices.many_parts("write", 1, 6, |choices, _| {
        let at = choices.up_to(7);
        if at >= objects.len() {
            let object = create(choices, plan, numbers.next().unwrap_or_default());
            push(Happened::Added, &object);
            objects.push(object);
        } else if choices.chance(1, 3) {
            let object = objects.remove(at);
            let resource = plan.object_of(object.created);
            plan.send(Request::delete(resource));
            push(Happened::Deleted, &object);
        } else {
            let object = &mut objects[at];
            let number = object.seen["spec"]["number"].as_i64().unwrap_or_default() % 100 + 1;
            plan.patch(object.created, Method::MergePatch, json!({ "spec": { "number": number } }));
            object.seen["spec"]["number"] = json!(number);
            object.seen["metadata"]["generation"] =
                json!(object.seen["metadata"]["generation"].as_i64().unwrap_or_default() + 1);
            push(Happened::Modified, object);
        }
    });
    let (included, shown) = *choices.pick(INCLUDED);
    let query: Vec<(&str, &str)> = included.iter().map(|value| ("includeObject", *value)).collect();
    let described: Vec<Value> = or_default(&columns).iter().map(Column::described).collect();
    let complete =
        NamedCheck::TableEventsComplete { objects: shown, columns: described.clone(), events: events.clone() };
    let watched = watch_for(plan, list, &query, TABLE, complete);
    let expected = NamedCheck::TableEvents { objects: shown, columns: described, events };
    plan.check("events", &["TABLE-008"], watched, expected);
    if choices.release().has(Change::InitialEvents) {
        let rows = objects.iter().map(|object| TableRow { object: object.number, cells: cells(object) }).collect();
        let begin =
            [("sendInitialEvents", "true"), ("resourceVersionMatch", "NotOlderThan"), ("allowWatchBookmarks", "true")];
        let query: Vec<(&str, &str)> = begin.into_iter().chain(query).collect();
        let watched = watch_anew_as(plan, definition, &query, TABLE);
        plan.check("initial", &["TABLE-008/e1"], watched, NamedCheck::TableInitial { rows });
    }
}
