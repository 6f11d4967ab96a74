//! `crdible compare`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use crdible_reports::{ExitCode as Code, KnownFailures, render::curl::quoted};
use tokio::sync::mpsc;

use super::{
    amount::AmountArgs,
    failure::CliError,
    output,
    profile::Profile,
    progress::Progress,
    run::{CLAIMED_RELEASE, Form, known_failures, tell_left},
    selection,
    signals::Signals,
    told,
};
use crate::{
    compare::{Comparison, FoundDifference, PairSession, Side, Verdict},
    execute::{ExecutorOptions, Freshness},
    explore,
    properties::Property,
    run::{Attempt, Counterexample, Event, Examiner, Finding, Interrupt, Opening, Outcome, RunOptions, new_run_id},
    target::{self, Kind, Obedience, Obedient, Target, TargetOptions, redact},
};

/// What to compare.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// The first target: a URL, the path of a kubeconfig, or `embedded`
    #[arg(value_name = "A")]
    first: String,
    /// The second one, which is told of as the one that differs
    #[arg(value_name = "B")]
    second: String,
    #[command(flatten)]
    amount: AmountArgs,
    /// Only scenarios of properties whose ID fits (`*` and `?` stand for other characters); `explore-*` are sequences of requests
    /// of which no property demands anything
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What")]
    property: Vec<String>,
    /// Only scenarios of properties that assert a requirement or edge that fits
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What")]
    requirement: Vec<String>,
    /// Namespace for namespaced objects
    #[arg(long, value_name = "NAME", default_value = "default", help_heading = "What")]
    namespace: String,
    /// File of known failures of one of the two; what it explains is told apart and is no difference
    #[arg(long, value_name = "FILE", help_heading = "What")]
    known: Option<PathBuf>,
    /// The Kubernetes release at which the known failures must hold
    #[arg(long, value_name = "MINOR", default_value = CLAIMED_RELEASE, help_heading = "What")]
    release: String,
    /// Instead of generated scenarios the one of this file, as an earlier comparison or run wrote it
    #[arg(long, value_name = "FILE", help_heading = "What", conflicts_with_all = ["seed", "cases", "time", "property", "requirement"])]
    replay: Option<PathBuf>,
    /// Where differences go, a file for each; the folder is made when there is one
    #[arg(long, value_name = "FOLDER", default_value = "crdible-failures", help_heading = "Output")]
    failures: PathBuf,
    /// The form of the result
    #[arg(long, value_enum, default_value_t = Form::Human, help_heading = "Output")]
    output: Form,
}

pub(super) async fn compare(arguments: &CompareArgs) -> Result<u8, CliError> {
    let properties =
        selection::select_with(&Profile::everything(), explore::all(), &arguments.property, &arguments.requirement)?;
    let known = known_failures(arguments.known.as_deref())?;
    let replayed = arguments.replay.as_deref().map(read_scenario).transpose()?;
    let words = [&arguments.first, &arguments.second];
    let [first, second] = [target_options(words[0])?, target_options(words[1])?];
    let targets = [target::connect(&first).await?, target::connect(&second).await?];
    targets.iter().for_each(|target| output::keep_secret(target.secrets()));
    let outcome = on(arguments, &targets, &properties, &known, replayed.as_ref()).await;
    for target in targets {
        target.shutdown().await;
    }
    let comparison = outcome?;
    output::result(&match arguments.output {
        Form::Human => told::comparison(&comparison, output::style()),
        Form::Json => serde_json::to_string_pretty(&comparison).unwrap_or_default(),
    });
    Ok(exit_code(&comparison))
}

fn exit_code(comparison: &Comparison) -> u8 {
    match (comparison.stop.as_str(), comparison.verdict) {
        ("interrupted", _) => Code::INTERRUPTED,
        (_, Verdict::Different) => Code::NONCONFORMANT,
        (_, Verdict::Alike) => Code::CONFORMANT,
        ("target-unusable", Verdict::Incomplete) => Code::UNUSABLE,
        (_, Verdict::Incomplete) => Code::INCOMPLETE,
    }
}

/// The target that a word names.
fn target_options(word: &str) -> Result<TargetOptions, CliError> {
    if word == "embedded" {
        return Ok(TargetOptions::default());
    }
    if word.contains("://") {
        return Ok(TargetOptions { server: Some(word.to_owned()), ..TargetOptions::default() });
    }
    if Path::new(word).is_file() {
        return Ok(TargetOptions { kubeconfig: Some(word.into()), ..TargetOptions::default() });
    }
    Err(CliError::Usage(format!(
        "`{word}` is no target: write a URL (http:// or https://), the path of a kubeconfig that exists, or `embedded`"
    )))
}

/// The word as it may be printed.
fn shown(word: &str) -> String {
    if word.contains("://") { redact(word) } else { word.to_owned() }
}

fn read_scenario(path: &Path) -> Result<Counterexample, CliError> {
    let at = |source| CliError::File { what: "read", path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(at)?;
    Counterexample::parse(&text).map_err(|source| CliError::Counterexample { path: path.to_owned(), source })
}

async fn on(
    arguments: &CompareArgs,
    targets: &[Target; 2],
    properties: &[&'static Property],
    known: &KnownFailures,
    replayed: Option<&Counterexample>,
) -> Result<Comparison, CliError> {
    let mut sides = [Side::default(), Side::default()];
    for ((side, target), word) in sides.iter_mut().zip(targets).zip([&arguments.first, &arguments.second]) {
        *side = Side { name: shown(word), version: target::preflight(target).await?.version };
    }
    let embedded = targets.iter().all(|target| target.description.kind == Kind::Embedded);
    let options = arguments.amount.options(properties, embedded);
    let ids = [new_run_id(), new_run_id()];
    let (raise, interrupt) = Interrupt::new();
    watch_for_signals(raise, ids.clone());
    let mut comparison = Comparison::new(options.seed, options.cases, sides);
    let transport = |target: &Target| -> Arc<dyn target::Transport> {
        Arc::new(Obedient::new(Arc::clone(&target.transport), target.description.shown(), Obedience::default()))
    };
    let executor = |run: &String| ExecutorOptions {
        run: run.clone(),
        namespace: arguments.namespace.clone(),
        definitions: options.workers * 4,
        patience: arguments.amount.patience,
    };
    let (transports, executors) = ([0, 1].map(|at| transport(&targets[at])), [0, 1].map(|at| executor(&ids[at])));
    let session = match PairSession::open_unless(transports, executors, interrupt.clone()).await? {
        Opening::Open(session) => session,
        Opening::Interrupted(left) => {
            left.iter().zip(&ids).for_each(|(left, run)| tell_left(left, run));
            "interrupted".clone_into(&mut comparison.stop);
            return Ok(comparison);
        }
    };
    match replayed {
        Some(counterexample) => again(arguments, &session, counterexample, known, &mut comparison, interrupt).await,
        None => generated(arguments, &session, options, known, &mut comparison, interrupt).await,
    }
    session.close().await.iter().zip(&ids).for_each(|(left, run)| tell_left(left, run));
    Ok(comparison)
}

async fn generated(
    arguments: &CompareArgs,
    session: &PairSession,
    options: RunOptions,
    known: &KnownFailures,
    comparison: &mut Comparison,
    interrupt: Interrupt,
) {
    let mut progress = Progress::of(&options);
    let (sender, mut events) = mpsc::unbounded_channel();
    for (capability, side, finding) in session.one_sided() {
        let target = &comparison.targets[side].name;
        output::remark(&format!("only {target} lacks {capability}"));
        if let Some(finding) = finding {
            let _ = sender.send(Event::Lacks { capability, finding: Box::new(finding) });
        }
    }
    let running = session.run(options, sender, interrupt);
    let listening = async {
        while let Some(event) = events.recv().await {
            progress.show(&event);
            let found = comparison.note(&event);
            if let (Some(mut difference), Event::Found(finding) | Event::Lacks { finding, .. }) = (found, &event) {
                difference.explain(known, &arguments.release, today());
                comparison.add(kept(arguments, finding, difference));
            }
        }
    };
    let (summary, ()) = tokio::join!(running, listening);
    progress.finish();
    comparison.end(&summary);
}

/// Compares the one scenario of a file, on fresh definitions.
async fn again(
    arguments: &CompareArgs,
    session: &PairSession,
    counterexample: &Counterexample,
    known: &KnownFailures,
    comparison: &mut Comparison,
    interrupt: Interrupt,
) {
    let attempt = session.pair().attempt(&counterexample.scenario, Freshness::Fresh, true);
    let attempt = tokio::select! {
        attempt = attempt => attempt,
        () = interrupt.raised() => return "interrupted".clone_into(&mut comparison.stop),
    };
    let Attempt { outcome, record, beside, .. } = attempt;
    "finished".clone_into(&mut comparison.stop);
    (comparison.seed, comparison.cases) = (0, 0);
    match outcome {
        Outcome::Pass => comparison.verdict = Verdict::Alike,
        Outcome::Discard(reason) => comparison.errors.push(reason),
        Outcome::Error(error) => comparison.errors.push(error.to_string()),
        Outcome::Fail(failures) => {
            for failure in failures {
                let finding = Finding::of_replay(counterexample, failure, record.clone(), beside.clone());
                let mut difference = FoundDifference::of(&finding, format!("d{}", comparison.differences.len() + 1));
                difference.property.clone_from(&counterexample.property);
                difference.replay = replay_command(arguments, arguments.replay.as_deref().unwrap_or(Path::new("")));
                difference.explain(known, &arguments.release, today());
                comparison.add(difference);
            }
            let is_new = comparison.new_differences().next().is_some();
            comparison.verdict = if is_new { Verdict::Different } else { Verdict::Alike };
        }
    }
}

fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}

/// Writes the scenario of a difference to a file, and says how it is compared again.
fn kept(arguments: &CompareArgs, finding: &Finding, mut difference: FoundDifference) -> FoundDifference {
    let path = arguments.failures.join(format!("compare-{}-{}.json", new_run_id(), difference.id));
    let text = Counterexample::of(finding).to_text();
    let written = std::fs::create_dir_all(&arguments.failures)
        .and_then(|()| std::fs::write(&path, output::without_secrets(&text).as_bytes()));
    match written {
        Ok(()) => {
            difference.replay = replay_command(arguments, &path);
            difference.path = Some(path.display().to_string());
        }
        Err(error) => {
            output::warn(&format!("cannot write the difference {}: {error}", path.display()));
            difference.replay = format!(
                "crdible compare {} {} --property {}",
                quoted(&shown(&arguments.first)),
                quoted(&shown(&arguments.second)),
                finding.property
            );
        }
    }
    difference
}

fn replay_command(arguments: &CompareArgs, path: &Path) -> String {
    let [first, second] = [&arguments.first, &arguments.second].map(|word| quoted(&shown(word)));
    format!("crdible compare {first} {second} --replay {}", quoted(&path.display().to_string()))
}

/// The first signal ends the comparison in order, the second at once.
fn watch_for_signals(raise: tokio::sync::watch::Sender<bool>, runs: [String; 2]) {
    let mut signals = Signals::listen();
    tokio::spawn(async move {
        signals.next().await;
        output::remark("interrupted: removing what was made; interrupt again to leave it there");
        let _ = raise.send(true);
        signals.next().await;
        let [first, second] = runs;
        output::remark(&format!("left as it is; `crdible doctor --clean {first}` and `--clean {second}` remove it"));
        std::process::exit(i32::from(Code::INTERRUPTED));
    });
}
