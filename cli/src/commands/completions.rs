//! `crdible completions`.

use clap::Args;
use clap_complete::Shell;
use crdible_reports::ExitCode as Code;

use crate::output;

/// Which shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArgs, command: &mut clap::Command) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command, "crdible", &mut script);
    output::result(&String::from_utf8_lossy(&script));
    Code::SUCCESS
}
