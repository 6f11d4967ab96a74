//! The command `crdible`.

use std::process::ExitCode;

fn main() -> ExitCode {
    crdible::cli::main()
}
