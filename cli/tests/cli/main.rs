//! The binary as users see it: its output and exit codes, against correct and incorrect servers.

#![allow(clippy::unwrap_used)]

mod blame;
mod capabilities;
mod check_webhook;
mod compare;
mod divided;
mod docs;
mod endings;
mod explanations;
mod fuzz;
mod journal;
mod known;
mod lookups;
mod manifests;
mod process;
mod proposed;
mod published;
mod render;
mod replay;
mod report;
mod rules;
mod runs;
#[path = "../../../suite/tests/shared/sample.rs"]
mod sample;
mod secrets;
mod serve;
mod servers;
mod soak;
#[path = "../../../suite/tests/all/support.rs"]
mod target_support;
mod unusable;
mod usage;
mod validate;
