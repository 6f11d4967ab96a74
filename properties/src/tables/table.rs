//! Requests for tables, and what is checked of each.

use crdible_scenario::{QueryFromAnswer, RowObject};

use super::column::{Column, or_default};
use crate::prelude::*;

/// The `Accept` header of a table.
pub(super) const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// An `Accept` header that is answered with a table of a version.
pub(super) struct Accepted {
    pub(super) header: &'static str,
    pub(super) version: &'static str,
    /// What it asserts beside TABLE-001.
    further: Option<&'static str>,
}

/// A header, and the version that it is answered with.
const fn accepted(header: &'static str, version: &'static str, further: Option<&'static str>) -> Accepted {
    Accepted { header, version, further }
}

const ACCEPTED: &[Accepted] = &[
    accepted(TABLE, "v1", None),
    accepted("application/json;g=meta.k8s.io;v=v1;as=Table", "v1", None),
    accepted("application/json;as=Table;v=v1beta1;g=meta.k8s.io", "v1beta1", None),
    accepted("application/json;as=Table;v=v2;g=meta.k8s.io, application/json;as=Table;v=v1;g=meta.k8s.io", "v1", None),
    accepted(
        "application/json;as=Other;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io",
        "v1beta1",
        None,
    ),
    accepted("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "v1", None),
    accepted("application/json;q=0.5,application/json;as=Table;v=v1;g=meta.k8s.io;q=0.9", "v1", None),
    accepted("*/*;as=Table;v=v1;g=meta.k8s.io", "v1", Some("TABLE-001/e1")),
    accepted("application/yaml;as=Table;v=v1;g=meta.k8s.io", "v1", Some("TABLE-018")),
];

impl Accepted {
    /// That of [`TABLE`].
    pub(super) const DEFAULT: Self = accepted(TABLE, "v1", None);

    pub(super) fn draw(choices: &mut Choices) -> &'static Self {
        choices.pick(ACCEPTED)
    }

    fn asserts(&self) -> Vec<&'static str> {
        ["TABLE-001"].into_iter().chain(self.further).collect()
    }
}

/// A definition of a table in a scenario: its columns, and the objects that were created.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) columns: Vec<Column>,
    /// The objects as columns find them, by their numbers.
    pub(super) objects: Vec<Value>,
}

impl Shown {
    /// Checks the columns of a table.
    pub(super) fn check_columns(&self, plan: &mut Plan, table: StepId, accepted: &Accepted, further: &[&str]) {
        let columns = or_default(&self.columns).iter().map(Column::described).collect();
        let is_table = NamedCheck::Table { version: accepted.version.to_owned() };
        plan.check("form", &accepted.asserts(), table, is_table);
        let asserts: &[&str] =
            if self.columns.is_empty() { &["TABLE-003"] } else { &["TABLE-002", "TABLE-003/e1", "TABLE-004"] };
        plan.check("columns", &[asserts, further].concat(), table, NamedCheck::TableColumns { columns });
    }

    /// Checks the rows of a table against the plain answer of the same objects.
    pub(super) fn check_rows(&self, plan: &mut Plan, table: StepId, plain: StepId, further: &[&str]) {
        let expected = NamedCheck::TableRows.against(plain);
        plan.check("rows", &[&["TABLE-005"], further].concat(), table, expected);
        for (number, column) in or_default(&self.columns).iter().enumerate() {
            let cells = self.objects.iter().map(|object| column.cell(object)).collect();
            let mut asserts = vec!["TABLE-009", column.requirement()];
            if column.is_complex() {
                asserts.extend(["TABLE-015", "TABLE-015/e1"]);
            }
            asserts.extend(column.has_format().then_some("TABLE-016"));
            asserts.extend(further);
            let expected = NamedCheck::TableCells { column: number + 1, cells };
            plan.check("cells", &asserts, table, expected.against(plain));
        }
    }
}

/// What a row has as its object, by the parameter `includeObject`.
pub(super) const INCLUDED: &[(Option<&str>, RowObject)] = &[
    (None, RowObject::Metadata),
    (Some("Metadata"), RowObject::Metadata),
    (Some(""), RowObject::Metadata),
    (Some("None"), RowObject::None),
    (Some("Object"), RowObject::Object),
];

/// Checks the objects of the rows of a table against the plain answer of the same objects.
pub(super) fn check_objects(plan: &mut Plan, table: StepId, plain: StepId, objects: RowObject) {
    plan.check("objects", &["TABLE-006"], table, NamedCheck::TableObjects { objects }.against(plain));
}

/// Checks the metadata of a table of a list.
pub(super) fn check_metadata(plan: &mut Plan, table: StepId, plain: StepId, further: &[&str]) {
    let expected = NamedCheck::TableMetadata.against(plain);
    plan.check("metadata", &[&["TABLE-007"], further].concat(), table, expected);
}

/// Checks the metadata of a table of one object.
pub(super) fn check_metadata_of_one(plan: &mut Plan, table: StepId, plain: StepId) {
    plan.check("resourceVersion", &["TABLE-007"], table, same_at("/metadata/resourceVersion", plain));
    for field in ["name", "uid", "labels"] {
        plan.check("no-more", &["TABLE-007"], table, absent(format!("/metadata/{field}")));
    }
}

/// A request for a table.
pub(super) fn request(resource: Resource, accept: &str, query: &[(&str, &str)]) -> Request {
    Request { accept: Some(accept.to_owned()), query: owned(query), ..Request::get(resource) }
}

/// A request for the table of a list at the revision of a plain one.
pub(super) fn request_at(plan: &Plan, plain: StepId, accept: &str, query: &[(&str, &str)]) -> Request {
    let query = [query, &[("resourceVersionMatch", "Exact")]].concat();
    let revision = QueryFromAnswer::revision_of(plain);
    Request { query_from_answers: vec![revision], ..request(plan.object_of(plain), accept, &query) }
}

/// Query parameters.
pub(super) fn owned(query: &[(&str, &str)]) -> Vec<(String, String)> {
    query.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}
