//! What rules show of operators, counted in cells: operator × type of an operand × outcome.

use std::fmt;

use super::{kind::Kind, term::Term};

/// An operator with an operand of a type, and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The operator, function or macro.
    pub operator: &'static str,
    /// The type of one of its operands.
    pub operand: Kind,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// What becomes of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It compiles.
    Compiles,
    /// It is refused when it is compiled.
    Refused,
    /// The smallest predicate that has it is true.
    True,
    /// It is false.
    False,
    /// It cannot be evaluated.
    Fails,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?}: {:?}", self.operator, self.operand, self.outcome)
    }
}

/// The cells of a term that compiles.
pub(super) fn applied(term: &Term) -> Vec<Cell> {
    let own = term.operator.into_iter().flat_map(|operator| {
        let of_operand =
            |operand: &Term| Cell { operator: operator.name, operand: operand.kind, outcome: Outcome::Compiles };
        term.operands.iter().map(of_operand)
    });
    own.chain(term.operands.iter().flat_map(applied)).collect()
}
