//! CEL-024: the functions that came later, in the releases that have them.

use super::{
    functions::{addresses, amounts, newer},
    shared::{JUDGING, Known, try_known},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-024"];

pub(super) const PROPERTY: Property = Property::new("cel-024-libraries", plan)
    .title("later functions of rules have the results that their documentation promises")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[
        Edge { name: "addresses", plan: |plan| table(plan, &addresses::addresses()) },
        Edge { name: "formats", plan: |plan| table(plan, &addresses::formats()) },
        Edge { name: "quantities", plan: |plan| table(plan, &amounts::quantities()) },
        Edge { name: "sets", plan: |plan| table(plan, &amounts::sets()) },
        Edge { name: "optionals", plan: |plan| table(plan, &newer::optionals()) },
        Edge { name: "two-variables", plan: |plan| table(plan, &newer::two_variables()) },
    ]);

type Rules = fn() -> Vec<Known>;

/// Tables of functions, and the first minor release of Kubernetes 1 whose new rules may use them: that after the
/// compatibility version of the specification.
const TABLES: [(u16, Rules); 8] = [
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
    let tables: Vec<Rules> = TABLES.iter().filter(|(first, _)| *first <= minor).map(|(_, rules)| *rules).collect();
    let rules = choices.span("node", |choices| choices.pick(&tables)());
    try_known(plan, choices, ASSERTS, &rules);
}

fn table(plan: &mut Plan, rules: &[Known]) {
    plan.in_one_schema(rules.iter().map(|known| known.row(ASSERTS)));
}
