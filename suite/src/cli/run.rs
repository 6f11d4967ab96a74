//! `crdible run`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{Args, ValueEnum};
use crdible_reports::{
    ExitCode as Code, KnownFailures, Report,
    journal::{self, Line},
    redact::Redactor,
    render,
};
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

use super::{
    amount::AmountArgs,
    arguments::{TargetArgs, positive},
    failure::CliError,
    output,
    profile::{CORE, Profile},
    progress::Progress,
    scribe::Scribe,
    selection,
    signals::Signals,
};
use crate::{
    execute::ExecutorOptions,
    properties::Property,
    run::{
        Chronicle, Counterexample, Event, Finding, Interrupt, Known, Opening, RunOptions, Session, Stop,
        generator_digest, new_run_id,
    },
    target::{self, Kind, Obedience, Obedient, Rate, Target},
};

/// What `run` is told.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    amount: AmountArgs,
    /// At most so many requests per second
    #[arg(long, value_name = "NUMBER", value_parser = positive, help_heading = "How much")]
    qps: Option<f64>,
    /// Only properties whose ID fits (`*` and `?` stand for other characters)
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What")]
    property: Vec<String>,
    /// Only properties that assert a requirement or edge that fits, such as PRUNE-004 or DEFAULT-*
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What")]
    requirement: Vec<String>,
    /// What the target claims to be: core, full, quirks, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = CORE, help_heading = "What")]
    profile: String,
    /// The Kubernetes release that the target claims
    #[arg(long, value_name = "MINOR", default_value = CLAIMED_RELEASE, help_heading = "What")]
    release: String,
    /// File of known failures, which are counted apart
    #[arg(long, value_name = "FILE", help_heading = "What")]
    known: Option<PathBuf>,
    /// Namespace for namespaced objects
    #[arg(long, value_name = "NAME", default_value = "default", help_heading = "What")]
    namespace: String,
    /// Write the journal here: one line per finished scenario
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    journal: Option<PathBuf>,
    /// Where counterexamples go, a file for each; the folder is made when there is one
    #[arg(long, value_name = "FOLDER", default_value = "crdible-failures", help_heading = "Output")]
    failures: PathBuf,
    /// The form of the result
    #[arg(long, value_enum, default_value_t = Form::Human, help_heading = "Output")]
    output: Form,
}

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// Text for people.
    Human,
    /// One JSON document.
    Json,
}

/// The only release whose real server the properties were run against.
pub(super) const CLAIMED_RELEASE: &str = "1.36";

/// With fewer judged cases of a property than this nothing is concluded from it, however the run ended; a run that asks for
/// fewer of them is no run of its profile.
const MINIMUM: u64 = 50;

pub(super) async fn run(arguments: &RunArgs) -> Result<u8, CliError> {
    let profile = Profile::find(&arguments.profile)?;
    let properties = selection::select(&profile, &arguments.property, &arguments.requirement)?;
    let known = known_failures(arguments.known.as_deref())?;
    if arguments.release != CLAIMED_RELEASE {
        output::warn(&format!(
            "the properties were checked against Kubernetes {CLAIMED_RELEASE} only; what release {} does differently counts as a failure",
            arguments.release
        ));
    }
    let target = target::connect(&arguments.target.options()).await?;
    output::keep_secret(target.secrets());
    let outcome = judge(arguments, &profile.name, &target, &properties, &known).await;
    target.shutdown().await;
    let (report, interrupted) = outcome?;
    output::result(&match arguments.output {
        Form::Human => render::human(&report, Catalogue::embedded(), output::style()),
        Form::Json => render::json(&report),
    });
    Ok(if interrupted { Code::INTERRUPTED } else { report.exit_code() })
}

/// Reads a file of known failures.
pub(super) fn known_failures(path: Option<&Path>) -> Result<KnownFailures, CliError> {
    let Some(path) = path else { return Ok(KnownFailures::default()) };
    let text = std::fs::read_to_string(path).map_err(|source| CliError::File {
        what: "read",
        path: path.to_owned(),
        source,
    })?;
    KnownFailures::parse(&text, &path.display().to_string(), Catalogue::embedded())
        .map_err(|errors| CliError::Known(errors.iter().map(ToString::to_string).collect()))
}

async fn judge(
    arguments: &RunArgs,
    profile: &str,
    target: &Target,
    properties: &[&'static Property],
    known: &KnownFailures,
) -> Result<(Report, bool), CliError> {
    let facts = target::preflight(target).await?;
    let embedded = target.description.kind == Kind::Embedded;
    let options = arguments.amount.options(properties, embedded);
    let options = RunOptions { known: Known::at(&arguments.release, known.clone()), ..options };
    let run = Planned { id: new_run_id(), options };
    let header = header(arguments, profile, &run, target, &facts);
    let mut scribe = Scribe::open(arguments.journal.as_deref(), target.secrets().clone(), header)?;

    let (raise, interrupt) = Interrupt::new();
    watch_for_signals(raise, run.id.clone());
    let obedience = Obedience { rate: arguments.qps.and_then(Rate::per_second), ..Obedience::default() };
    let transport = Arc::new(Obedient::new(Arc::clone(&target.transport), target.description.shown(), obedience));
    let options = ExecutorOptions {
        run: run.id.clone(),
        namespace: arguments.namespace.clone(),
        definitions: run.options.workers * 4,
        patience: arguments.amount.patience,
    };
    let session = match Session::open_unless(transport, options, interrupt.clone()).await? {
        Opening::Open(session) => session,
        Opening::Interrupted(left) => {
            tell_left(&left, &run.id);
            return Ok((scribe.close(&Stop::Interrupted, known), true));
        }
    };
    scribe.write(Line::Plan(plan(&session, &run.options, arguments)));
    let (sender, mut events) = mpsc::unbounded_channel();
    for (capability, finding) in session.lacks() {
        if let Some(finding) = finding {
            let _ = sender.send(Event::Lacks { capability, finding: Box::new(finding.clone()) });
        }
    }
    let mut progress = Progress::of(&run.options);
    let running = session.run(run.options, sender, interrupt);
    let listening = async {
        let mut chronicle = Chronicle::default();
        while let Some(event) = events.recv().await {
            progress.show(&event);
            let line = chronicle.line(&event, |finding, id| keep_counterexample(arguments, &run.id, finding, id));
            scribe.write(line);
        }
    };
    let (summary, ()) = tokio::join!(running, listening);
    progress.finish();
    let ending = match &summary.stop {
        Stop::TargetLost(error) => Some(("target-lost", error)),
        Stop::Broken(panic) => Some(("crdible-failed", panic)),
        Stop::Finished | Stop::Time | Stop::Interrupted => None,
    };
    if let Some((kind, detail)) = ending {
        scribe.write(Line::Event(journal::Event { kind: kind.to_owned(), detail: detail.clone() }));
    }
    let left = session.close().await;
    for name in &left {
        scribe.write(Line::Event(journal::Event { kind: "left-behind".to_owned(), detail: name.clone() }));
    }
    tell_left(&left, &run.id);
    let report = scribe.close(&summary.stop, known);
    Ok((report, summary.stop == Stop::Interrupted))
}

/// Says how to remove what a run could not.
pub(super) fn tell_left(left: &[String], run: &str) {
    if !left.is_empty() {
        let count = left.len();
        output::warn(&format!("{count} definitions are still there; `crdible doctor --clean {run}` removes them"));
    }
}

/// A run that has not begun: what flags leave open is decided.
struct Planned {
    id: String,
    options: RunOptions,
}

/// The first signal ends the run in order, the second at once.
fn watch_for_signals(raise: tokio::sync::watch::Sender<bool>, run: String) {
    let mut signals = Signals::listen();
    tokio::spawn(async move {
        signals.next().await;
        output::remark("interrupted: removing what the run made; interrupt again to leave it there");
        let _ = raise.send(true);
        signals.next().await;
        output::remark(&format!("left as it is; `crdible doctor --clean {run}` removes it"));
        std::process::exit(i32::from(Code::INTERRUPTED));
    });
}

fn header(
    arguments: &RunArgs,
    profile: &str,
    run: &Planned,
    target: &Target,
    facts: &target::ServerFacts,
) -> journal::Header {
    let catalogue = Catalogue::embedded();
    let command: Vec<String> = std::env::args().collect();
    journal::Header {
        format: journal::FORMAT.to_owned(),
        tool: journal::Tool { name: "crdible".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        catalogue: journal::CatalogueStamp { digest: catalogue.digest(), requirements: catalogue.iter().count() },
        generator: journal::GeneratorStamp { digest: generator_digest() },
        run: journal::Run {
            id: run.id.clone(),
            started: jiff::Timestamp::now().to_string(),
            command: Redactor::new(target.secrets().all()).command(command.iter().map(String::as_str)),
            seed: run.options.seed,
            cases: run.options.cases,
            time_seconds: run.options.time.map(|time| time.as_secs_f64()),
            workers: u32::try_from(run.options.workers).unwrap_or(u32::MAX),
            qps: arguments.qps,
            shard: None,
        },
        target: journal::Target {
            kind: match target.description.kind {
                Kind::Embedded => journal::TargetKind::Embedded,
                Kind::Server => journal::TargetKind::Server,
                Kind::Launched => journal::TargetKind::Launched,
            },
            address: target.description.shown().to_owned(),
            version: facts.version.clone().map(|git_version| journal::ServerVersion {
                git_version,
                platform: facts.platform.clone(),
                ..journal::ServerVersion::default()
            }),
            release: arguments.release.clone(),
        },
        profile: profile.to_owned(),
    }
}

fn plan(session: &Session, options: &RunOptions, arguments: &RunArgs) -> journal::Plan {
    let RunOptions { properties, cases, .. } = options;
    let cases = *cases;
    let (run, left_out): (Vec<&Property>, Vec<&Property>) =
        properties.iter().partition(|property| session.missing(property).is_none());
    let unsupported = left_out.iter().flat_map(|property| {
        let lacks = session.missing(property);
        property.asserts.iter().map(move |reference| journal::LeftOut {
            requirement: (*reference).to_owned(),
            reason: lacks.map_or(String::new(), |lack| format!("the target lacks {lack}")),
        })
    });
    journal::Plan {
        properties: run
            .iter()
            .map(|property| journal::PlannedProperty {
                id: property.id.to_owned(),
                requirements: property.asserts.iter().map(ToString::to_string).collect(),
                cases,
                minimum: cases.min(MINIMUM),
            })
            .collect(),
        profile_complete: arguments.property.is_empty()
            && arguments.requirement.is_empty()
            && left_out.is_empty()
            && cases >= MINIMUM,
        excluded: Vec::new(),
        unsupported: unsupported.collect(),
    }
}

/// Writes the counterexample of a finding to a file. Returns the command that replays it, and the file.
fn keep_counterexample(arguments: &RunArgs, run: &str, finding: &Finding, id: &str) -> (String, Option<String>) {
    let path = arguments.failures.join(format!("{run}-{id}.json"));
    let text = Counterexample::of(finding).to_text();
    let written = std::fs::create_dir_all(&arguments.failures)
        .and_then(|()| std::fs::write(&path, output::without_secrets(&text).as_bytes()));
    let path = path.display().to_string();
    match written {
        Ok(()) => (format!("crdible replay {}{}", render::curl::quoted(&path), arguments.target.flags()), Some(path)),
        Err(error) => {
            output::warn(&format!("cannot write the counterexample {path}: {error}"));
            (format!("crdible run --property {} …", finding.property), None)
        }
    }
}
