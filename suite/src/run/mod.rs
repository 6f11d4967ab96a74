//! A run: which cases of which properties are examined, by how many workers, until when.
//!
//! The runner prints nothing and writes no files: it emits events, and a sink makes progress lines, a journal or test
//! results of them.

mod board;
mod case;
mod chronicle;
mod examine;
mod examiner;
mod identity;
mod interrupt;
mod known;
mod replay;
mod schedule;
mod session;
mod state;

pub use case::{Case, generator_digest};
pub use chronicle::Chronicle;
pub(crate) use chronicle::minimal;
pub use examine::{Attempt, ExamineOptions, Finding, Outcome, Shrinking, attempt, investigate};
pub use examiner::Examiner;
pub use identity::{new_run_id, random_seed};
pub use interrupt::Interrupt;
pub use known::Known;
pub use replay::{Counterexample, CounterexampleError, FORMAT, Replayed, replay};
pub use schedule::{RunOptions, run};
pub(crate) use session::UNABLE;
pub use session::{Opening, Session};
pub use state::{CaseOutcome, CaseReport, Event, Stop, Summary};
