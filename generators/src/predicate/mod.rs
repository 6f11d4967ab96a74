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
//! | `print` | their text, in one of many spellings |

mod draw;
mod print;
mod subject;
mod tree;
mod truth;

pub use print::Printed;
pub use subject::Subject;
pub use tree::Predicate;
pub use truth::{Fails, Truth};

use crate::choice::Choices;

/// How often a predicate is drawn anew until it has the wanted truth.
const TRIES: usize = 12;

impl Predicate {
    /// Draws a predicate, at most `depth` levels deep.
    pub fn draw(choices: &mut Choices, depth: usize) -> Self {
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
