//! A whole run on one server, and its report.

use std::{sync::Arc, time::Duration};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties,
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

use crate::{settings::release, table::applies};

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
    /// Runs every property on a server.
    pub(crate) async fn of(target: &Target) -> Result<Self, String> {
        let options = ExecutorOptions { patience: Duration::from_secs(1), ..ExecutorOptions::of_run(new_run_id()) };
        let executor = Executor::new(Arc::clone(&target.transport), options);
        let session = Session::open(executor).await.map_err(|error| error.to_string())?;
        let run = RunOptions {
            release: release(),
            workers: 4,
            shrink: ShrinkOptions { batch: 1, executions: 40, ..ShrinkOptions::default() },
            ..RunOptions::new(properties::all().filter(|property| applies(property)), CASES)
        };
        let mut tally = Tally::new(header());
        tally.push(Line::Plan(plan(&run, 1, true, |source| session.missing(source))));
        let mut lines = JournalLines::of_run();
        let (sender, mut events) = mpsc::unbounded_channel();
        for (capability, finding) in session.lacks() {
            if let Some(finding) = finding {
                let _ = sender.send(Event::Lacks { capability, finding: Box::new(finding.clone()) });
            }
        }
        let running = session.run(run, sender, Interrupt::never());
        let mut errors = Vec::new();
        let recording = async {
            while let Some(event) = events.recv().await {
                if let Event::Case(case) = &event
                    && let CaseOutcome::Error(error) = &case.outcome
                {
                    errors.push(format!("{} {}: {error}", case.property, case.index));
                }
                tally.push(lines.line(&event, |_, _| ReplayHint::default()));
            }
        };
        let (summary, ()) = tokio::join!(running, recording);
        tally.push(Line::Footer(journal::Footer {
            complete: true,
            stop_reason: crdible::run::stop_reason(&summary.stop),
            verdict: String::new(),
            cases: 0,
            failures: 0,
            errors: 0,
            requests: summary.requests,
            ended: String::new(),
        }));
        let report = tally.report(&KnownFailures::default(), Catalogue::embedded(), jiff::civil::date(2026, 1, 1));
        Ok(Self { report, stop: summary.stop, errors })
    }

    /// Why the run did not simply end when all cases had run.
    pub(crate) fn disturbances(&self) -> Vec<String> {
        let stopped = (self.stop != Stop::Finished).then(|| format!("the run ended otherwise: {:?}", self.stop));
        let errors = self.errors.first().map(|first| format!("{} errors, the first: {first}", self.errors.len()));
        stopped.into_iter().chain(errors).collect()
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
