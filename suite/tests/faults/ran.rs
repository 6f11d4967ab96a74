//! A whole run on one server, and its report.

use std::{sync::Arc, time::Duration};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties::{self, Property},
    run::{
        CaseOutcome, Event, Interrupt, JournalLines, ReplayHint, RunOptions, Session, ShrinkOptions, Stop, new_run_id,
        plan,
    },
};
use crdible_reports::{
    KnownFailures, Report, Tally,
    journal::{self, Line},
};
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

use crate::{clock, settings::release, table::applies};

/// Random cases of each property, after the hand-made ones.
const CASES: u64 = 6;

/// How a run of all properties ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) report: Report,
    stop: Stop,
    /// The cases that ended in an error.
    errors: Vec<String>,
}

impl Ran {
    /// Runs every property on a server: first those that need no time, on a clock that is paused; then the others. The
    /// clock of the runtime is paused before and after.
    pub(crate) async fn of(target: &Target) -> Result<Self, String> {
        let options = ExecutorOptions { patience: Duration::from_secs(1), ..ExecutorOptions::of_run(new_run_id()) };
        let executor = Executor::new(Arc::clone(&target.transport), options);
        let session = Session::open(executor).await.map_err(|error| error.to_string())?;
        let (running, paused): (Vec<_>, Vec<_>) = selected().partition(|property| clock::is_real(property.needs));
        let mut tally = Tally::new(header());
        tally.push(Line::Plan(plan(&run_of(selected()), 1, true, |source| session.missing(source))));
        let mut lines = JournalLines::of_run();
        let (sender, mut events) = mpsc::unbounded_channel();
        for (capability, finding) in session.missing_capabilities() {
            if let Some(finding) = finding {
                let _ = sender.send(Event::MissingCapability { capability, finding: Box::new(finding.clone()) });
            }
        }
        let both = async {
            let first = session.run(run_of(paused), sender.clone(), Interrupt::never()).await;
            tokio::time::resume();
            let second = session.run(run_of(running), sender, Interrupt::never()).await;
            // The next run begins like this one.
            tokio::time::pause();
            let stop = if first.stop == Stop::Finished { second.stop } else { first.stop };
            (stop, second.requests)
        };
        let mut errors = Vec::new();
        let recording = async {
            while let Some(event) = events.recv().await {
                if let Event::Case(case) = &event
                    && let CaseOutcome::Error(error) = &case.outcome
                {
                    errors.push(format!("{} {}: {error}", case.property, case.index));
                }
                lines.line(&event, |_, _| ReplayHint::default()).into_iter().for_each(|line| tally.push(line));
            }
        };
        let ((stop, requests), ()) = tokio::join!(both, recording);
        tally.push(Line::Footer(journal::Footer {
            complete: true,
            stop_reason: crdible::run::stop_reason(&stop),
            verdict: String::new(),
            cases: 0,
            failures: 0,
            errors: 0,
            requests,
            ended: String::new(),
        }));
        let report = tally.report(&KnownFailures::default(), Catalogue::embedded(), jiff::civil::date(2026, 1, 1));
        Ok(Self { report, stop, errors })
    }

    /// Why the run did not simply end when all cases had run.
    pub(crate) fn disturbances(&self) -> Vec<String> {
        let stopped = (self.stop != Stop::Finished).then(|| format!("the run ended otherwise: {:?}", self.stop));
        let errors = self.errors.first().map(|first| format!("{} errors, the first: {first}", self.errors.len()));
        stopped.into_iter().chain(errors).collect()
    }
}

/// The properties that check something.
fn selected() -> impl Iterator<Item = &'static Property> {
    properties::all().filter(|property| applies(property))
}

fn run_of(properties: impl IntoIterator<Item = &'static Property>) -> RunOptions {
    RunOptions {
        release: release(),
        workers: 4,
        shrink: ShrinkOptions { batch: 1, executions: 40, ..ShrinkOptions::default() },
        ..RunOptions::new(properties, CASES)
    }
}

fn header() -> journal::Header {
    serde_json::from_value(serde_json::json!({
        "format": journal::FORMAT,
        "tool": { "name": "crdible", "version": "0" },
        "catalogue": { "digest": "", "requirements": 0 },
        "generator": { "digest": "" },
        "run": { "id": "r", "started": "", "command": "", "seed": 0, "cases": CASES, "workers": 1 },
        "target": { "kind": "embedded", "address": "", "release": release().to_string() },
        "profile": "core",
    }))
    .unwrap_or_else(|error| panic!("the header is in form: {error}"))
}
