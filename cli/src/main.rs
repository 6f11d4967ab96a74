//! The command `crdible`.

mod accept;
mod amount;
mod app;
mod arguments;
mod bench;
mod check_webhook;
mod claims;
mod compare;
mod completions;
mod contract;
mod corpus;
mod counterexamples;
mod doctor;
mod error;
mod exit_codes;
mod explain;
mod fuzz;
mod journal;
mod judging;
mod known;
mod list;
mod merge;
mod night;
mod ours;
mod output;
mod profile;
mod progress;
mod proposal;
mod ready;
mod recorder;
mod regressions;
mod release;
mod renderings;
mod replay;
mod report;
mod reproduction;
mod resume;
mod run;
mod selection;
mod serve;
mod shard;
mod signals;
mod soak;
mod unjudged;
mod validate;
mod webhooks;
mod what_matters;

use std::process::ExitCode;

/// An in-process run spent two fifths of its time in the system's allocator: bodies are trees of small strings.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    app::main()
}
