//! Examines a target: whether it can be used, what it serves and costs, and what runs left on it.
//!
//! [`preflight()`] reports in one sentence why a target cannot be used. [`diagnose`] reads, [`probe()`] writes some
//! definitions and removes them, [`clean()`] removes what killed runs left behind.

mod clean;
mod client;
mod diagnosis;
mod leftovers;
mod preflight;
mod probe;
mod release;

pub use clean::{CleanScope, Cleaned, clean};
pub use diagnosis::{Claim, Diagnosis, diagnose};
pub use leftovers::{Leftovers, check_run_id};
pub use preflight::{PREFLIGHT_LIMIT, ServerFacts, preflight, preflight_within};
pub use probe::{Measure, Measured, Measurement, Probe, Problem, ReportLines, Unremoved, WORKERS, probe};
pub use release::{Judged, unknown_release_remark};
