//! `cargo test` against a target: one test for each property.
//!
//! Any project gets this with a dev-dependency on `crdible`, an entry in its `Cargo.toml`
//!
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! and a file `tests/conformance.rs` of three lines:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     crdible::harness::main()
//! }
//! ```
//!
//! The target comes from the environment, so that the same tests judge any server:
//!
//! | variable | |
//! |---|---|
//! | `CRDIBLE_KUBECONFIG`, `CRDIBLE_CONTEXT` | a kubeconfig, and a context of it |
//! | `CRDIBLE_SERVER`, `CRDIBLE_TOKEN`, `CRDIBLE_CA` | a URL, a bearer token, a file of certificates |
//! | `CRDIBLE_LAUNCH` | a command that starts a server |
//! | `CRDIBLE_CASES`, `CRDIBLE_SEED` | how much (50 cases of each property), and which |
//! | `CRDIBLE_KNOWN`, `CRDIBLE_RELEASE` | a file of known failures, and the release that it is read for (1.36) |
//!
//! Without a target the tests run against the embedded server. The flags are those of every Rust test: a filter, `--list`,
//! `--exact`, `--skip`.

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crdible_reports::KnownFailures;
use crdible_spec::Catalogue;
use libtest_mimic::{Arguments, Failed, Trial};
use tokio::{runtime::Runtime, sync::mpsc};

use crate::{
    execute::ExecutorOptions,
    properties::{self, Property},
    run::{CaseOutcome, Event, ExamineOptions, Finding, Interrupt, Known, RunOptions, Session, Stop, new_run_id},
    target::{self, Kind, Obedience, Obedient, Secret, Target, TargetOptions},
};

/// Runs the tests; see the module's documentation.
pub fn main() -> ExitCode {
    target::install_crypto();
    let arguments = Arguments::from_args();
    let bench = match Bench::from_environment() {
        Ok(bench) => Arc::new(bench),
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return ExitCode::from(crdible_reports::ExitCode::USAGE);
        }
    };
    let trials = properties::all().map(|property| {
        let bench = Arc::clone(&bench);
        Trial::test(property.id, move || bench.test(property)).with_kind("property")
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    bench.close();
    conclusion.exit_code()
}

/// What all tests share: one session, opened by the first of them.
struct Bench {
    runtime: Runtime,
    target: TargetOptions,
    cases: u64,
    seed: u64,
    known: Known,
    open: Mutex<Option<Result<Arc<Open>, String>>>,
}

struct Open {
    target: Target,
    session: Session,
    workers: usize,
    batch: usize,
}

impl Bench {
    fn from_environment() -> Result<Self, String> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
        Ok(Self {
            runtime,
            target: TargetOptions {
                server: variable("CRDIBLE_SERVER"),
                token: variable("CRDIBLE_TOKEN").map(Secret::from),
                ca: variable("CRDIBLE_CA").map(PathBuf::from),
                kubeconfig: variable("CRDIBLE_KUBECONFIG").map(PathBuf::from),
                context: variable("CRDIBLE_CONTEXT"),
                launch: variable("CRDIBLE_LAUNCH"),
                ..TargetOptions::default()
            },
            cases: number("CRDIBLE_CASES", 50)?,
            seed: number("CRDIBLE_SEED", 0)?,
            known: Known::at(
                variable("CRDIBLE_RELEASE").as_deref().unwrap_or("1.36"),
                known(variable("CRDIBLE_KNOWN").as_deref().map(Path::new))?,
            ),
            open: Mutex::new(None),
        })
    }

    /// The session; the same error for every test if it cannot be opened.
    fn open(&self) -> Result<Arc<Open>, Failed> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = open.get_or_insert_with(|| self.runtime.block_on(connect(&self.target)).map(Arc::new));
        opened.clone().map_err(Failed::from)
    }

    fn test(&self, property: &'static Property) -> Result<(), Failed> {
        let open = self.open()?;
        if let Some(lack) = open.session.missing(property) {
            return Err(Failed::from(format!("the target lacks what this property needs: {lack}")));
        }
        let options = RunOptions {
            properties: vec![property],
            seed: self.seed,
            cases: self.cases,
            time: None,
            workers: open.workers,
            examine: ExamineOptions { batch: open.batch, ..ExamineOptions::default() },
            known: self.known.clone(),
            finished: BTreeSet::new(),
        };
        let (sender, mut events) = mpsc::unbounded_channel();
        let summary = self.runtime.block_on(open.session.run(options, sender, Interrupt::never()));
        let mut findings = Vec::new();
        let (mut errors, mut failing) = (Vec::new(), std::collections::BTreeSet::new());
        while let Ok(event) = events.try_recv() {
            match event {
                Event::Found(finding) => findings.push(finding),
                Event::Case(report) => match report.outcome {
                    CaseOutcome::Error(error) => errors.push(error),
                    CaseOutcome::Fail(signatures) => failing.extend(signatures),
                    CaseOutcome::Pass | CaseOutcome::Discard(_) => {}
                },
                _ => {}
            }
        }
        for finding in &findings {
            failing.remove(&finding.signature);
        }
        findings.retain(|finding| !self.known.covers(&finding.failure.requirements, &finding.signature));
        if !findings.is_empty() {
            let told: Vec<String> = findings.iter().map(|finding| tell(finding, self.seed)).collect();
            return Err(Failed::from(told.join("\n\n")));
        }
        match summary.stop {
            Stop::TargetLost(error) => return Err(Failed::from(format!("the target stopped answering: {error}"))),
            Stop::Broken(panic) => return Err(Failed::from(format!("crdible itself failed: {panic}"))),
            Stop::Finished | Stop::Time | Stop::Interrupted => {}
        }
        if let Some(signature) = failing.first() {
            return Err(Failed::from(format!("it failed, and could not be looked at again: {signature}")));
        }
        if let Some(error) = errors.first() {
            return Err(Failed::from(format!("a case ended in an error: {error}")));
        }
        let judged = summary.cases.get(property.id).copied().unwrap_or(0);
        if judged == 0 {
            let why = errors.first().map_or("no case of it says anything here", String::as_str);
            return Err(Failed::from(format!("nothing was judged: {why}")));
        }
        Ok(())
    }

    fn close(&self) {
        let opened = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Ok(open)) = opened
            && let Ok(Open { target, session, .. }) = Arc::try_unwrap(open).map_err(drop)
        {
            self.runtime.block_on(async {
                session.close().await;
                target.shutdown().await;
            });
        }
    }
}

async fn connect(options: &TargetOptions) -> Result<Open, String> {
    let target = target::connect(options).await.map_err(|error| error.to_string())?;
    target::preflight(&target).await.map_err(|error| error.to_string())?;
    let embedded = target.description.kind == Kind::Embedded;
    // Tests run side by side, one for each core, and each of them has its own workers.
    let (workers, batch) = if embedded { (1, 1) } else { (8, 8) };
    let transport = Obedient::new(Arc::clone(&target.transport), target.description.shown(), Obedience::default());
    let options = ExecutorOptions {
        run: new_run_id(),
        namespace: "default".to_owned(),
        definitions: 64,
        patience: Duration::from_secs(30),
    };
    let session = Session::open(Arc::new(transport), options).await.map_err(|error| error.to_string())?;
    Ok(Open { target, session, workers, batch })
}

fn tell(finding: &Finding, seed: u64) -> String {
    let scenario = serde_json::to_string_pretty(&finding.scenario).unwrap_or_default();
    format!(
        "{} ({})\nexpected: {}\nactual: {}\nsmallest scenario: {scenario}\nagain: crdible run --property {} --seed {seed}",
        finding.failure.summary,
        finding.failure.requirements.join(", "),
        finding.failure.expected,
        finding.failure.actual,
        finding.property,
    )
}

fn known(path: Option<&Path>) -> Result<KnownFailures, String> {
    let Some(path) = path else { return Ok(KnownFailures::default()) };
    let text = std::fs::read_to_string(path).map_err(|error| format!("CRDIBLE_KNOWN: {}: {error}", path.display()))?;
    KnownFailures::parse(&text, &path.display().to_string(), Catalogue::embedded())
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// An environment variable; an empty one is not set.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn number<T: FromStr>(name: &str, otherwise: T) -> Result<T, String> {
    match variable(name) {
        None => Ok(otherwise),
        Some(text) => text.parse().map_err(|_| format!("{name} is `{text}`, and a number is wanted")),
    }
}
