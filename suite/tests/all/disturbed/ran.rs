//! A run on a server that is reached over HTTP, its report, and what it left behind.

use std::{collections::BTreeSet, net::SocketAddr, time::Duration};

use crdible::{
    connection::{Target, TargetOptions, connect},
    created::CreatedObject,
    execute::ExecutionError,
    properties::{self, Property},
    run::{
        CaseOutcome, Event, Interrupt, JournalLines, Known, Opening, ReplayHint, RunOptions, Selection, Setup, Stop,
        plan, stop_reason,
    },
};
use crdible_reports::{
    KnownFailures, Report, Tally, TargetRelease,
    journal::{self, Line},
};
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

/// How a run is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) seed: u64,
    pub(crate) cases: u64,
    pub(crate) patience: Duration,
    /// Every property whose position has this remainder by this divisor: some of each chapter.
    pub(crate) share: (usize, usize),
    pub(crate) selects: fn(&Property) -> bool,
}

impl Run {
    /// A few cases of a share of the properties.
    pub(crate) fn of(seed: u64, share: (usize, usize)) -> Self {
        Self { seed, cases: 2, patience: Duration::from_secs(30), share, selects: |_| true }
    }

    /// Runs it on the server at this address. `opened` is called before the first case.
    pub(crate) async fn at(self, address: SocketAddr, opened: impl FnOnce()) -> Result<Ran, ExecutionError> {
        // As patient as a run: a busy machine is not what these tests are about.
        let request_timeout = Some(Duration::from_secs(120));
        let server = Some(format!("http://{address}"));
        let options = TargetOptions { server, request_timeout, ..TargetOptions::default() };
        // A run that hangs must not keep the tests from ending.
        let run = async { self.on(&connect(&options).await.unwrap(), KnownFailures::default(), opened).await };
        tokio::time::timeout(DEADLINE, run).await.expect("the run ends")
    }

    /// Runs it on a target of which these failures are known.
    pub(crate) async fn on(
        self,
        target: &Target,
        known: KnownFailures,
        opened: impl FnOnce(),
    ) -> Result<Ran, ExecutionError> {
        let setup = Setup { patience: self.patience, ..Setup::of(target) };
        let session =
            match setup.open(target, Selection::Everything, Interrupt::never()).await.map_err(|error| error.error)? {
                Opening::Open(session) => session,
                Opening::Interrupted(_) => unreachable!("nothing interrupts it"),
            };
        opened();
        let options = RunOptions {
            seed: self.seed,
            workers: setup.workers,
            shrink: setup.shrink(),
            known: Known::at(TargetRelease::new("1.36", None), known.clone()),
            // A run that may take this long does not end because answers become slow, as they do on a busy machine.
            time: Some(DEADLINE),
            ..RunOptions::new(self.properties(), self.cases)
        };
        let mut tally = Tally::new(header(&options));
        tally.push(Line::Plan(plan(&options, 1, false, |source| session.missing(source))));
        let mut lines = JournalLines::of_run();
        let (sender, mut events) = mpsc::unbounded_channel();
        let mut ran = Ran::default();
        for (capability, finding) in session.missing_capabilities() {
            let summary = finding.map(|finding| finding.failure().summary.as_str());
            ran.lacks.insert(format!("{capability}: {}", summary.unwrap_or("follows from another")));
        }
        let running = session.run(options, sender, Interrupt::never());
        let recording = async {
            while let Some(event) = events.recv().await {
                ran.note(&event);
                lines.line(&event, |_, _| ReplayHint::default()).into_iter().for_each(|line| tally.push(line));
            }
        };
        let (summary, ()) = tokio::join!(running, recording);
        ran.left_behind = session.close().await;
        tally.push(Line::Footer(journal::Footer {
            complete: true,
            stop_reason: stop_reason(&summary.stop),
            verdict: String::new(),
            cases: 0,
            failures: 0,
            errors: 0,
            requests: summary.requests,
            ended: String::new(),
        }));
        ran.stop = Some(summary.stop);
        ran.report = Some(tally.report(&known, Catalogue::embedded(), jiff::civil::date(2026, 1, 1)));
        Ok(ran)
    }

    /// The properties that it runs.
    pub(crate) fn properties(self) -> impl Iterator<Item = &'static Property> {
        let (remainder, divisor) = self.share;
        let all = properties::all().enumerate().filter(move |(at, _)| at % divisor == remainder % divisor);
        all.map(|(_, property)| property).filter(move |property| (self.selects)(property))
    }
}

/// No run takes so long, however busy the machine is.
const DEADLINE: Duration = Duration::from_secs(1800);

/// How a run ended.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) report: Option<Report>,
    pub(crate) stop: Option<Stop>,
    /// What the server is said to lack.
    pub(crate) lacks: BTreeSet<String>,
    /// The signatures of failed checks, confirmed or not.
    pub(crate) failures: BTreeSet<String>,
    /// The requirements that confirmed findings name.
    pub(crate) blamed: BTreeSet<String>,
    /// The cases that ended in an error.
    pub(crate) errors: Vec<String>,
    /// The properties of which a case was judged.
    pub(crate) judged: BTreeSet<&'static str>,
    /// The definitions that the run says it left behind.
    pub(crate) left_behind: Vec<CreatedObject>,
}

impl Ran {
    /// The report, after a run in which nothing was blamed on a server that does everything right, of which all that
    /// could be judged was, and which left nothing behind.
    pub(crate) fn acquits(&self) -> &Report {
        assert_eq!(self.failures, BTreeSet::new(), "{self:#?}");
        self.is_complete()
    }

    /// The report, after a run of all cases.
    pub(crate) fn is_complete(&self) -> &Report {
        let report = self.report.as_ref().unwrap();
        assert_eq!(self.stop, Some(Stop::Finished), "{self:#?}");
        assert_eq!(self.lacks, BTreeSet::new(), "{self:#?}");
        assert_eq!(self.left_behind, [], "{self:#?}");
        assert!(!self.judged.is_empty() && !report.properties.is_empty(), "{self:#?}");
        for property in &report.properties {
            let is_told = property.cases > 0 || property.errors > 0 && !property.examples.is_empty();
            assert!(is_told, "{property:?}");
        }
        report
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Case(case) => match &case.outcome {
                CaseOutcome::Pass => drop(self.judged.insert(case.property)),
                CaseOutcome::Fail(signatures) => {
                    self.judged.insert(case.property);
                    self.failures.extend(signatures.iter().map(ToString::to_string));
                }
                CaseOutcome::Error(error) => self.errors.push(format!("{} {}: {error}", case.property, case.index)),
                CaseOutcome::Discard(_) => {}
            },
            Event::Found(finding) => {
                self.failures.insert(finding.signature().to_string());
                if !finding.is_flaky() {
                    self.blamed.extend(finding.failure().requirements.iter().cloned());
                }
            }
            Event::MissingCapability { .. }
            | Event::Note(_)
            | Event::Skipped { .. }
            | Event::Suspected(_)
            | Event::Stopped { .. } => {}
        }
    }
}

fn header(options: &RunOptions) -> journal::Header {
    serde_json::from_value(serde_json::json!({
        "format": journal::FORMAT,
        "tool": { "name": "crdible", "version": "0" },
        "catalogue": { "digest": "", "requirements": 0 },
        "generator": { "digest": "" },
        "run": { "id": "r", "started": "", "command": "", "seed": options.seed, "cases": options.cases, "workers": 1 },
        "target": { "kind": "server", "address": "", "release": "1.36" },
        "profile": "core",
    }))
    .unwrap()
}
