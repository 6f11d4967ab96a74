//! What commands do with a target, from its first answer to the report.

mod bench;
pub(crate) mod blame;
mod claims;
pub(crate) mod contract;
mod fuzz_run;
mod judging;
mod proposal;
mod ready;
mod resume;
mod unjudged;

pub(crate) use bench::{Bench, Round, Shown};
pub(crate) use fuzz_run::FuzzRun;
pub(crate) use judging::{Work, on_target, reach};
pub(crate) use proposal::Proposal;
pub(crate) use ready::shut_down;
pub(crate) use resume::Resumed;
