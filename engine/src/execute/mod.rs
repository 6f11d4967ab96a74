//! The executor: runs a scenario against a target and returns the transcript.
//!
//! It generates names for definitions and objects, keeps definitions in a pool, probes until a changed schema is
//! served, sends the steps, removes the names from the answers, and removes what the steps created.
//!
//! From the top: an [`Executor`] runs the steps of a scenario on leases, the definitions that are taken
//! from the pool or created. One module creates, changes and removes definitions. It gives them webhooks
//! (hooks), waits until their schemas are served (prober), and remembers which it created. Below all of
//! them is the sender, which sends and counts requests.

mod avoided;
mod body;
mod changes;
mod clean_up;
mod clock;
mod context;
mod created;
mod definitions;
mod ends;
mod error;
mod execution;
mod executor;
mod hooks;
mod lease;
mod leases;
mod names;
mod options;
mod pool;
mod prepare;
mod prober;
mod published;
mod readiness_probes;
mod removals;
mod sender;
mod sentinel;
mod slot;
mod steps;
mod stored;
mod waits;
mod wire;

pub(crate) use avoided::{Avoided, WatchedBy};
pub use error::{ExecutionError, SilentStep};
pub use execution::{Execution, Freshness, InstalledDefinition, Record};
pub use executor::Executor;
pub use options::ExecutorOptions;
pub(crate) use sentinel::PROPERTY as SENTINEL;
pub use wire::Exchange;
