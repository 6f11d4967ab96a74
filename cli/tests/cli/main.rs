//! The binary as its users see it: what it prints and where, and with which exit code it ends, against servers good and bad.

#![allow(clippy::unwrap_used)]

mod capabilities;
mod compare;
mod endings;
mod journal;
mod known;
mod lookups;
mod process;
mod replay;
mod report;
mod secrets;
mod serve;
mod servers;
#[path = "../../../suite/tests/connection/support/mod.rs"]
mod target_support;
mod unusable;
mod usage;
