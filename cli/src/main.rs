//! The command `crdible`.

mod app;
mod commands;
mod error;
mod exit_codes;
mod explanations;
mod files;
mod flags;
mod output;
mod runs;
mod signals;

use std::process::ExitCode;

/// With the system's allocator an in-process run spent two fifths of its time there: bodies are trees of small strings.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    app::main()
}
