//! TABLE-001..007, TABLE-009..013, TABLE-015, TABLE-016, TABLE-018, INV-058: objects as tables with any columns.

use super::{
    column::{Column, stated},
    object::{self, Fields},
    table::{
        Accepted, INCLUDED, Shown, TABLE, check_metadata, check_metadata_of_one, check_objects, owned, request,
        request_at,
    },
};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("table-009-cells", plan)
    .title("a Table has one row per object, with the cells that the columns define")
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
        "TABLE-018",
        "INV-058",
    ])
    .needs(&[Capability::Storing, Capability::Tables]);

/// `Accept` headers that are answered with 406, alone.
const NOT_ACCEPTED: &[&str] = &[
    "application/json;as=Tables;v=v1;g=meta.k8s.io",
    "application/json;as=Table;v=v2;g=meta.k8s.io",
    "application/json;as=Table;v=v1;g=meta.example.com",
    "application/json;as=Table;g=meta.k8s.io",
    "application/json;as=Table;v=v1",
    "application/json;as=Table",
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // Most paths and types are rare, and further columns cost nothing.
    let least = *choices.pick(&[0, 3, 6]);
    let columns = choices.many_parts("column", least, 9, |choices, _| Column::draw(choices));
    let fields = Fields::of(choices, &columns, &[]);
    let version = Version { further: stated(&columns), ..Version::only(fields.schema()) };
    let scope = if choices.chance(1, 3) { Definition::namespaced } else { std::convert::identity };
    let definition = plan.define(scope(Definition::with_versions(vec![version])));
    let mut shown = Shown { columns, objects: Vec::new() };
    let created: Vec<StepId> = choices.case_parts("object", |choices, _| {
        let sent = fields.draw(choices);
        shown.objects.push(object::seen(&sent));
        plan.count_case();
        plan.create(definition, sent)
    });
    let list = Resource::objects(definition, "v1");
    choices.many("request", 1, 5, |choices, _| match choices.weighted(&[8, 3, 1, 1, 1, 1]) {
        0 => of_list(choices, plan, &shown, &list),
        1 => {
            let read = plan.get(*choices.pick(&created));
            let accepted = Accepted::draw(choices);
            let (query, objects) = *choices.pick(INCLUDED);
            let query: Vec<(&str, &str)> = query.iter().map(|value| ("includeObject", *value)).collect();
            let resource = plan.object_of(read);
            let table = plan.send(request(resource, accepted.header, &query));
            shown.check_columns(plan, table, accepted, &[]);
            shown.check_rows(plan, table, read, &[]);
            check_objects(plan, table, read, objects);
            check_metadata_of_one(plan, table, read);
        }
        2 => {
            let wrong = *choices.pick(&["none", "metadata", "All", "true"]);
            let query = [("includeObject", wrong)];
            let table = plan.send(request(list.clone(), TABLE, &query));
            plan.check("wrong-object", &["TABLE-006"], table, Expectation::BadRequest);
            let plain = plan.send(Request { query: owned(&query), ..Request::get(list.clone()) });
            plan.check("no-table", &["TABLE-006"], plain, at("/kind", "ThingList"));
        }
        3 => {
            let refused = plan.send(request(list.clone(), choices.pick::<&str>(NOT_ACCEPTED), &[]));
            plan.check("not-acceptable", &["TABLE-001"], refused, refused_as(406, "NotAcceptable"));
        }
        4 => {
            // The first alternative is none but the plain form.
            let accept = format!("application/json,{TABLE}");
            let plain = plan.send(request(list.clone(), &accept, &[]));
            plan.check("plain-first", &["TABLE-001"], plain, at("/kind", "ThingList"));
        }
        _ => {
            let query = [("labelSelector", "l=none")];
            let table = plan.send(request(list.clone(), TABLE, &query));
            shown.check_columns(plan, table, &Accepted::DEFAULT, &[]);
            plan.check("no-rows", &["TABLE-005"], table, at("/rows", json!([])));
            if shown.columns.is_empty() {
                let read = plan.read(Resource::Definition { definition });
                let none = absent("/spec/versions/0/additionalPrinterColumns");
                plan.check("not-written", &["TABLE-003/e1"], read, none);
            }
        }
    });
}

/// A list as a table and plain, both at one revision, perhaps in pages or of some objects.
fn of_list(choices: &mut Choices, plan: &mut Plan, shown: &Shown, list: &Resource) {
    let mut query: Vec<(&str, &str)> = Vec::new();
    query.extend(choices.chance(1, 3).then(|| ("limit", *choices.pick(&["1", "2", "3"]))));
    query.extend(choices.chance(1, 4).then(|| ("labelSelector", *choices.pick(&["l=x", "l!=x", "l"]))));
    let plain = plan.send(Request { query: owned(&query), ..Request::get(list.clone()) });
    plan.assume(plain, Expectation::Accepted);
    let accepted = Accepted::draw(choices);
    let (included, objects) = *choices.pick(INCLUDED);
    let of_table: Vec<(&str, &str)> =
        query.iter().copied().chain(included.map(|value| ("includeObject", value))).collect();
    let table = plan.send(request_at(plan, plain, accepted.header, &of_table));
    let further = &["INV-058"];
    shown.check_columns(plan, table, accepted, further);
    shown.check_rows(plan, table, plain, further);
    check_objects(plan, table, plain, objects);
    check_metadata(plan, table, plain, further);
}
