//! Compares the answers of two targets to the same scenario.
//!
//! The same generated scenarios are executed on both, and the transcripts are compared step by step. That needs no
//! expectations, so it also finds what the specification does not cover. What may differ between two correct servers is
//! removed first ([`normal`]): names, uids, times, the values of `resourceVersion` (which answers share one is kept),
//! messages unless they are asked for, and what the executor itself added.
//!
//! A difference is confirmed, shrunk and recorded exactly as a failed check is: [`Pair`] is an
//! [`Examiner`](crate::run::Examiner) like [`Executor`](crate::execute::Executor).

mod difference;
pub mod normal;
mod pair;
mod places;
mod session;

pub use difference::{StepDifference, compare, differences};
pub use normal::Messages;
pub use pair::{Pair, PairError};
pub use places::Place;
pub use session::PairSession;
