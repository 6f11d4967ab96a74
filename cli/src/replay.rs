//! `crdible replay`.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use crdible_reports::{
    ExitCode as Code,
    render::{self, quoted},
};

use crate::{
    arguments::{TargetArgs, seconds},
    check_webhook, counterexamples,
    error::CliError,
    output, regressions,
    release::ReleaseChoice,
    reproduction::{Reproduction, ReproductionArgs},
    signals::terminated,
    webhooks::WebhookArgs,
    what_matters,
};
use crdible::{
    connection::{self, Target, TargetOptions},
    execute::Record,
    run::{Counterexample, Replayed, Replayer, Setup, UNABLE},
};

/// What to run again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Counterexamples: files that `crdible run` wrote, or folders of them. Of one file it is told how it fails; of several, or of
    /// a folder, which ones are fixed
    #[arg(value_name = "FILE|FOLDER", required = true, num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// How often to run each of several counterexamples: one that fails only sometimes is flaky
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) times: u32,
    /// Find out what matters: run it again with each part of its definition and objects made anew, and show which parts may be
    /// anything
    #[arg(long)]
    vary: bool,
    #[command(flatten)]
    reproduction: ReproductionArgs,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The Kubernetes release that the embedded server emulates, such as 1.34; auto is the one by which the failure was found
    #[arg(long, value_name = "MINOR|auto", default_value_t)]
    pub(crate) release: ReleaseChoice,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Namespace for namespaced objects; a few properties also use a second one: kube-public, or default if this is kube-public
    #[arg(long, value_name = "NAME", default_value = "default")]
    namespace: String,
    /// How long to wait for asynchronous changes, such as a new schema being served
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    patience: Duration,
}

impl ReplayArgs {
    /// The target, if it is the embedded server as this release.
    pub(crate) fn options(&self, release: crdible_semantics::Release) -> TargetOptions {
        TargetOptions { release: self.release.emulated_aloud(release), ..self.target.options() }
    }

    /// How to use a target, with so many scenarios at once.
    pub(crate) fn setup(&self, target: &Target, workers: impl FnOnce(usize) -> usize) -> Result<Setup, CliError> {
        let usual = Setup::of(target);
        let workers = workers(usual.workers);
        let setup = Setup { namespace: self.namespace.clone(), patience: self.patience, workers, ..usual };
        self.webhooks.setup(setup)
    }
}

pub(crate) async fn replay(arguments: &ReplayArgs) -> Result<u8, CliError> {
    let [path] = arguments.paths.as_slice() else { return several(arguments).await };
    if path.is_dir() {
        return several(arguments).await;
    }
    let counterexample = counterexamples::read(path)?;
    let reproduction = arguments.reproduction.open(path, &counterexample)?;
    if arguments.vary && counterexample.scenario.contract.is_some() {
        return Err(CliError::Usage(
            "--vary is for counterexamples of API servers, not of conversion webhooks".to_owned(),
        ));
    }
    let target = connection::connect(&arguments.options(counterexample.release)).await?;
    output::keep_secret(target.secrets());
    let ended = one(arguments, &target, &counterexample, &reproduction).await;
    target.shutdown().await;
    ended
}

async fn one(
    arguments: &ReplayArgs,
    target: &Target,
    counterexample: &Counterexample,
    reproduction: &Reproduction<'_>,
) -> Result<u8, CliError> {
    let outcome = if counterexample.scenario.contract.is_some() {
        check_webhook::replay(target, counterexample).await
    } else {
        replay_on(arguments, target, counterexample).await
    };
    let Some((replayed, record)) = outcome? else { return Ok(Code::INTERRUPTED) };
    let is_there = matches!(replayed, Replayed::Reproduced(_));
    let code = concluded(replayed, counterexample);
    reproduction.write(&record)?;
    if arguments.vary && is_there && !what_matters::tell(arguments, target, counterexample).await? {
        return Ok(Code::INTERRUPTED);
    }
    Ok(code)
}

async fn several(arguments: &ReplayArgs) -> Result<u8, CliError> {
    arguments.reproduction.refuse_several()?;
    if arguments.vary {
        return Err(CliError::Usage("--vary needs one counterexample, not several".to_owned()));
    }
    regressions::replay(arguments).await
}

/// Runs it once; `None` if it was interrupted.
async fn replay_on(
    arguments: &ReplayArgs,
    target: &Target,
    counterexample: &Counterexample,
) -> Result<Option<(Replayed, Record)>, CliError> {
    crdible::doctor::preflight(target).await?;
    let setup = arguments.setup(target, |_| counterexample.scenario.definitions.len() + 1)?;
    let mut executor = setup.executor(target);
    let run_again = async { Replayer::prepare(&mut executor, [counterexample]).await?.replay(counterexample).await };
    let outcome = tokio::select! {
        // It listens for signals before anything is created.
        biased;
        () = terminated() => None,
        outcome = run_again => Some(outcome),
    };
    let left = executor.clean_up().await;
    output::warn_left_behind(&left, executor.run());
    Ok(outcome.transpose()?)
}

/// Prints the result of a replay. Returns the exit code.
fn concluded(replayed: Replayed, counterexample: &Counterexample) -> u8 {
    let failure = &counterexample.failure;
    let about = quoted(&format!("{} ({})", failure.signature, failure.requirements.join(", ")));
    let (text, code) = match replayed {
        Replayed::Reproduced(failure) => {
            let diff = render::diff::of_failure(&failure, output::style());
            (format!("reproduced: {}\n{about}\n\n{diff}", quoted(&failure.summary)), Code::SUCCESS)
        }
        Replayed::OtherFailures(failures) => {
            let summaries: Vec<_> = failures.iter().map(|failure| quoted(&failure.summary)).collect();
            let text =
                format!("not reproduced, but the counterexample fails differently: {}\n{about}", summaries.join("; "));
            (text, Code::FAILURE)
        }
        Replayed::Passed => (format!("not reproduced: all checks pass\n{about}"), Code::FAILURE),
        Replayed::Inconclusive(reason) if failure.signature.reason == UNABLE => {
            (format!("reproduced: {}\n{about}", quoted(&reason)), Code::SUCCESS)
        }
        Replayed::Inconclusive(reason) => (format!("inconclusive: {}\n{about}", quoted(&reason)), Code::INCOMPLETE),
    };
    output::result(&text);
    code
}
