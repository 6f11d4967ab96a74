//! Several faults at once: what is told of a server is true of one of its faults, nothing is told over and over, and most of them
//! are told.

use std::{collections::BTreeSet, env, sync::Arc, time::Duration};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties,
    run::{Event, Interrupt, JournalLines, ReplayHint, RunOptions, Session, ShrinkOptions, new_run_id, plan},
};
use crdible_generators::choice::Choices;
use crdible_reports::{
    KnownFailures, Report, Tally,
    journal::{self, Line},
};
use crdible_spec::Catalogue;
use libtest_mimic::Failed;
use tokio::sync::mpsc;

use crate::table::{self, Fault};

/// How many faults a server has at once.
const SIZES: [usize; 3] = [2, 5, 10];
/// Random cases of each property, after the hand-made ones.
const CASES: u64 = 6;

/// How many combinations are drawn.
pub(crate) fn combinations() -> Result<u64, String> {
    match env::var("CRDIBLE_FAULT_COMBINATIONS").ok().filter(|text| !text.is_empty()) {
        None => Ok(6),
        Some(text) => {
            text.parse().map_err(|_| format!("CRDIBLE_FAULT_COMBINATIONS is `{text}`, but it must be a whole number"))
        }
    }
}

/// A server with the faults drawn from this seed is judged rightly: each requirement that a finding names is one that a fault breaks
/// or that a server with this fault alone is found to break; there are at most twice as many entries as faults, and two; and most
/// faults are told.
pub(crate) fn are_told_apart(seed: u64) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let faults = draw(seed);
        let names: Vec<&str> = faults.iter().map(|fault| fault.name).collect();
        let mut alone = Vec::new();
        for fault in &faults {
            let mut broken = items(&report(&fault.start()).await?);
            broken.extend(fault.requirements.iter().map(ToString::to_string));
            alone.push(broken);
        }
        let mut target = faults[0].start();
        for fault in &faults[1..] {
            target = fault.start_over(target);
        }
        let report = report(&target).await?;
        let mut wrong = Vec::new();
        let possible: BTreeSet<&String> = alone.iter().flatten().collect();
        for failure in &report.failures {
            let named: Vec<String> = failure.failure.requirements.iter().map(|reference| item(reference)).collect();
            if !named.iter().any(|named| possible.contains(named)) {
                let (signature, summary) = (&failure.failure.signature, &failure.failure.summary);
                wrong.push(format!("none of the faults breaks {}: {signature}: {summary}", named.join(", ")));
            }
        }
        let most = 2 * faults.len() + 2;
        if report.failures.len() > most {
            let told: Vec<String> = report.failures.iter().map(|told| told.failure.signature.to_string()).collect();
            wrong.push(format!("{} entries, but at most {most} are allowed: {}", told.len(), told.join(" ")));
        }
        let told = items(&report);
        let found = alone.iter().filter(|broken| !broken.is_disjoint(&told)).count();
        if found * 2 < faults.len() {
            wrong.push(format!("only {found} of {} faults are told", faults.len()));
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(Failed::from(format!("{}:\n{}", names.join(", "), wrong.join("\n"))))
        }
    })
}

/// A server that lacks one capability, and nothing else, gets no other finding than that: whatever depends on it is not judged.
pub(crate) fn lack_is_alone(fault: &'static Fault) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(async { report(&fault.start()).await })?;
    let others = report.failures.iter().filter(|entry| !entry.failure.signature.property.starts_with("capability-"));
    let others: Vec<String> =
        others.map(|entry| format!("{}: {}", entry.failure.signature, entry.failure.summary)).collect();
    if others.is_empty() { Ok(()) } else { Err(Failed::from(others.join("\n"))) }
}

/// The faults of a combination. The first may be one of functions; the others change what goes to and comes from the server.
fn draw(seed: u64) -> Vec<&'static Fault> {
    let mut choices = Choices::random(seed);
    let size = SIZES[usize::try_from(seed).unwrap_or(0) % SIZES.len()];
    let (layers, servers): (Vec<_>, Vec<_>) = table::all().partition(|fault| fault.is_layer());
    let mut drawn: Vec<&'static Fault> = vec![*choices.pick(&servers)];
    while drawn.len() < size {
        let fault = *choices.pick(&layers);
        if drawn.iter().all(|other| other.name != fault.name) {
            drawn.push(fault);
        }
    }
    drawn
}

/// The requirements that a report names, without edges.
fn items(report: &Report) -> BTreeSet<String> {
    let references = report.failures.iter().flat_map(|entry| {
        entry.failure.requirements.iter().chain(entry.also.iter().flat_map(|also| &also.requirements))
    });
    references.map(|reference| item(reference)).collect()
}

fn item(reference: &str) -> String {
    reference.split('/').next().unwrap_or_default().to_owned()
}

/// Runs every property on a server, and returns the report.
async fn report(target: &Target) -> Result<Report, String> {
    let options = ExecutorOptions { patience: Duration::from_millis(300), ..ExecutorOptions::of_run(new_run_id()) };
    let executor = Executor::new(Arc::clone(&target.transport), options);
    let session = Session::open(executor).await.map_err(|error| error.to_string())?;
    let run = RunOptions {
        workers: 4,
        shrink: ShrinkOptions { batch: 1, executions: 40, ..ShrinkOptions::default() },
        ..RunOptions::new(properties::all(), CASES)
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
    let recording = async {
        while let Some(event) = events.recv().await {
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
    Ok(tally.report(&KnownFailures::default(), Catalogue::embedded(), jiff::civil::date(2026, 1, 1)))
}

fn header() -> journal::Header {
    serde_json::from_value(serde_json::json!({
        "format": journal::FORMAT,
        "tool": { "name": "crdible", "version": "0" },
        "catalogue": { "digest": "", "requirements": 0 },
        "generator": { "digest": "" },
        "run": { "id": "r", "started": "", "command": "", "seed": 0, "cases": CASES, "workers": 1 },
        "target": { "kind": "embedded", "address": "", "release": "1.36" },
        "profile": "core",
    }))
    .unwrap_or_else(|error| panic!("the header is in form: {error}"))
}
