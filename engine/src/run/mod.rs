//! A run: which scenarios are executed, by how many workers, for how long, and how failures are investigated.
//!
//! The runner prints nothing and writes no files. It sends events, and the receiver turns them into progress lines,
//! a journal or test results. From the bottom up:
//!
//! | module | |
//! |---|---|
//! | `supply` | which case is run next |
//! | `access`, `attempt` | one scenario, executed and judged; whether the target still answers |
//! | `known`, `finding`, `confirm`, `silence`, `shrink`, `investigate` | from a failed check to a confirmed, smallest failure |
//! | `options`, `limit`, `event`, `order` | what a run does, and what it reports |
//! | `investigations`, `late`, `coverage`, `unseen`, `progress`, `schedule` | the workers, and what they share |
//! | `claims`, `support`, `capabilities`, `subject` | one target: what it does not claim, and its capabilities |
//! | `session`, `setup` | how a target is opened for runs, and closed |
//! | `symptom`, `journal`, `counterexample` | what is written to files |
//! | `replay`, `vary` | counterexamples, run again; what matters in them |

mod access;
mod attempt;
mod capabilities;
mod claims;
mod confirm;
mod counterexample;
mod coverage;
mod event;
mod finding;
mod identity;
mod interrupt;
mod investigate;
mod investigations;
mod journal;
mod known;
mod late;
mod limit;
mod options;
mod order;
mod progress;
mod replay;
mod schedule;
mod session;
mod setup;
mod shrink;
mod silence;
mod subject;
mod supply;
mod support;
mod symptom;
mod unseen;
pub(crate) mod vary;

pub use attempt::{Attempt, AttemptOutcome, Examiner, Trial, examine};
pub use capabilities::UNABLE;
pub use claims::Unclaimed;
pub use counterexample::{Counterexample, CounterexampleError, FORMAT, files_in};
pub use event::{CaseOutcome, CaseReport, Event, Stop, Summary};
pub use finding::{ConfirmedFinding, Shrinking};
pub use identity::{new_run_id, next_seed, random_seed};
pub use interrupt::Interrupt;
pub use journal::{JournalLines, ReplayHint, minimal, plan, plan_of_replay, stop_reason};
pub use known::Known;
pub use limit::FailureLimit;
pub use options::RunOptions;
pub use replay::{Replayed, Replayer, Standing};
pub use schedule::run;
pub use session::{Opening, OpeningError, Selection, Session, Unopened};
pub use setup::Setup;
pub use shrink::ShrinkOptions;
pub use subject::Subject;
pub use supply::Supply;
pub use support::{CapabilityReport, ReportSupport, Support};
pub use vary::{NotVaried, Variations};
