//! A random case that fails like a hand-made one: the checks of hand-made cases often have their own names.

use crdible_journal::Failure;
use crdible_scenario::Property;
use tokio::sync::mpsc;

use super::origin::{AT_ONCE, is_alike};
use crate::run::{ConfirmedFinding, Counterexample, Event, Interrupt, RunOptions, Session};

/// The number of random cases that are run.
pub(super) const CASES: u64 = 300;

/// The counterexample of a random case that fails in the same check for the same reason, or
/// at least breaks the same requirement, shrunk.
pub(super) async fn find(
    session: &Session,
    property: &'static Property,
    counterexample: &Counterexample,
) -> Option<Counterexample> {
    let hand_made = property.edges.len() as u64;
    let options = RunOptions {
        release: counterexample.release,
        finished: (0..hand_made).map(|index| ((property.id, index), 1)).collect(),
        workers: AT_ONCE,
        ..RunOptions::new([property], CASES + hand_made)
    };
    let (stop, interrupt) = Interrupt::new();
    let (sender, mut events) = mpsc::unbounded_channel();
    let looking = async {
        let mut found: Option<(Likeness, Box<ConfirmedFinding>)> = None;
        while let Some(event) = events.recv().await {
            let Event::Found(finding) = event else { continue };
            let likeness = likeness(&finding, &counterexample.failure).filter(|_| finding.tape.is_some());
            if likeness > found.as_ref().map(|(likeness, _)| *likeness) {
                found = likeness.map(|likeness| (likeness, finding));
            }
            if likeness == Some(Likeness::Check) {
                let _ = stop.send(true);
            }
        }
        found.map(|(_, finding)| Counterexample::of(&finding, counterexample.release))
    };
    let (_, found) = tokio::join!(session.run(options, sender, interrupt), looking);
    found
}

/// What two failures have in common; the last is the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Requirement,
    Reason,
    Check,
}

fn likeness(finding: &ConfirmedFinding, failure: &Failure) -> Option<Likeness> {
    let found = finding.failure();
    if is_alike(&found.signature, &failure.signature) {
        return Some(Likeness::Check);
    }
    let breaks_the_same = found.requirements.iter().any(|requirement| failure.requirements.contains(requirement));
    let is_for_the_same_reason = found.signature.reason == failure.signature.reason;
    breaks_the_same.then_some(if is_for_the_same_reason { Likeness::Reason } else { Likeness::Requirement })
}
