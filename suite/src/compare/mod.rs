//! Two targets, one scenario: where do their answers differ?
//!
//! The same generated scenarios are executed on both, and the transcripts are compared step by step. No expectation is
//! needed for it, so it also finds what the specification forgot. What may differ between two right servers is taken out
//! first ([`normal`]): names, uids, times, the values of `resourceVersion` (which answers share one is kept), messages, and
//! what only the executor put there.
//!
//! A difference is confirmed, shrunk and recorded exactly as a failed check is: [`Pair`] is an
//! [`Examiner`](crate::run::Examiner) beside [`Executor`](crate::execute::Executor).

mod difference;
mod examine;
pub mod normal;
mod outcome;
mod session;

pub use difference::{Place, StepDifference, differences};
pub use examine::Pair;
pub use outcome::{Comparison, Counts, FORMAT, FoundDifference, Side, Verdict};
pub use session::PairSession;
