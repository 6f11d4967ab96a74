//! `crdible replay`.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use crdible_reports::{ExitCode as Code, render};

use crate::{
    arguments::{TargetArgs, seconds},
    check_webhook, counterexamples,
    error::CliError,
    output,
    release::ReleaseChoice,
    signals::terminated,
    webhooks::WebhookArgs,
};
use crdible::{
    connection::{self, Target, TargetOptions},
    run::{Counterexample, Replayed, Setup, UNABLE, replay as run_again},
};

/// What to run again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Counterexample: a file that `crdible run` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    target: TargetArgs,
    /// The Kubernetes release that the embedded server emulates, such as 1.34; auto is the one by which the failure was found
    #[arg(long, value_name = "MINOR|auto", default_value_t)]
    release: ReleaseChoice,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Namespace for namespaced objects
    #[arg(long, value_name = "NAME", default_value = "default")]
    namespace: String,
    /// How long to wait for asynchronous changes, such as a new schema being served
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    patience: Duration,
}

pub(crate) async fn replay(arguments: &ReplayArgs) -> Result<u8, CliError> {
    let counterexample = counterexamples::read(&arguments.file)?;
    let is_of_converter = counterexample.scenario.contract.is_some();
    let release = arguments.release.emulated_aloud(counterexample.release);
    let options = TargetOptions { release, ..arguments.target.options() };
    let target = connection::connect(&options).await?;
    output::keep_secret(target.secrets());
    if is_of_converter && target.is_embedded() {
        return Err(CliError::Usage(
            "the counterexample is about a conversion webhook: pass its URL with --server, or its command with --launch"
                .to_owned(),
        ));
    }
    let outcome = if is_of_converter {
        let replayed = check_webhook::replay(&target, &counterexample).await;
        replayed.map(|replayed| concluded(replayed, &counterexample))
    } else {
        replay_on(arguments, &target, &counterexample).await
    };
    target.shutdown().await;
    outcome
}

async fn replay_on(arguments: &ReplayArgs, target: &Target, counterexample: &Counterexample) -> Result<u8, CliError> {
    crdible::doctor::preflight(target).await?;
    let setup = Setup {
        namespace: arguments.namespace.clone(),
        patience: arguments.patience,
        workers: counterexample.scenario.definitions.len() + 1,
        ..Setup::of(target)
    };
    let setup = arguments.webhooks.setup(setup)?;
    let mut executor = setup.executor(target);
    let outcome = tokio::select! {
        // It listens for signals before anything is created.
        biased;
        () = terminated() => None,
        outcome = run_again(&mut executor, counterexample) => Some(outcome),
    };
    let left = executor.clean_up().await;
    output::warn_left_behind(&left, executor.run());
    let replayed = outcome.transpose()?.map(|(replayed, _)| replayed);
    Ok(concluded(replayed, counterexample))
}

/// Prints the result of a replay, unless it was interrupted. Returns the exit code.
fn concluded(replayed: Option<Replayed>, counterexample: &Counterexample) -> u8 {
    let Some(replayed) = replayed else { return Code::INTERRUPTED };
    let failure = &counterexample.failure;
    let about = format!("{} ({})", failure.signature, failure.requirements.join(", "));
    let (text, code) = match replayed {
        Replayed::Reproduced(failure) => {
            let diff = render::diff::of_failure(&failure, output::style());
            (format!("reproduced: {}\n{about}\n\n{diff}", failure.summary), Code::SUCCESS)
        }
        Replayed::OtherFailures(failures) => {
            let summaries: Vec<&str> = failures.iter().map(|failure| failure.summary.as_str()).collect();
            let text =
                format!("not reproduced, but the counterexample fails differently: {}\n{about}", summaries.join("; "));
            (text, Code::FAILURE)
        }
        Replayed::Passed => (format!("not reproduced: all checks pass\n{about}"), Code::FAILURE),
        Replayed::Inconclusive(reason) if failure.signature.reason == UNABLE => {
            (format!("reproduced: {reason}\n{about}"), Code::SUCCESS)
        }
        Replayed::Inconclusive(reason) => (format!("inconclusive: {reason}\n{about}"), Code::INCOMPLETE),
    };
    output::result(&text);
    code
}
