//! `crdible replay`.

use crdible_reports::{
    ExitCode as Code,
    model::RulesOfFinding,
    render::{self, quoted},
};

use crate::{
    commands::{check_webhook, regressions, what_matters},
    error::CliError,
    explanations::{self, Answers},
    files::{Reproduction, counterexamples},
    flags::ReplayArgs,
    output,
    runs::shut_down,
    signals::terminated,
};
use crdible::{
    connection::{self, Target},
    execute::Record,
    run::{Counterexample, Replayed, Replayer, UNABLE, minimal},
    scenario::{AnyScenario, Scenario},
};

pub(crate) async fn replay(arguments: &ReplayArgs) -> Result<u8, CliError> {
    let [path] = arguments.paths.as_slice() else { return several(arguments).await };
    if path.is_dir() {
        return several(arguments).await;
    }
    let counterexample = counterexamples::read(path)?;
    let reproduction = arguments.reproduction.open(path, &counterexample)?;
    let target = connection::connect(&arguments.options(counterexample.release)).await?;
    output::keep_secret(target.secrets());
    let ended = one(arguments, &target, &counterexample, &reproduction).await;
    shut_down(target).await;
    ended
}

async fn one(
    arguments: &ReplayArgs,
    target: &Target,
    counterexample: &Counterexample,
    reproduction: &Reproduction<'_>,
) -> Result<u8, CliError> {
    let outcome = match &counterexample.scenario {
        AnyScenario::Server(scenario) => replay_on(arguments, target, counterexample, scenario).await,
        AnyScenario::Converter(_) => check_webhook::replay(target, counterexample).await,
    };
    let Some((replayed, record)) = outcome? else { return Ok(Code::INTERRUPTED) };
    let is_there = matches!(replayed, Replayed::Reproduced(_));
    let requests = minimal(&record, &[]).requests;
    let rules = explanations::of_requests(&requests, counterexample.release, Answers::OfTheTarget);
    let code = concluded(replayed, counterexample, &rules);
    reproduction.write(&record)?;
    if arguments.vary && is_there && !what_matters::report(arguments, target, counterexample).await? {
        return Ok(Code::INTERRUPTED);
    }
    Ok(code)
}

async fn several(arguments: &ReplayArgs) -> Result<u8, CliError> {
    arguments.reproduction.refuse_several()?;
    if arguments.vary {
        return Err(CliError::usage("--vary needs one counterexample, not several"));
    }
    regressions::replay(arguments).await
}

/// Runs it once; `None` if it was interrupted.
async fn replay_on(
    arguments: &ReplayArgs,
    target: &Target,
    counterexample: &Counterexample,
    scenario: &Scenario,
) -> Result<Option<(Replayed, Record)>, CliError> {
    crdible::doctor::preflight(target).await?;
    let setup = arguments.setup(target, |_| scenario.definitions.len() + 1)?;
    let mut executor = setup.executor(target);
    let run_again = async { Replayer::prepare(&mut executor, [counterexample]).await?.replay(counterexample).await };
    let outcome = tokio::select! {
        // The signal handler must be ready before anything is created.
        biased;
        () = terminated() => None,
        outcome = run_again => Some(outcome),
    };
    let left = executor.clean_up().await;
    output::warn_left_behind(&left, executor.run());
    Ok(outcome.transpose()?)
}

/// Prints the result of a replay, and, if it fails, what the rules say. Returns the exit code.
fn concluded(replayed: Replayed, counterexample: &Counterexample, rules: &RulesOfFinding) -> u8 {
    let rules = render::rules(rules, output::style());
    let failure = &counterexample.failure;
    let about = quoted(&format!("{} ({})", failure.signature, failure.requirements.join(", ")));
    let (text, code) = match replayed {
        Replayed::Reproduced(failure) => {
            let diff = render::diff::of_failure(&failure, output::style());
            (format!("reproduced: {}\n{about}\n\n{diff}{rules}", quoted(&failure.summary)), Code::SUCCESS)
        }
        Replayed::OtherFailures(failures) => {
            let summaries: Vec<_> = failures.iter().map(|failure| quoted(&failure.summary)).collect();
            let summaries = summaries.join("; ");
            let text =
                format!("not reproduced, but the counterexample fails differently: {summaries}\n{about}\n{rules}");
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
