//! The commands and their help.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use crdible_reports::ExitCode as Code;

use crate::{
    commands::{check_webhook, compare, completions, doctor, explain, fuzz, list, replay, report, rules, run, serve},
    error::CliError,
    exit_codes,
    flags::ReplayArgs,
    output,
};

/// Tests whether a server implements Kubernetes CustomResourceDefinitions correctly
///
/// crdible generates schemas, objects, updates and version lists, sends them over HTTP, and checks properties that must
/// hold for all values. Without a target it tests its own embedded server.
#[derive(Debug, Parser)]
#[command(name = "crdible", version, after_help = exit_codes::table(exit_codes::ALL), propagate_version = true)]
struct Cli {
    /// When to use colors
    #[arg(
        long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto,
        help_heading = "Output"
    )]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Test a server: run the properties against it and report the verdict
    #[command(after_help = exit_codes::table(exit_codes::RUN))]
    Run(Box<run::RunArgs>),
    /// Keep looking: run cases that learn from earlier ones, until the time is over
    ///
    /// Choices that reached something new are kept in a folder, changed and crossed, in this run and in later ones.
    #[command(after_help = exit_codes::table(exit_codes::FUZZ))]
    Fuzz(Box<fuzz::FuzzArgs>),
    /// List the properties, or how much of the specification they cover
    #[command(after_help = exit_codes::table(exit_codes::LIST))]
    List(list::ListArgs),
    /// Show the text and source of a requirement, and the properties that check it; or what a counterexample shows
    ///
    /// Of the file of a counterexample it shows what was promised, what is sent, what came instead, and what the CEL
    /// rules of its definitions say about its objects: the rule, the value, and which operand decided. It asks no
    /// server.
    #[command(after_help = exit_codes::table(exit_codes::EXPLAIN))]
    Explain(explain::ExplainArgs),
    /// Run counterexamples again: is the failure still there?
    #[command(after_help = exit_codes::table(exit_codes::REPLAY))]
    Replay(Box<ReplayArgs>),
    /// Send the same scenarios to two servers and report where their answers differ
    #[command(after_help = exit_codes::table(exit_codes::COMPARE))]
    Compare(Box<compare::CompareArgs>),
    /// Test a conversion webhook without an API server: whether it answers rightly, and loses nothing
    #[command(after_help = format!("{}\n\n{}", check_webhook::EXAMPLE, exit_codes::table(exit_codes::CHECK_WEBHOOK)))]
    CheckWebhook(Box<check_webhook::CheckWebhookArgs>),
    /// Check and evaluate the CEL rules (x-kubernetes-validations) of a definition, without any server
    ///
    /// Says what is wrong with each rule, what it can cost and which bound makes it cheaper; which rules refuse an
    /// object, and which operand decided; and what differs between releases of Kubernetes.
    #[command(after_help = format!("{}\n\n{}", rules::EXAMPLES, exit_codes::table(exit_codes::RULES)))]
    Rules(rules::RulesArgs),
    /// Show a run in other formats, several runs side by side, or what changed between two
    Report(report::ReportArgs),
    /// Start the embedded API server for CustomResourceDefinitions: in memory,
    /// without a cluster, for kubectl and any other client
    ///
    /// It prints its URL when it is ready, and serves until Ctrl-C. All data is then lost.
    #[command(after_help = format!("{}\n\n{}", serve::EXAMPLE, exit_codes::table(exit_codes::SERVE)))]
    Serve(serve::ServeArgs),
    /// Examine a target: its version, its features, and what earlier runs left on it
    #[command(after_help = exit_codes::table(exit_codes::DOCTOR))]
    Doctor(Box<doctor::DoctorArgs>),
    /// Print a completion script for a shell
    #[command(after_help = exit_codes::table(exit_codes::COMPLETIONS))]
    Completions(completions::CompletionsArgs),
}

/// Parses the command line and runs the command. Returns its exit code.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let printed = error.print();
            if error.use_stderr() {
                return ExitCode::from(Code::USAGE);
            }
            output::keep_if_lost(printed);
            return ExitCode::from(ended(Ok(Code::SUCCESS)));
        }
    };
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    ExitCode::from(ended(dispatch(cli.command)))
}

/// The exit code of a command. What it could not write is an error, too.
fn ended(outcome: Result<u8, CliError>) -> u8 {
    match outcome.and_then(|code| output::unwritten().map_or(Ok(code), Err)) {
        Ok(code) => code,
        Err(error) => {
            output::error(&error);
            error.code()
        }
    }
}

fn dispatch(command: Command) -> Result<u8, CliError> {
    match command {
        Command::List(arguments) => list::list(&arguments),
        Command::Explain(arguments) => runtime()?.block_on(explain::explain(&arguments)),
        Command::Rules(arguments) => rules::rules(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Completions(arguments) => Ok(completions::completions(&arguments, &mut Cli::command())),
        Command::Run(arguments) => runtime()?.block_on(run::run(&arguments)),
        Command::Fuzz(arguments) => runtime()?.block_on(fuzz::fuzz(&arguments)),
        Command::Replay(arguments) => runtime()?.block_on(replay::replay(&arguments)),
        Command::Compare(arguments) => runtime()?.block_on(compare::compare(&arguments)),
        Command::CheckWebhook(arguments) => runtime()?.block_on(check_webhook::check_webhook(&arguments)),
        Command::Serve(arguments) => runtime()?.block_on(serve::serve(&arguments)),
        Command::Doctor(arguments) => runtime()?.block_on(doctor::doctor(&arguments)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
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
