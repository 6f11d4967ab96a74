//! `crdible replay`.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use crdible_reports::{ExitCode as Code, render};

use super::{
    arguments::{TargetArgs, seconds},
    failure::CliError,
    output,
    signals::terminated,
};
use crate::{
    execute::{ExecutionError, Executor, ExecutorOptions},
    run::{Counterexample, Replayed, UNABLE, new_run_id, replay as run_again},
    scenario::Tenancy,
    target::{self, Obedience, Obedient, Target},
};

/// What to run again.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// A counterexample, as `crdible run` writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    target: TargetArgs,
    /// Namespace for namespaced objects
    #[arg(long, value_name = "NAME", default_value = "default")]
    namespace: String,
    /// How long the target may take for anything asynchronous
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    patience: Duration,
}

pub(super) async fn replay(arguments: &ReplayArgs) -> Result<u8, CliError> {
    let at = |source| CliError::File { what: "read", path: arguments.file.clone(), source };
    let text = std::fs::read_to_string(&arguments.file).map_err(at)?;
    let counterexample = Counterexample::parse(&text)
        .map_err(|source| CliError::Counterexample { path: arguments.file.clone(), source })?;
    let target = target::connect(&arguments.target.options()).await?;
    output::keep_secret(target.secrets());
    let outcome = judge(arguments, &target, &counterexample).await;
    target.shutdown().await;
    outcome
}

async fn judge(arguments: &ReplayArgs, target: &Target, counterexample: &Counterexample) -> Result<u8, CliError> {
    target::preflight(target).await?;
    let transport = Obedient::new(Arc::clone(&target.transport), target.description.shown(), Obedience::default());
    let options = ExecutorOptions {
        run: new_run_id(),
        namespace: arguments.namespace.clone(),
        definitions: counterexample.scenario.definitions.len() + 1,
        patience: arguments.patience,
    };
    let mut executor = Executor::new(Arc::new(transport), options);
    let outcome = tokio::select! {
        outcome = run_prepared(&mut executor, counterexample) => Some(outcome),
        () = terminated() => None,
    };
    let left = executor.clean_up().await;
    if !left.is_empty() {
        let run = executor.run();
        output::warn(&format!(
            "{} definitions are still there; `crdible doctor --clean {run}` removes them",
            left.len()
        ));
    }
    let Some(outcome) = outcome else { return Ok(Code::INTERRUPTED) };
    let replayed = outcome?;
    let about = format!("{} ({})", counterexample.signature, counterexample.requirements.join(", "));
    let (text, code) = match replayed {
        Replayed::Reproduced(failure) => {
            let diff = render::diff::diff(&failure.expected, &failure.actual, output::style());
            (format!("reproduced: {}\n{about}\n\n{diff}", failure.summary), Code::CONFORMANT)
        }
        Replayed::Differently(failures) => {
            let told: Vec<&str> = failures.iter().map(|failure| failure.summary.as_str()).collect();
            (format!("not reproduced: it fails, but otherwise: {}\n{about}", told.join("; ")), Code::NONCONFORMANT)
        }
        Replayed::Passed => (format!("not reproduced: all checks hold\n{about}"), Code::NONCONFORMANT),
        Replayed::Inconclusive(reason) if counterexample.signature.ends_with(UNABLE) => {
            (format!("reproduced: {reason}\n{about}"), Code::CONFORMANT)
        }
        Replayed::Inconclusive(reason) => (format!("inconclusive: {reason}\n{about}"), Code::INCOMPLETE),
    };
    output::result(&text);
    Ok(code)
}

/// Runs it on an executor that is prepared if need be: a target that serves no definition can still refuse one wrongly.
async fn run_prepared(executor: &mut Executor, counterexample: &Counterexample) -> Result<Replayed, ExecutionError> {
    if counterexample.scenario.definitions.iter().any(|definition| definition.tenancy != Tenancy::Unborn) {
        match executor.prepare().await {
            Ok(()) => {}
            Err(error @ (ExecutionError::Transport(_) | ExecutionError::Forbidden(_))) => return Err(error),
            Err(error) => return Ok(Replayed::Inconclusive(error.to_string())),
        }
    }
    Ok(run_again(executor, counterexample).await.0)
}
