//! TABLE-012, TABLE-013: the ages of times near and far.

use super::{
    column::{Column, stated},
    object::Fields,
    table::{Accepted, Shown, TABLE, request},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("table-013-ages", plan)
    .title("a date cell shows the age in the short format, for past and future times")
    .asserts(&[
        "TABLE-001",
        "TABLE-002",
        "TABLE-003/e1",
        "TABLE-004",
        "TABLE-005",
        "TABLE-009",
        "TABLE-012",
        "TABLE-013",
    ])
    .needs(&[Capability::Storing, Capability::Tables]);

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// Ages at which the format changes, and some between.
const AGES: &[i64] = &[
    0,
    60,
    2 * MINUTE,
    3 * MINUTE,
    10 * MINUTE,
    HOUR,
    3 * HOUR,
    5 * HOUR,
    8 * HOUR,
    DAY,
    2 * DAY,
    3 * DAY,
    8 * DAY,
    YEAR,
    2 * YEAR,
    3 * YEAR,
    8 * YEAR,
    200 * YEAR,
    -5,
    -HOUR,
    -YEAR,
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let columns = vec![Column::moment()];
    let version = Version { further: stated(&columns), ..Version::only(Fields::of(choices, &columns, &[]).schema()) };
    let definition = plan.define(Definition::with_versions(vec![version]));
    let mut shown = Shown { columns, objects: Vec::new() };
    plan.cases(choices, "object", |plan, choices| {
        let created = plan.create(definition, json!({ "spec": {} }));
        // What is added makes a second part, or none.
        let further = *choices.pick(&[0, -1, 1, -3, 30, MINUTE, HOUR, DAY, 5 * DAY]);
        let edit = Edit::Before { pointer: "/spec/moment".to_owned(), seconds: choices.pick(AGES) + further };
        let written = plan.put_back(created, vec![edit]);
        plan.varies(written);
        shown.objects.push(json!({}));
    });
    let list = Resource::objects(definition, "v1");
    let plain = plan.read(list.clone());
    let table = plan.send(request(list, TABLE, &[]));
    for step in [plain, table] {
        plan.varies(step);
    }
    shown.check_columns(plan, table, &Accepted::DEFAULT, &[]);
    shown.check_rows(plan, table, plain, &["TABLE-013"]);
}
