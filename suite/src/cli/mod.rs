//! The command line.

mod amount;
mod arguments;
mod compare;
mod completions;
mod doctor;
mod explain;
mod failure;
mod list;
mod output;
mod profile;
mod progress;
mod replay;
mod run;
mod scribe;
mod selection;
mod serve;
mod signals;
mod told;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use crdible_reports::ExitCode as Code;

use failure::CliError;

/// Does a server that claims to serve Kubernetes CustomResourceDefinitions really do so?
///
/// crdible generates schemas, objects, updates and version lists, sends them over HTTP, and checks what must hold whatever
/// the values are. With no target at all it runs against the server that it brings along.
#[derive(Debug, Parser)]
#[command(name = "crdible", version, after_help = EXIT_CODES, propagate_version = true)]
struct Cli {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

const EXIT_CODES: &str = "\
Exit codes: 0 conformant, reproduced, or nothing to say · 1 nonconformant, or not reproduced · 2 wrong flag or file ·
3 the target cannot be used · 4 incomplete · 130 interrupted";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a server: run the properties against it and print the verdict
    #[command(after_help = RUN_CODES)]
    Run(Box<run::RunArgs>),
    /// List the properties, or what of the specification they cover
    #[command(after_help = LIST_CODES)]
    List(list::ListArgs),
    /// Tell what a requirement demands, where it comes from, and what checks it
    #[command(after_help = EXPLAIN_CODES)]
    Explain(explain::ExplainArgs),
    /// Run one counterexample again
    #[command(after_help = REPLAY_CODES)]
    Replay(Box<replay::ReplayArgs>),
    /// Send the same scenarios to two servers and tell where their answers differ
    #[command(after_help = COMPARE_CODES)]
    Compare(Box<compare::CompareArgs>),
    /// Serve an API server for CustomResourceDefinitions, in memory and with no cluster, to kubectl and any other client
    ///
    /// It prints its URL when it is ready, and serves until Ctrl-C. What it keeps goes with it.
    #[command(after_help = SERVE_CODES)]
    Serve(serve::ServeArgs),
    /// Look at a target: what it is, what it can do, what earlier runs left there
    #[command(after_help = DOCTOR_CODES)]
    Doctor(Box<doctor::DoctorArgs>),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_CODES)]
    Completions(completions::CompletionsArgs),
}

const RUN_CODES: &str = "\
Exit codes: 0 conformant, also if only known failures came · 1 nonconformant · 2 wrong flag or file · 3 the target cannot be
used · 4 incomplete: too few cases were judged, or some ended in an error · 130 interrupted; what the run made was removed";
const LIST_CODES: &str = "Exit codes: 0 listed · 2 wrong flag, or a pattern that fits nothing";
const EXPLAIN_CODES: &str = "Exit codes: 0 explained · 2 nothing has this ID";
const REPLAY_CODES: &str = "\
Exit codes: 0 reproduced · 1 not reproduced · 2 wrong flag or file · 3 the target cannot be used · 4 the counterexample says
nothing here · 130 interrupted; what was made was removed";
const COMPARE_CODES: &str = "\
Exit codes: 0 alike · 1 different · 2 wrong flag or file · 3 a target cannot be used · 4 incomplete: nothing was compared, some
scenarios ended in an error, or a target lacks what some properties need · 130 interrupted; what was made was removed";
const SERVE_CODES: &str = "\
Example:
  crdible serve --kubeconfig crdible.kubeconfig --load my-definitions/
  export KUBECONFIG=$PWD/crdible.kubeconfig    # in another shell
  kubectl get crds

Exit codes: 0 ended by Ctrl-C or SIGTERM · 2 wrong flag or file, or an address that cannot be had";
const DOCTOR_CODES: &str = "\
Exit codes: 0 the target can be used · 2 wrong flag or file · 3 it cannot be used · 4 remains of a live run, or some that would
not go · 130 interrupted";
const COMPLETIONS_CODES: &str = "Exit codes: 0 printed · 2 no such shell";

/// Parses the command line, runs the command, and says how it went.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Code::USAGE } else { Code::CONFORMANT });
        }
    };
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    match dispatch(cli.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::complain(&error);
            ExitCode::from(error.code())
        }
    }
}

fn dispatch(command: Command) -> Result<u8, CliError> {
    match command {
        Command::List(arguments) => list::list(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Completions(arguments) => Ok(completions::completions(&arguments, &mut Cli::command())),
        Command::Run(arguments) => runtime()?.block_on(run::run(&arguments)),
        Command::Replay(arguments) => runtime()?.block_on(replay::replay(&arguments)),
        Command::Compare(arguments) => runtime()?.block_on(compare::compare(&arguments)),
        Command::Serve(arguments) => runtime()?.block_on(serve::serve(&arguments)),
        Command::Doctor(arguments) => runtime()?.block_on(doctor::doctor(&arguments)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    crate::target::install_crypto();
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CliError::Runtime)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
