//! CEL-024: the functions that came later, in the releases that have them.

use super::{
    functions::{addresses, amounts, newer},
    shared::{JUDGING, Table},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-024"];

pub(super) const PROPERTY: Property = Property::new("cel-024-libraries", plan)
    .title("later functions of rules have the results that their documentation promises")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[
        Edge { name: "addresses", plan: |plan| addresses::addresses().try_all(plan, ASSERTS) },
        Edge { name: "formats", plan: |plan| addresses::formats().try_all(plan, ASSERTS) },
        Edge { name: "quantities", plan: |plan| amounts::quantities().try_all(plan, ASSERTS) },
        Edge { name: "sets", plan: |plan| amounts::sets().try_all(plan, ASSERTS) },
        Edge { name: "optionals", plan: |plan| newer::optionals().try_all(plan, ASSERTS) },
        Edge { name: "two-variables", plan: |plan| newer::two_variables().try_all(plan, ASSERTS) },
    ]);

/// Tables of functions, and the first minor release of Kubernetes 1 whose new rules may use them: that after the
/// compatibility version of the specification.
const TABLES: [(u16, fn() -> Table); 8] = [
    (33, addresses::addresses),
    (33, addresses::formats),
    (33, amounts::quantities),
    (33, amounts::sets),
    (33, newer::optionals),
    (33, newer::two_variables),
    (34, amounts::versions),
    (35, newer::lists),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let minor = choices.release().minor();
    let tables: Vec<fn() -> Table> =
        TABLES.iter().filter(|(first, _)| *first <= minor).map(|(_, table)| *table).collect();
    let table = choices.span("node", |choices| choices.pick(&tables)());
    table.try_some(plan, choices, ASSERTS);
}
