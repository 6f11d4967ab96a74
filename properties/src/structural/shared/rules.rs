//! The table of rules (`crdible_generators::rule`): its rows as pieces, and generated schemas that violate one rule.

use crdible_generators::rule::{self, Row, Site};

use crate::prelude::*;
use crate::shared::{PIECES, alone, host};

/// The rows that cover this requirement, as pieces.
pub(crate) fn pieces_of(requirement: &str) -> Vec<Piece> {
    rows_of(requirement).map(|row| piece(row, requirement, row.plain())).collect()
}

/// Every piece that violates a rule at any node below the root, and can be combined with others.
pub(crate) fn broken_pieces() -> Vec<Piece> {
    let rows = rule::rows().iter().filter(|row| !matches!(row.site, Site::Made(_)));
    rows.map(|row| piece(row, row.requirement(), row.plain())).filter(Piece::is_refused_node).collect()
}

/// Tries every row that covers this requirement in an otherwise empty schema.
pub(crate) fn rows_alone(plan: &mut Plan, requirement: &str) {
    alone(plan, &pieces_of(requirement))
}

/// Some of the rows that cover this requirement in generated schemas, and generated schemas that violate just this
/// rule.
pub(crate) fn try_rule(plan: &mut Plan, choices: &mut Choices, requirement: &'static str) {
    choices.many("piece", 1, PIECES, |choices, _| try_row(choices, plan, requirement));
}

/// One of the rows that cover this requirement in a generated schema, or a generated schema that violates just this
/// rule.
pub(crate) fn try_row(choices: &mut Choices, plan: &mut Plan, requirement: &'static str) {
    if choices.chance(1, 3) && try_broken(choices, plan, requirement) {
        return;
    }
    let rows: Vec<&Row> = rows_of(requirement).collect();
    let row = *choices.pick(&rows);
    let drawn = row.drawn(choices);
    piece(row, requirement, drawn).try_anywhere(choices, plan);
}

/// Tries a generated schema that violates exactly this rule. False if the rule cannot be violated.
fn try_broken(choices: &mut Choices, plan: &mut Plan, requirement: &str) -> bool {
    let schema = choices.span("broken schema", |choices| {
        let shape = host::shape(choices);
        rule::broken_schema_of(choices, &shape, requirement)
    });
    let Some(schema) = schema else { return false };
    let defined = plan.try_define(schema.json);
    plan.check_causes("one-rule-broken", &[requirement], defined, schema.causes);
    plan.count_case();
    true
}

fn rows_of(requirement: &str) -> impl Iterator<Item = &'static Row> {
    rule::rows_of(requirement).filter(|row| !matches!(row.site, Site::Made(_)))
}

fn piece(row: &Row, requirement: &str, (schema, causes): (Value, Vec<Cause>)) -> Piece {
    let piece = Piece::new(row.name, row.asserts_of(requirement).unwrap_or_default(), schema, causes);
    let piece = if row.is_hiding { piece.hiding() } else { piece };
    match row.site {
        Site::Root | Site::BareRoot => piece.at_root(),
        Site::Whole => piece.whole(),
        Site::Node | Site::Branch | Site::Made(_) => piece,
    }
}
