//! The command `crdible`.

mod app;
mod commands;
mod error;
mod exit_codes;
mod files;
mod flags;
mod output;
mod runs;
mod signals;

use std::process::ExitCode;

/// An in-process run spent two fifths of its time in the system's allocator: bodies are trees of small strings.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    app::main()
}
