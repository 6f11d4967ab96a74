//! The command `crdible`.

use std::process::ExitCode;

/// Two fifths of the time of a run in process went into the system's allocator: bodies are trees of small strings.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    crdible::cli::main()
}
