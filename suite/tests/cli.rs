//! The binary as its users see it: what it prints and where, and with which exit code it ends, against servers good and bad.

#![allow(clippy::unwrap_used)]

#[path = "cli/capabilities.rs"]
mod capabilities;
#[path = "cli/compare.rs"]
mod compare;
#[path = "cli/endings.rs"]
mod endings;
#[path = "cli/journal.rs"]
mod journal;
#[path = "cli/known.rs"]
mod known;
#[path = "cli/lookups.rs"]
mod lookups;
#[path = "cli/process.rs"]
mod process;
#[path = "cli/replay.rs"]
mod replay;
#[path = "cli/report.rs"]
mod report;
#[path = "cli/secrets.rs"]
mod secrets;
#[path = "cli/serve.rs"]
mod serve;
#[path = "cli/servers.rs"]
mod servers;
mod target_support;
#[path = "cli/unusable.rs"]
mod unusable;
#[path = "cli/usage.rs"]
mod usage;
