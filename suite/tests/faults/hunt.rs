//! One run of one property against one target, until it finds something.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use crdible::{
    execute::ExecutorOptions,
    properties::Property,
    run::{Event, ExamineOptions, Finding, Interrupt, Known, RunOptions, Session, Stop, new_run_id},
    target::Target,
};
use tokio::sync::mpsc;

/// A fault must be found within so many cases of a property.
pub(crate) const CASES: u64 = 2_000;

/// Which cases of a property are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cases {
    /// All, in the order of a run: the hand-made ones first.
    All,
    /// The random ones alone.
    Random,
}

/// What a run found first.
#[derive(Debug)]
pub(crate) struct Prey {
    /// The finding.
    pub(crate) finding: Finding,
    /// Judged cases until then.
    pub(crate) cases: u64,
}

/// Opens a session with a target; nothing in process is worth waiting for.
pub(crate) async fn open(target: &Target) -> Result<Session, String> {
    let options = ExecutorOptions {
        run: new_run_id(),
        namespace: "default".to_owned(),
        definitions: 64,
        patience: Duration::from_millis(300),
    };
    Session::open(Arc::clone(&target.transport), options).await.map_err(|error| error.to_string())
}

/// Runs a property until its first finding; `None` if there is none in [`CASES`] cases, or in `cases`.
pub(crate) async fn hunt(
    session: &Session,
    property: &'static Property,
    which: Cases,
    seed: u64,
    cases: u64,
) -> Result<Option<Prey>, String> {
    if let Some(lack) = session.missing(property) {
        return Err(format!("{} is left out, since the target lacks {lack}", property.id));
    }
    let skipped = if which == Cases::Random { property.edges.len() as u64 } else { 0 };
    let options = RunOptions {
        properties: vec![property],
        seed,
        cases: cases + skipped,
        time: None,
        workers: 1,
        examine: ExamineOptions { batch: 1, ..ExamineOptions::default() },
        known: Known::default(),
        finished: (0..skipped).map(|index| (property.id, index)).collect::<BTreeSet<_>>(),
    };
    let (stop, interrupt) = Interrupt::new();
    let (sender, mut events) = mpsc::unbounded_channel();
    let running = session.run(options, sender, interrupt);
    let watching = async {
        let mut judged = 0;
        let mut error = None;
        while let Some(event) = events.recv().await {
            match event {
                Event::Case(report) => {
                    judged += u64::from(report.cases);
                    if let crdible::run::CaseOutcome::Error(text) = report.outcome {
                        error = Some(text);
                    }
                }
                Event::Found(finding) => {
                    let _ = stop.send(true);
                    return (judged, Some(*finding), error);
                }
                _ => {}
            }
        }
        (judged, None, error)
    };
    let (summary, (judged, finding, error)) = tokio::join!(running, watching);
    if let Some(finding) = finding {
        return Ok(Some(Prey { finding, cases: judged }));
    }
    match (summary.stop, error) {
        (Stop::TargetLost(error), _) => Err(format!("{}: the target stopped answering: {error}", property.id)),
        (Stop::Broken(panic), _) => Err(format!("crdible itself failed: {panic}")),
        (_, Some(error)) => Err(format!("{}: {error}", property.id)),
        (_, None) if judged < cases => Err(format!("{}: only {judged} cases of {cases} were judged", property.id)),
        (_, None) => Ok(None),
    }
}
