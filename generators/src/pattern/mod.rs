//! Regular expressions, and strings that match or just miss them.

mod class;
mod expression;
mod matching;
mod miss;

pub use expression::pattern;
pub use matching::matching;
pub use miss::near_miss;

pub(crate) use matching::simplest;
