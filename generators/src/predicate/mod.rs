//! Rules in the Common Expression Language whose truth is known (CEL-017, CEL-020, CEL-023).
//!
//! A [`Predicate`] is a tree over the fields of a [`Subject`], an object with one field of each kind. Its truth has
//! three values: true, false, or an error. It is computed here, from the values of the subject, by the rules of the
//! specification: the text of the rule is only printed, and nothing here parses or evaluates it.
//!
//! | module | what it has |
//! |---|---|
//! | `subject` | the schema of the object, and its values |
//! | `tree` | predicates, numbers and texts |
//! | `draw` | how they are drawn |
//! | `truth` | what they are, for values |
//! | `scalars`, `moments` | times, durations, bytes and unsigned integers |
//! | `print` | their text, in one of many spellings |
//! | `cells` | what they show of operators |

mod cells;
mod draw;
mod moments;
mod print;
mod scalars;
mod subject;
mod tree;
mod truth;

pub use cells::cells;
pub use print::Printed;
pub use subject::Subject;
pub use tree::Predicate;
pub use truth::{Fails, Truth};

use crate::choice::Choices;

/// How often a predicate is drawn anew until it has the wanted truth.
const TRIES: usize = 12;

impl Predicate {
    /// Draws a predicate, at most `depth` levels deep. Many have one level: what their parts are shows in the whole.
    pub fn draw(choices: &mut Choices, depth: usize) -> Self {
        let depth = choices.up_to(depth.saturating_sub(1)) + 1;
        draw::predicate(choices, &draw::Scope::default(), depth)
    }

    /// Draws a predicate that is true, false or an error of this subject; if none is found, which is rare, of any
    /// truth.
    pub fn aimed(choices: &mut Choices, subject: &Subject, depth: usize) -> Self {
        let wanted = [Ok(true), Ok(false), Err(Fails)][choices.index(3)];
        let mut drawn = Self::draw(choices, depth);
        for _ in 0..TRIES {
            if drawn.truth(subject) == wanted {
                break;
            }
            drawn = Self::draw(choices, depth);
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rstest::rstest;

    use super::tree::{Calculation, Integer, Integers, Macro, Order};
    use super::*;

    const FLAG: Predicate = Predicate::Flag;

    fn boxed(value: bool) -> Box<Predicate> {
        Box::new(Predicate::Constant(value))
    }

    /// `10 / x > 0` for each element x of a list.
    fn of_quotients(kind: Macro, list: &[i64]) -> Truth {
        let quotient =
            Integer::Calculated(Calculation::Divide, Box::new(Integer::Literal(10)), Box::new(Integer::Variable(0)));
        let body = Predicate::Integers(Order::Greater, quotient, Integer::Literal(0));
        let subject = Subject { list: Some(list.to_vec()), ..Subject::default() };
        Predicate::OfIntegers(kind, Integers::Field, Box::new(body)).truth(&subject)
    }

    /// `self.b` is absent (CEL-017).
    #[rstest]
    #[case::absent(FLAG, Err(Fails))]
    #[case::false_and(Predicate::And(boxed(false), Box::new(FLAG)), Ok(false))]
    #[case::and_false(Predicate::And(Box::new(FLAG), boxed(false)), Ok(false))]
    #[case::true_and(Predicate::And(boxed(true), Box::new(FLAG)), Err(Fails))]
    #[case::or_true(Predicate::Or(Box::new(FLAG), boxed(true)), Ok(true))]
    #[case::false_or(Predicate::Or(boxed(false), Box::new(FLAG)), Err(Fails))]
    #[case::not(Predicate::Not(Box::new(FLAG)), Err(Fails))]
    #[case::branch(Predicate::Choice(boxed(true), boxed(false), Box::new(FLAG)), Ok(false))]
    #[case::condition(Predicate::Choice(Box::new(FLAG), boxed(true), boxed(true)), Err(Fails))]
    fn an_error_is_absorbed_by_what_decides(#[case] predicate: Predicate, #[case] truth: Truth) {
        assert_eq!(predicate.truth(&Subject::default()), truth);
    }

    /// A division by zero is an error (CEL-020), which macros absorb as logic does (CEL-017/e1).
    #[rstest]
    #[case::all(Macro::All, &[1, 2], Ok(true))]
    #[case::all_fails(Macro::All, &[1, 0], Err(Fails))]
    #[case::all_is_false(Macro::All, &[0, -1], Ok(false))]
    #[case::exists(Macro::Exists, &[0, 1], Ok(true))]
    #[case::exists_fails(Macro::Exists, &[0, -1], Err(Fails))]
    #[case::one(Macro::ExistsOne, &[1, -1], Ok(true))]
    #[case::two(Macro::ExistsOne, &[1, 2], Ok(false))]
    #[case::one_fails(Macro::ExistsOne, &[1, 0], Err(Fails))]
    #[case::none(Macro::All, &[], Ok(true))]
    fn a_macro_absorbs_as_logic_does(#[case] kind: Macro, #[case] list: &[i64], #[case] truth: Truth) {
        assert_eq!(of_quotients(kind, list), truth);
    }

    #[test]
    fn each_truth_is_drawn_often() {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for seed in 0..600 {
            let mut choices = Choices::random(seed);
            let subject = Subject::draw(&mut choices);
            let predicate = Predicate::aimed(&mut choices, &subject, 3);
            *counts.entry(format!("{:?}", predicate.truth(&subject))).or_default() += 1;
        }
        assert_eq!(counts.len(), 3);
        assert!(counts.values().all(|count| *count > 150), "{counts:?}");
    }

    /// What a rule names is declared, and nothing else is.
    #[test]
    fn a_printed_rule_lists_its_fields() {
        for seed in 0..200 {
            let mut choices = Choices::random(seed);
            let Printed { text, fields } = Predicate::draw(&mut choices, 3).print(&mut choices);
            let plain = text.replace(" . ", ".").replace(".?", ".");
            let named = plain.split("self.").skip(1).filter_map(|behind| behind.get(..1));
            let named: std::collections::BTreeSet<&str> = named.collect();
            assert_eq!(named, fields, "{text}");
        }
    }
}
