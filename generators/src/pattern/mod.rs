//! Patterns, and texts that match them or just miss them.

mod class;
mod expression;
mod matching;
mod miss;

pub use expression::pattern;
pub use matching::matching;
pub use miss::near_miss;

pub(crate) use matching::simplest;
pub(crate) use miss::changed;
