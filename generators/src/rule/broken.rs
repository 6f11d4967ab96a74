//! Valid schemas with one violation, drawn from the table.

use crdible_semantics::{Cause, Schema};
use serde_json::Value;

use super::{
    plant::planted,
    row::Row,
    rows::{rows, rows_of},
};
use crate::{
    choice::Choices,
    schema::{self, SchemaShape},
};

/// A schema that violates exactly one rule of chapter 2.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenSchema {
    /// The schema as sent in the definition.
    pub json: Value,
    /// The row that it follows.
    pub row: &'static Row,
    /// All causes that the server must report, in any order, with paths from `openAPIV3Schema` (CRDVAL-024).
    pub causes: Vec<Cause>,
    /// The valid schema that it was made from.
    pub valid: Schema,
}

/// Draws a valid schema and breaks one rule at a random place.
pub fn broken_schema(c: &mut Choices, shape: &SchemaShape) -> BrokenSchema {
    // Rules are equally likely, however many ways there are to break them.
    let requirements = requirements();
    let requirement = *c.pick(&requirements);
    make(c, shape, &breaking(requirement))
}

/// Draws a valid schema and breaks the given rule at a random place; `None` if the rule cannot be broken, because it
/// only allows something or is a quirk.
pub fn broken_schema_of(c: &mut Choices, shape: &SchemaShape, requirement: &str) -> Option<BrokenSchema> {
    let rows = breaking(requirement);
    (!rows.is_empty()).then(|| make(c, shape, &rows))
}

/// The rules that can be broken, in order.
pub fn requirements() -> Vec<&'static str> {
    let mut requirements: Vec<&str> = rows().iter().filter(|row| row.can_break()).map(Row::requirement).collect();
    requirements.sort_unstable();
    requirements.dedup();
    requirements
}

fn breaking(requirement: &str) -> Vec<&'static Row> {
    rows_of(requirement).filter(|row| row.can_break() && row.requirement() == requirement).collect()
}

fn make(c: &mut Choices, shape: &SchemaShape, rows: &[&'static Row]) -> BrokenSchema {
    let valid = schema::schema(c, shape);
    c.keyed("@broken", |c| {
        let row = *c.pick(rows);
        c.reached(row.requirement());
        let (json, causes) = planted(c, &valid, row).unwrap_or_else(|| {
            c.discard("no way to break the rule in this schema");
            (valid.to_json(), Vec::new())
        });
        BrokenSchema { json, row, causes, valid: valid.clone() }
    })
}
