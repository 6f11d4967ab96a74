//! TABLE-001/e1: the answers to writes as tables.

use crdible_scenario::RowObject;

use super::{
    column::{Column, stated},
    object::{self, Fields},
    table::{Accepted, INCLUDED, Shown, TABLE, check_metadata_of_one, check_objects, owned},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("table-001-writes", plan)
    .title("a write is answered with a Table if Accept asks for one")
    .asserts(&[
        "TABLE-001",
        "TABLE-001/e1",
        "TABLE-002",
        "TABLE-003",
        "TABLE-003/e1",
        "TABLE-004",
        "TABLE-005",
        "TABLE-006",
        "TABLE-007",
        "TABLE-009",
        "TABLE-010",
        "TABLE-011",
        "TABLE-012",
        "TABLE-013",
        "TABLE-015",
        "TABLE-015/e1",
        "TABLE-016",
    ])
    .needs(&[Capability::Storing, Capability::Tables]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let columns = choices.many_parts("column", 0, 4, |choices, _| Column::draw(choices));
    let fields = Fields::of(choices, &columns, &["number"]);
    let version = Version { further: stated(&columns), ..Version::only(fields.schema()) };
    let definition = plan.define(Definition::with_versions(vec![version]));
    let mut shown = Shown { columns, objects: Vec::new() };
    let list = Resource::objects(definition, "v1");
    let mut last: Vec<StepId> = Vec::new();
    choices.many_parts("object", 1, 3, |choices, number| {
        let sent = fields.draw(choices);
        shown.objects.push(object::seen(&sent));
        plan.count_case();
        let (included, objects) = *choices.pick(INCLUDED);
        let create = Request::post(
            list.clone(),
            Body::Object { definition, version: "v1".to_owned(), object: plan.next_object(), fields: sent.into() },
        );
        let table = plan.send(as_table(create, included));
        let read = plan.get(table);
        check(plan, &shown, table, read, objects);
        choices.many("write", 0, 3, |choices, _| {
            let (included, objects) = *choices.pick(INCLUDED);
            let seen = &mut shown.objects[number];
            let value = seen["spec"]["number"].as_i64().unwrap_or_default() % 100 + 1;
            seen["spec"]["number"] = json!(value);
            seen["metadata"]["generation"] = json!(seen["metadata"]["generation"].as_i64().unwrap_or_default() + 1);
            let (method, body) = match choices.draw(2) {
                0 => (Method::MergePatch, Body::json(json!({ "spec": { "number": value } }))),
                1 => {
                    let patch = json!([{ "op": "add", "path": "/spec/number", "value": value }]);
                    (Method::JsonPatch, Body::json(patch))
                }
                _ => {
                    let before = plan.get(table);
                    let edits = vec![Edit::Set("/spec/number".to_owned(), json!(value))];
                    (Method::Put, Body::Answer { step: before, edits })
                }
            };
            let written = Request::new(method, plan.object_of(table), body);
            let written = plan.send(as_table(written, included));
            let read = plan.get(table);
            check(plan, &shown, written, read, objects);
        });
        last.push(table);
    });
    ending(choices, plan, &shown, &list, &last);
}

/// A request whose answer is a table.
fn as_table(request: Request, included: Option<&str>) -> Request {
    let query: Vec<(&str, &str)> = included.iter().map(|value| ("includeObject", *value)).collect();
    Request { accept: Some(TABLE.to_owned()), query: owned(&query), ..request }
}

fn check(plan: &mut Plan, shown: &Shown, table: StepId, read: StepId, objects: RowObject) {
    let further = &["TABLE-001/e1"];
    shown.check_columns(plan, table, &Accepted::DEFAULT, further);
    shown.check_rows(plan, table, read, further);
    check_objects(plan, table, read, objects);
    check_metadata_of_one(plan, table, read);
}

/// A rejection, or a deletion of one object or of all.
fn ending(choices: &mut Choices, plan: &mut Plan, shown: &Shown, list: &Resource, last: &[StepId]) {
    let object = *choices.pick(last);
    match choices.draw(2) {
        0 => {
            let resource = plan.object_of(object);
            let wrong = Request::merge_patch(resource, json!({ "spec": { "number": "x" } }));
            let refused = plan.send(as_table(wrong, None));
            plan.check(
                "rejection",
                &["TABLE-001/e1"],
                refused,
                Expectation::CausesInclude(vec![Cause::new("spec.number", "TypeInvalid")]),
            );
        }
        1 => {
            let resource = plan.object_of(object);
            let deleted = plan.send(as_table(Request::delete(resource), None));
            plan.check("deletion", &["TABLE-001/e1"], deleted, at("/kind", "Status"));
        }
        _ => {
            let plain = plan.read(list.clone());
            plan.assume(plain, Expectation::Accepted);
            let table = plan.send(as_table(Request::delete(list.clone()), None));
            let further = &["TABLE-001/e1"];
            shown.check_columns(plan, table, &Accepted::DEFAULT, further);
            shown.check_rows(plan, table, plain, further);
        }
    }
}
