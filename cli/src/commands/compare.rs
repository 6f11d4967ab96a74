//! `crdible compare`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use crdible_reports::{
    Comparison, KnownFailures, Tally, TargetRelease,
    journal::{Event, Line, Sent},
    render,
    shell::quoted,
};
use crdible_semantics::Release;
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

use crate::{
    error::CliError,
    files::{Recorder, counterexamples, journal, known},
    flags::{AmountArgs, OutputArgs, OutputFormat, ReleaseChoice, WebhookArgs, namespace, selection},
    output::{self, FINDING_OUT, Progress, REMOVING, with_notice},
    signals::{Signals, interrupt_runs},
};
use crdible::{
    compare::{Messages, PairSession},
    connection::{self, Target, TargetOptions, redact},
    created::CreatedObject,
    execute::Freshness,
    run::{
        self, ConfirmedFinding, Counterexample, Event as RunEvent, Examiner as _, Interrupt, JournalLines, Known,
        Opening, OpeningError, ReplayHint, RunOptions, ScenarioSource, Setup, Stop, Summary, Trial, new_run_id,
    },
};

/// What to compare.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The first target: a URL, the path of a kubeconfig, or `embedded`
    #[arg(value_name = "A")]
    first: String,
    /// The second target; differences are described as its deviations from the first
    #[arg(value_name = "B")]
    second: String,
    #[command(flatten)]
    amount: AmountArgs,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Only scenarios of properties whose ID matches (`*` and `?` are wildcards); `explore-*` selects the
    /// explorations, which are request sequences without expectations
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to compare")]
    property: Vec<String>,
    /// Only scenarios of properties that assert a matching requirement or edge
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to compare")]
    requirement: Vec<String>,
    /// Compare the messages of refusals, too; the specification leaves their wording free
    #[arg(long, help_heading = "What to compare")]
    messages: bool,
    /// Namespace for namespaced objects; a few properties also use a second one:
    /// kube-public, or default if this is kube-public
    #[arg(
        long, value_name = "NAME", value_parser = namespace, default_value = "default",
        help_heading = "What to compare"
    )]
    namespace: String,
    /// File of known failures of either target, which are listed separately and not counted
    #[arg(long, value_name = "FILE", help_heading = "What to compare")]
    known: Option<PathBuf>,
    /// The Kubernetes release for which to generate, such as 1.34; auto is
    /// the older one of those that the targets claim
    #[arg(long, value_name = "MINOR|auto", default_value_t, help_heading = "What to compare")]
    release: ReleaseChoice,
    /// Compare only the scenario of this counterexample, written by an earlier comparison or run
    #[arg(
        long, value_name = "FILE", help_heading = "What to compare",
        conflicts_with_all = ["seed", "cases", "time", "property", "requirement"]
    )]
    replay: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) async fn compare(arguments: &CompareArgs) -> Result<u8, CliError> {
    let sources = selection::select_sources(&arguments.property, &arguments.requirement)?;
    let known = known::read(arguments.known.as_deref())?;
    arguments.output.check()?;
    let counterexample = arguments.replay.as_deref().map(counterexamples::read).transpose()?;
    let options = [target_options(&arguments.first)?, target_options(&arguments.second)?];
    let [first, second] = &options;
    let mut targets = [connection::connect(first).await?, connection::connect(second).await?];
    targets.iter().for_each(|target| output::keep_secret(target.secrets()));
    let replayed = counterexample.as_ref().map(|counterexample| counterexample.release);
    let release = release_of(arguments, &targets, replayed.unwrap_or_default()).await?;
    for (target, options) in targets.iter_mut().zip(options).filter(|(target, _)| target.is_embedded()) {
        *target = connection::connect(&TargetOptions { release, ..options }).await?;
    }
    let (sources, _) = selection::promised(sources, release)?;
    let comparison = compare_targets(arguments, release, &targets, sources, &known, counterexample.as_ref()).await;
    for target in targets {
        target.shutdown().await;
    }
    let comparison = comparison?;
    output::result(&match arguments.output.format {
        OutputFormat::Human => render::comparison(&comparison, Catalogue::embedded(), output::style()),
        OutputFormat::Json => render::comparison_json(&comparison),
    });
    Ok(comparison.exit_code())
}

/// The release for which to compare. An embedded server emulates the release of the other target. If both are
/// embedded, it is the named release, or the default.
async fn release_of(
    arguments: &CompareArgs,
    targets: &[Target; 2],
    of_two_embedded: Release,
) -> Result<Release, CliError> {
    let mut releases = BTreeSet::new();
    for target in targets.iter().filter(|target| !target.is_embedded()) {
        let facts = crdible::doctor::preflight(target).await?;
        releases.insert(arguments.release.judged_aloud(&facts).release);
    }
    let Some(&oldest) = releases.first() else { return Ok(arguments.release.emulated_aloud(of_two_embedded)) };
    if let Some(newest) = releases.last().filter(|newest| **newest > oldest) {
        output::warn(&format!(
            "the targets are of Kubernetes {oldest} and {newest}: what changed since {oldest} is a difference, too"
        ));
    }
    Ok(oldest)
}

/// The target that an argument names.
fn target_options(argument: &str) -> Result<TargetOptions, CliError> {
    if argument == "embedded" {
        return Ok(TargetOptions::default());
    }
    if argument.contains("://") {
        return Ok(TargetOptions { server: Some(argument.to_owned()), ..TargetOptions::default() });
    }
    if Path::new(argument).is_file() {
        return Ok(TargetOptions { kubeconfig: Some(argument.into()), ..TargetOptions::default() });
    }
    Err(CliError::usage(format!(
        "`{argument}` is not a target: pass a URL (http:// or https://), \
         the path of an existing kubeconfig, or `embedded`"
    )))
}

/// The argument without secrets.
fn shown(argument: &str) -> String {
    if argument.contains("://") { redact(argument) } else { argument.to_owned() }
}

async fn compare_targets(
    arguments: &CompareArgs,
    release: Release,
    targets: &[Target; 2],
    sources: Vec<ScenarioSource>,
    known: &KnownFailures,
    counterexample: Option<&Counterexample>,
) -> Result<Comparison, CliError> {
    let mut described = Vec::new();
    for (target, argument) in targets.iter().zip([&arguments.first, &arguments.second]) {
        let facts = crdible::doctor::preflight(target).await?;
        described.push(journal::target(target.description.kind, &shown(argument), &facts, release));
    }
    let [first, second] = targets;
    // Requests over HTTP wait for answers, even if the other target is in process.
    let defaults = arguments.webhooks.setup(Setup::of(if first.is_embedded() { second } else { first }))?;
    let setups = [
        arguments.amount.setup(defaults.clone(), &arguments.namespace),
        arguments.amount.setup(Setup { run: new_run_id(), ..defaults }, &arguments.namespace),
    ];
    let options = match counterexample {
        Some(_) => RunOptions::new(Vec::<ScenarioSource>::new(), 0),
        None => RunOptions {
            release,
            known: Known::at(TargetRelease::of(&described[0]), known.clone()),
            ..arguments.amount.options(sources, &setups[0])?
        },
    };
    let secrets: Vec<_> = targets.iter().map(Target::secrets).collect();
    let second_target = described.pop();
    let described = described.remove(0);
    let header = journal::header(&setups[0].run, "", &options, None, &secrets, (described, second_target));
    let mut recorder =
        Recorder::open(arguments.output.journal.as_deref(), secrets.into_iter().cloned().collect(), header)?;
    let conclude = |tally: &Tally| {
        let comparison = tally.comparison(known, jiff::Zoned::now().date());
        let verdict = comparison.verdict.as_str();
        (comparison, verdict)
    };

    let runs = setups.each_ref().map(|setup| setup.run.clone());
    let interrupt = interrupt_runs(runs.to_vec(), Signals::listen());
    let executors = [setups[0].executor(first), setups[1].executor(second)];
    let warn = |left: [Vec<CreatedObject>; 2]| {
        left.iter().zip(&runs).for_each(|(left, run)| output::warn_left_behind(left, run));
    };
    let messages = if arguments.messages { Messages::Compared } else { Messages::Free };
    let opening = PairSession::open_unless(executors, messages, interrupt.clone());
    let session = match with_notice(FINDING_OUT, opening).await {
        Ok(Opening::Open(session)) => session,
        Ok(Opening::Interrupted(left)) => {
            warn(left);
            return Ok(recorder.close(&Stop::Interrupted, 0, Sent::default(), conclude));
        }
        Err(OpeningError { error, left }) => {
            warn(left);
            return Err(error.into());
        }
    };
    let summary = match counterexample {
        Some(counterexample) => replay(arguments, &session, counterexample, &mut recorder, interrupt).await,
        None => run_generated(arguments, &session, options, &mut recorder, interrupt).await,
    };
    for (left, run) in with_notice(REMOVING, session.close()).await.iter().zip(&runs) {
        for object in left {
            recorder.write(Line::Event(Event::new("left-behind", object.to_string())));
        }
        output::warn_left_behind(left, run);
    }
    Ok(recorder.close(&summary.stop, summary.requests, summary.sent, conclude))
}

async fn run_generated(
    arguments: &CompareArgs,
    session: &PairSession,
    options: RunOptions,
    recorder: &mut Recorder,
    interrupt: Interrupt,
) -> Summary {
    recorder.write(Line::Plan(run::plan(&options, 1, false, |source| session.missing(source))));
    let mut progress = Progress::of(&options);
    let release = options.release;
    let (sender, mut events) = mpsc::unbounded_channel();
    for (capability, target, finding) in session.one_sided() {
        let target = [&arguments.first, &arguments.second][target];
        output::remark(&format!("only {} does not support {capability}", shown(target)));
        if let Some(finding) = finding {
            let _ = sender.send(RunEvent::MissingCapability { capability, finding: Box::new(finding) });
        }
    }
    let running = session.run(options, sender, interrupt);
    let recording = async {
        let mut lines = JournalLines::of_comparison();
        while let Some(event) = progress.next(&mut events).await {
            let line = lines.line(&event, |finding, _| replay_hint(arguments, release, finding));
            line.into_iter().for_each(|line| recorder.write(line));
        }
    };
    let (summary, ()) = tokio::join!(running, recording);
    progress.finish();
    summary
}

/// Compares the scenario of a counterexample, on fresh definitions.
async fn replay(
    arguments: &CompareArgs,
    session: &PairSession,
    counterexample: &Counterexample,
    recorder: &mut Recorder,
    interrupt: Interrupt,
) -> Summary {
    recorder.write(Line::Plan(run::plan_of_replay(counterexample)));
    let property = &counterexample.failure.signature.property;
    let trial = Trial::new(property, &counterexample.scenario).on(Freshness::Fresh).recorded();
    let attempt = tokio::select! {
        attempt = run::examine(&**session.pair(), trial) => Some(attempt),
        () = interrupt.raised() => None,
    };
    let stop = if attempt.is_some() { Stop::Finished } else { Stop::Interrupted };
    if let Some(attempt) = attempt {
        let path = arguments.replay.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let hint = ReplayHint { command: replay_command(arguments, &path), path: Some(path) };
        let lines = JournalLines::of_comparison().replayed(counterexample, attempt, &hint);
        lines.into_iter().for_each(|line| recorder.write(line));
    }
    Summary {
        stop,
        cases: std::collections::BTreeMap::new(),
        requests: session.pair().requests(),
        sent: Sent::default(),
    }
}

/// Writes the scenario of a difference to a file, and returns the command that compares it again.
fn replay_hint(arguments: &CompareArgs, release: Release, finding: &ConfirmedFinding) -> ReplayHint {
    let path = counterexamples::write(&arguments.output.failures, "compare-", finding, release);
    let command = match &path {
        Some(path) => replay_command(arguments, path),
        None => format!("{} --property {}", compare_command(arguments), finding.signature().property),
    };
    ReplayHint { path, command }
}

fn compare_command(arguments: &CompareArgs) -> String {
    let [first, second] = [&arguments.first, &arguments.second].map(|argument| quoted(&shown(argument)));
    let messages = if arguments.messages { " --messages" } else { "" };
    format!("crdible compare {first} {second}{}{messages}", arguments.release.flag())
}

fn replay_command(arguments: &CompareArgs, path: &str) -> String {
    format!("{} --replay {}", compare_command(arguments), quoted(path))
}
