//! Rules that compile, and rules that do not, as is known from the types of their operands (CEL-001, CEL-011).
//!
//! A rule is drawn from a table of operators with the types that they take. In a wrong one, a single term has been
//! replaced: by one of another type, by something that does not exist, by a call with another number of operands; or
//! the whole is no boolean. A right one may have a replaced term, too: one of another type that is allowed there. The
//! table is written after the specification. What it does not know is neither drawn nor called wrong.
//!
//! | module | what it has |
//! |---|---|
//! | `kind` | the types, with literals and fields of each |
//! | `operators`, `table` | what operators make of types |
//! | `term` | expressions, how they are drawn, and their text |
//! | `wrong` | changes of one term |
//! | `cells` | operators × types × outcomes |

mod cells;
mod kind;
mod operators;
mod table;
mod term;
mod wrong;

use std::collections::BTreeSet;

pub use cells::{Cell, Outcome};
pub use kind::{Kind, schema};

use crate::choice::Choices;
use term::Term;
use wrong::Change;

/// A rule, and whether it compiles to a boolean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The text.
    pub text: String,
    /// The fields of the node that it names; see [`schema`].
    pub fields: BTreeSet<&'static str>,
    /// Whether it compiles.
    pub is_right: bool,
    /// The requirement that decides about the term that was replaced; CEL-001 if that is none other.
    pub requirement: &'static str,
    /// What it shows of operators.
    pub cells: Vec<Cell>,
}

/// All cells of what compiles and what does not.
pub fn cells() -> BTreeSet<Cell> {
    table::OPERATORS.iter().flat_map(wrong::cells).collect()
}

/// How deep rules are at most.
const DEPTH: usize = 3;
/// How often a change is drawn anew until it is possible.
const TRIES: usize = 8;

impl Rule {
    /// Draws a rule that compiles, or one that does not, which has more to show.
    pub fn draw(choices: &mut Choices) -> Self {
        if choices.chance(2, 3) { Self::wrong(choices) } else { Self::right(choices) }
    }

    /// Draws a rule that compiles; half of them have a term of another type than drawn first.
    pub fn right(choices: &mut Choices) -> Self {
        let mut term = boolean(choices);
        let change = if choices.chance(1, 2) { wrong::replace(choices, &mut term, false) } else { None };
        let requirement = change.as_ref().map_or("CEL-001", |change| change.requirement);
        Self::of(&term, true, requirement, cells::applied(&term))
    }

    /// Draws a rule that does not compile, or not to a boolean.
    pub fn wrong(choices: &mut Choices) -> Self {
        match choices.weighted(&[8, 2, 1, 1]) {
            0 => Self::changed(choices, |choices, term| wrong::replace(choices, term, true)),
            1 => Self::changed(choices, |choices, term| Some(wrong::name_unknown(choices, term))),
            2 => Self::changed(choices, wrong::miscount),
            _ => {
                let kind = *choices.pick(&Kind::ALL[1..]);
                Self::of(&of_kind(choices, kind), false, "CEL-001", vec![])
            }
        }
    }

    /// Draws a rule with a change after which it does not compile. If it is not possible, something unknown is named.
    fn changed(choices: &mut Choices, change: fn(&mut Choices, &mut Term) -> Option<Change>) -> Self {
        for _ in 0..TRIES {
            let mut term = boolean(choices);
            if let Some(Change { requirement, cell }) = change(choices, &mut term) {
                return Self::of(&term, false, requirement, cell.into_iter().collect());
            }
        }
        let mut term = boolean(choices);
        let Change { requirement, .. } = wrong::name_unknown(choices, &mut term);
        Self::of(&term, false, requirement, vec![])
    }

    fn of(term: &Term, is_right: bool, requirement: &'static str, cells: Vec<Cell>) -> Self {
        let mut fields = BTreeSet::new();
        let text = term.print(0, &mut fields);
        Self { text, fields, is_right, requirement, cells }
    }
}

/// An expression of this type that is made of others, if there is one.
fn of_kind(choices: &mut Choices, kind: Kind) -> Term {
    let depth = choices.up_to(DEPTH - 1);
    Term::applied(choices, kind, &[], depth).unwrap_or_else(|| Term::draw(choices, kind, &[], 0))
}

/// A boolean expression: of the operators that have such results, or of any.
fn boolean(choices: &mut Choices) -> Term {
    if choices.chance(1, 2) {
        let depth = choices.up_to(DEPTH - 1);
        Term::of_any_operator(choices, depth)
    } else {
        of_kind(choices, Kind::Bool)
    }
}
