//! TABLE-002, TABLE-003, TABLE-009, TABLE-017, INV-059: each version has its columns, and changed ones hold for
//! all objects.

use crdible_scenario::RowObject;

use super::{
    column::{Column, stated},
    object::{self, Fields},
    table::{Accepted, Shown, TABLE, check_objects, request},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("table-017-versions", plan)
    .title("a Table has the columns of the request version, even after they were changed")
    .asserts(&[
        "TABLE-001",
        "TABLE-002",
        "TABLE-003",
        "TABLE-003/e1",
        "TABLE-004",
        "TABLE-005",
        "TABLE-006",
        "TABLE-009",
        "TABLE-010",
        "TABLE-011",
        "TABLE-012",
        "TABLE-013",
        "TABLE-015",
        "TABLE-015/e1",
        "TABLE-016",
        "TABLE-017",
        "INV-059",
    ])
    .needs(&[Capability::Storing, Capability::Tables, Capability::Versions, Capability::DefinitionUpdates]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

/// A change of the columns of a version, given by its number.
enum Change {
    /// To others.
    To(usize, Vec<Column>),
    /// In their order: how far they move, at most to the end.
    Order(usize, usize),
}

fn versions(columns: &[Vec<Column>; 2], fields: &Fields) -> Vec<Version> {
    let version = |at: usize| {
        let version = Version::named(VERSIONS[at], fields.schema()).stored_if(at == 0);
        Version { further: stated(&columns[at]), ..version }
    };
    vec![version(0), version(1)]
}

fn draw(choices: &mut Choices) -> Vec<Column> {
    let least = *choices.pick(&[0, 2]);
    choices.many_parts("column", least, 5, |choices, _| Column::draw(choices))
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut columns = VERSIONS.map(|version| choices.keyed(version, draw));
    let changes = choices.many_parts("change", 0, 3, |choices, _| {
        let (at, by) = (choices.index(2), choices.index(6));
        if choices.chance(1, 3) { Change::To(at, draw(choices)) } else { Change::Order(at, by) }
    });
    let changed = changes.iter().flat_map(|change| match change {
        Change::To(_, columns) => columns.as_slice(),
        Change::Order(..) => &[],
    });
    let fields = Fields::of(choices, columns.iter().flatten().chain(changed), &[]);
    let definition = plan.define(Definition::with_versions(versions(&columns, &fields)));
    let mut objects = Vec::new();
    plan.case_parts(choices, "object", |plan, choices| {
        let sent = fields.draw(choices);
        objects.push(object::seen(&sent));
        plan.create_at(definition, choices.pick::<&str>(&VERSIONS), sent);
    });
    check(plan, definition, &columns, &objects, &["TABLE-017"]);
    for change in changes {
        let further: &[&str] = match change {
            Change::To(at, to) => {
                columns[at] = to;
                &["TABLE-017"]
            }
            Change::Order(at, by) => {
                permute(&mut columns[at], by);
                &["TABLE-017", "INV-059"]
            }
        };
        plan.install_versions(definition, versions(&columns, &fields));
        check(plan, definition, &columns, &objects, further);
    }
}

/// Another order; of two columns the other one.
fn permute(columns: &mut [Column], by: usize) {
    if let Some(orders) = columns.len().checked_sub(1).filter(|orders| *orders > 0) {
        columns.rotate_left(by % orders + 1);
    }
}

fn check(plan: &mut Plan, definition: usize, columns: &[Vec<Column>; 2], objects: &[Value], further: &[&str]) {
    for (version, columns) in VERSIONS.into_iter().zip(columns) {
        let list = Resource::objects(definition, version);
        let plain = plan.read(list.clone());
        let table = plan.send(request(list, TABLE, &[("includeObject", "Object")]));
        let shown = Shown { columns: columns.clone(), objects: objects.to_vec() };
        shown.check_columns(plan, table, &Accepted::DEFAULT, further);
        shown.check_rows(plan, table, plain, further);
        check_objects(plan, table, plain, RowObject::Object);
    }
}
