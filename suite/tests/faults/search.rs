//! Runs one property against one target until it finds something.

use std::{sync::Arc, time::Duration};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties::Property,
    run::{CaseOutcome, ConfirmedFinding, Event, Interrupt, RunOptions, Session, ShrinkOptions, Stop, new_run_id},
};
use tokio::sync::mpsc;

use crate::{clock, settings::release};

/// A fault must be found within this many cases of a property.
pub(crate) const CASES: u64 = 2_000;

/// How the scenario of a finding is made smaller. Trials share the cores, so the number of executions must end it, not
/// the time.
pub(crate) fn shrinking(property: &Property) -> ShrinkOptions {
    let one_by_one = ShrinkOptions { batch: 1, time: Duration::from_secs(600), ..ShrinkOptions::default() };
    if !clock::is_real(property.needs) {
        return one_by_one;
    }
    // On the clock of the machine four candidates wait side by side. At most one of them is kept, so more are allowed.
    ShrinkOptions { batch: 4, executions: one_by_one.executions * 2, ..one_by_one }
}

/// It stays as it was found.
pub(crate) fn unshrunk() -> ShrinkOptions {
    ShrinkOptions { executions: 0, ..ShrinkOptions::default() }
}

/// Which cases of a property are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cases {
    /// All, in the order of a run: the hand-made ones first.
    All,
    /// Only the random ones.
    Random,
}

/// What a run found first.
#[derive(Debug)]
pub(crate) struct First {
    /// The finding.
    pub(crate) finding: ConfirmedFinding,
    /// Cases until then.
    pub(crate) cases: u64,
}

/// Opens a session with a server with a fault, which waits so long for what such a server may never do.
pub(crate) async fn open(target: &Target, patience: Duration) -> Result<Session, String> {
    session(target, ExecutorOptions { patience, ..ExecutorOptions::of_run(new_run_id()) }).await
}

/// Opens a session with a correct server, which does everything in the end: as patient as a run, however busy the
/// machine is.
pub(crate) async fn open_correct(target: &Target) -> Result<Session, String> {
    session(target, ExecutorOptions::of_run(new_run_id())).await
}

async fn session(target: &Target, options: ExecutorOptions) -> Result<Session, String> {
    Session::open(Executor::new(Arc::clone(&target.transport), options)).await.map_err(|error| error.to_string())
}

/// Runs a property until its first finding that counts; `None` if there is none in this number of cases.
pub(crate) async fn search(
    session: &Session,
    property: &'static Property,
    which: Cases,
    seed: u64,
    cases: u64,
    shrink: ShrinkOptions,
    counts: fn(&ConfirmedFinding) -> bool,
) -> Result<Option<First>, String> {
    if let Some(lack) = session.missing(property) {
        return Err(format!("{} is skipped, because the target lacks {lack}", property.id));
    }
    let skipped = if which == Cases::Random { property.edges.len() as u64 } else { 0 };
    let options = RunOptions {
        release: release(),
        seed,
        shrink,
        finished: (0..skipped).map(|index| ((property.id, index), 1)).collect(),
        ..RunOptions::new([property], cases + skipped)
    };
    let (stop, interrupt) = Interrupt::new();
    let (sender, mut events) = mpsc::unbounded_channel();
    let running = session.run(options, sender, interrupt);
    let watching = async {
        let mut tried = 0;
        let mut error = None;
        while let Some(event) = events.recv().await {
            match event {
                Event::Case(report) => {
                    tried += u64::from(report.cases);
                    if let CaseOutcome::Error(text) = report.outcome {
                        error = Some(text);
                    }
                }
                Event::Found(finding) if counts(&finding) => {
                    let _ = stop.send(true);
                    return (tried, Some(*finding), error);
                }
                _ => {}
            }
        }
        (tried, None, error)
    };
    let (summary, (tried, finding, error)) = tokio::join!(running, watching);
    if let Some(finding) = finding {
        return Ok(Some(First { finding, cases: tried }));
    }
    match (summary.stop, error) {
        (Stop::TargetLost(error), _) => Err(format!("{}: the target stopped responding: {error}", property.id)),
        (Stop::Broken(panic), _) => Err(format!("crdible itself failed: {panic}")),
        (_, Some(error)) => Err(format!("{}: {error}", property.id)),
        (_, None) if tried < cases => Err(format!("{}: only {tried} cases of {cases} were run", property.id)),
        (_, None) => Ok(None),
    }
}
