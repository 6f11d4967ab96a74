//! `cargo test` against a target: one test for each property.
//!
//! A project needs a dev-dependency on `crdible`, an entry in its `Cargo.toml`
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
//! The target is named by environment variables, so that the same tests judge any server:
//!
//! | variable | value |
//! |---|---|
//! | `CRDIBLE_KUBECONFIG`, `CRDIBLE_CONTEXT` | a kubeconfig, and a context of it |
//! | `CRDIBLE_SERVER`, `CRDIBLE_TOKEN`, `CRDIBLE_CA` | a URL, a bearer token, a file of certificates |
//! | `CRDIBLE_LAUNCH` | a command that starts a server |
//! | `CRDIBLE_WEBHOOK_LISTEN`, `CRDIBLE_WEBHOOK_HOST`, `CRDIBLE_WEBHOOK_SERVICE` | how a server elsewhere reaches the conversion webhooks of the tests, as the flags of the command |
//! | `CRDIBLE_CASES`, `CRDIBLE_SEED` | judged cases of each property (50), and the seed (0) |
//! | `CRDIBLE_PROFILE` | which promises are tested: `core` (MUST, the default), `full` (SHOULD and MAY, too) or `quirks` (all) |
//! | `CRDIBLE_REPLAY` | a folder of counterexamples: each is a test that runs before the properties, and fails as long as the failure is there |
//! | `CRDIBLE_KNOWN`, `CRDIBLE_RELEASE` | a file of known failures (or `kube-apiserver` for those of the real one), and the Kubernetes release by which to judge (the one that the server claims) |
//!
//! Without a target the tests run against the embedded server. The flags are those of every Rust test: a filter,
//! `--list`, `--exact`, `--skip`.

mod kept;

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
};

use crdible_journal::{KnownFailures, Signature, TargetRelease, UnusableKnown};
use crdible_semantics::release::{Release, Version};
use crdible_spec::{Catalogue, Level};
use libtest_mimic::{Arguments, Failed, Trial};
use tokio::{runtime::Runtime, sync::mpsc};

use crate::{
    connection::{self, Secret, Target, TargetOptions},
    doctor::Judged,
    profile,
    properties::{self, Property},
    run::{
        CaseOutcome, ConfirmedFinding, Event, Interrupt, Known, Opening, RunOptions, ScenarioSource, Selection,
        Session, Setup, Stop,
    },
    webhook::{Host, WebhookOptions},
};

pub use kept::replay;

/// Runs the tests; see the module's documentation.
pub fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let harness = match Harness::from_environment() {
        Ok(harness) => Arc::new(harness),
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return ExitCode::from(crdible_journal::ExitCode::USAGE);
        }
    };
    let mut trials = match kept::trials(&harness) {
        Ok(trials) => trials,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return ExitCode::from(crdible_journal::ExitCode::USAGE);
        }
    };
    let properties: Vec<&'static Property> =
        properties::all().filter(|property| profile::is_within(property, harness.levels)).collect();
    let selected = properties.iter().copied().filter(|property| is_selected(&arguments, property.id));
    // A list needs no server.
    let covered = if arguments.list { BTreeSet::new() } else { harness.shown_by_another(selected) };
    trials.extend(properties.into_iter().map(|property| {
        let harness = Arc::clone(&harness);
        let trial = Trial::test(property.id, move || harness.test(property)).with_kind("property");
        trial.with_ignored_flag(covered.contains(property.id))
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    harness.close();
    conclusion.exit_code()
}

/// Whether the flags of the tests select a test.
fn is_selected(arguments: &Arguments, name: &str) -> bool {
    let matches = |pattern: &String| if arguments.exact { name == pattern } else { name.contains(pattern.as_str()) };
    arguments.filter.as_ref().is_none_or(matches) && !arguments.skip.iter().any(matches)
}

/// What all tests share: the options, and one session that the first of them opens.
struct Harness {
    runtime: Runtime,
    target: TargetOptions,
    cases: u64,
    seed: u64,
    known: KnownFailures,
    /// The levels of promises that are tested.
    levels: &'static [Level],
    /// `None`: the release that the server claims.
    release: Option<Version>,
    opened: Mutex<Option<Result<Arc<Opened>, String>>>,
}

struct Opened {
    target: Target,
    session: Session,
    setup: Setup,
    release: Release,
    /// What the target says that it is.
    version: Option<String>,
}

impl Opened {
    /// The known failures as they apply to the target.
    fn known(&self, known: &KnownFailures) -> Known {
        let release = TargetRelease::new(&self.release.to_string(), self.version.as_deref());
        Known::at(release, known.clone())
    }
}

impl Harness {
    fn from_environment() -> Result<Self, String> {
        let release = match variable("CRDIBLE_RELEASE").filter(|text| text != "auto") {
            Some(text) => Some(text.parse::<Version>().map_err(|error| format!("CRDIBLE_RELEASE: {error}"))?),
            None => None,
        };
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
                release: release.map(Version::nearest).unwrap_or_default(),
                ..TargetOptions::default()
            },
            cases: number("CRDIBLE_CASES", 50)?,
            seed: number("CRDIBLE_SEED", 0)?,
            levels: levels()?,
            known: known_failures(variable("CRDIBLE_KNOWN").as_deref().map(Path::new))?,
            release,
            opened: Mutex::new(None),
        })
    }

    /// The session, or the error with which opening it failed.
    fn open(&self) -> Result<Arc<Opened>, Failed> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let opened =
            opened.get_or_insert_with(|| self.runtime.block_on(open(&self.target, self.release)).map(Arc::new));
        opened.clone().map_err(Failed::from)
    }

    /// The tests that would fail because the server lacks a capability that the first one of them shows, too.
    fn shown_by_another(&self, selected: impl Iterator<Item = &'static Property>) -> BTreeSet<&'static str> {
        let Ok(opened) = self.open() else { return BTreeSet::new() };
        let mut shown = BTreeSet::new();
        let is_of_another = |property: &&'static Property| {
            let lack = opened.session.missing(*property).filter(|lack| !opened.session.is_excused(*lack));
            lack.is_some_and(|lack| !shown.insert(lack))
        };
        selected.filter(is_of_another).map(|property| property.id).collect()
    }

    fn test(&self, property: &'static Property) -> Result<(), Failed> {
        let opened = self.open()?;
        if let Some(lack) = opened.session.missing(property) {
            if opened.session.is_excused(lack) {
                // It is no fault, so nothing is known of the server.
                return Ok(());
            }
            return Err(Failed::from(format!(
                "the target lacks a capability that this property needs: {lack} (others that need it are ignored)"
            )));
        }
        if !ScenarioSource::from(property).applies_to(opened.release) {
            // Nothing of it is promised at this release.
            return Ok(());
        }
        let known = opened.known(&self.known);
        let options = RunOptions {
            seed: self.seed,
            // Tests run side by side, one for each core, and each of them has its own workers. More than one even where
            // nothing is sent: some scenarios only wait.
            workers: if opened.target.is_embedded() { 4 } else { opened.setup.workers / 2 },
            shrink: opened.setup.shrink(),
            release: opened.release,
            known: known.clone(),
            ..RunOptions::new([property], self.cases)
        };
        let (sender, mut events) = mpsc::unbounded_channel();
        let summary = self.runtime.block_on(opened.session.run(options, sender, Interrupt::never()));
        let mut result = TestResult::default();
        while let Ok(event) = events.try_recv() {
            result.add(event);
        }
        result.findings.retain(|finding| !known.covers(&finding.failure().requirements, finding.signature()));
        result.verdict(&summary.stop, summary.cases.get(property.id).copied().unwrap_or(0), self.seed)
    }

    fn close(&self) {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Ok(opened)) = opened
            && let Ok(Opened { target, session, .. }) = Arc::try_unwrap(opened).map_err(drop)
        {
            self.runtime.block_on(async {
                session.close().await;
                target.shutdown().await;
            });
        }
    }
}

/// The result of running one property.
#[derive(Default)]
struct TestResult {
    findings: Vec<ConfirmedFinding>,
    errors: Vec<String>,
    /// The signatures of failures that have no finding.
    unconfirmed: BTreeSet<Signature>,
}

impl TestResult {
    fn add(&mut self, event: Event) {
        match event {
            // Its signature stays among those that have no finding.
            Event::Found(finding) if finding.is_unconfirmed() => {}
            Event::Found(finding) => {
                self.unconfirmed.remove(finding.signature());
                self.findings.push(*finding);
            }
            Event::Case(report) => match report.outcome {
                CaseOutcome::Error(error) => self.errors.push(error),
                CaseOutcome::Fail(signatures) => {
                    let is_new =
                        |signature: &Signature| self.findings.iter().all(|found| found.signature() != signature);
                    self.unconfirmed.extend(signatures.into_iter().filter(is_new));
                }
                CaseOutcome::Pass | CaseOutcome::Discard(_) => {}
            },
            Event::MissingCapability { .. }
            | Event::Note(_)
            | Event::Skipped { .. }
            | Event::Suspected(_)
            | Event::Stopped { .. } => {}
        }
    }

    fn verdict(&self, stop: &Stop, judged: u64, seed: u64) -> Result<(), Failed> {
        let failed = |text: String| Err(Failed::from(text));
        if let Stop::Broken(panic) = stop {
            return failed(format!("crdible itself failed: {panic}"));
        }
        if !self.findings.is_empty() {
            let texts: Vec<String> = self.findings.iter().map(|finding| describe(finding, seed)).collect();
            return failed(texts.join("\n\n"));
        }
        match stop {
            Stop::TargetLost(error) => return failed(format!("the target stopped responding: {error}")),
            Stop::Broken(_)
            | Stop::Finished
            | Stop::Time
            | Stop::Slow(_)
            | Stop::Failures
            | Stop::Quiet
            | Stop::Interrupted => {}
        }
        if let Some(signature) = self.unconfirmed.first() {
            return failed(format!("a case failed, and the failure could not be confirmed: {signature}"));
        }
        if let Some(error) = self.errors.first() {
            return failed(format!("a case ended in an error: {error}"));
        }
        if judged == 0 {
            return failed("nothing was judged: all cases were discarded".to_owned());
        }
        Ok(())
    }
}

/// Where the target reaches the webhooks of the tests; by default on loopback, for one on this machine.
fn webhooks() -> Result<Option<WebhookOptions>, String> {
    let Some(listen) = variable("CRDIBLE_WEBHOOK_LISTEN") else { return Ok(None) };
    let listen = listen.parse().map_err(|_| format!("CRDIBLE_WEBHOOK_LISTEN is `{listen}`; write ADDRESS:PORT"))?;
    let service = variable("CRDIBLE_WEBHOOK_SERVICE").map(|text| text.parse()).transpose()?;
    Ok(Some(WebhookOptions { listen, host: variable("CRDIBLE_WEBHOOK_HOST"), service, is_expected: true }))
}

async fn open(options: &TargetOptions, release: Option<Version>) -> Result<Opened, String> {
    let target = connection::connect(options).await.map_err(|error| error.to_string())?;
    let facts = crate::doctor::preflight(&target).await.map_err(|error| error.to_string())?;
    let release = Judged::by(release, &facts).release;
    let mut setup = Setup::of(&target);
    if let Some(options) = webhooks()? {
        setup.webhooks = Arc::new(Host::listening(options));
        setup.webhooks.open().map_err(|error| error.to_string())?;
    }
    match setup.open(&target, Selection::Everything, Interrupt::never()).await.map_err(|error| error.to_string())? {
        Opening::Open(session) => Ok(Opened { target, session, setup, release, version: facts.version }),
        Opening::Interrupted(_) => Err("interrupted".to_owned()),
    }
}

fn describe(finding: &ConfirmedFinding, seed: u64) -> String {
    let failure = finding.failure();
    let scenario = serde_json::to_string_pretty(&finding.scenario).unwrap_or_default();
    format!(
        "{} ({})\nexpected: {}\nactual: {}\nsmallest scenario: {scenario}\nreproduce: crdible run --property {} --seed {seed}",
        failure.summary,
        failure.requirements.join(", "),
        failure.expected,
        failure.actual,
        failure.signature.property,
    )
}

/// The levels of promises that `CRDIBLE_PROFILE` selects.
fn levels() -> Result<&'static [Level], String> {
    let name = variable("CRDIBLE_PROFILE").unwrap_or_else(|| profile::CORE.to_owned());
    let known = profile::BUILT_IN.map(|(name, _)| name).join(", ");
    profile::levels(&name).ok_or_else(|| format!("CRDIBLE_PROFILE is `{name}`; it must be one of {known}"))
}

fn known_failures(path: Option<&Path>) -> Result<KnownFailures, String> {
    let Some(path) = path else { return Ok(KnownFailures::default()) };
    KnownFailures::of_place(path, Catalogue::embedded()).map_err(|unusable| match unusable {
        UnusableKnown::File(error) => format!("CRDIBLE_KNOWN: {}: {error}", path.display()),
        UnusableKnown::Entries(_) => unusable.to_string(),
    })
}

/// An environment variable; an empty one is not set.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn number<T: FromStr>(name: &str, default: T) -> Result<T, String> {
    match variable(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("{name} is `{text}`; it must be a whole number")),
    }
}
