//! Requests that get no answer, although the target answers others at once: whether that is so each time.

use std::sync::{Arc, atomic::AtomicU32};

use crdible_journal::Signature;
use crdible_scenario::{AnyScenario, Case, ScenarioKind as _, ScenarioSource, judge::FailedCheck};
use futures_util::future::join_all;
use tokio::sync::Mutex;

use super::{
    access::Access,
    attempt::{Attempt, Examiner, Trial, examine},
    finding::{ConfirmedFinding, Shrinking},
};
use crate::execute::Freshness;

/// How many attempts in a row, the first one included, show that a request is never answered. Each is a wait.
const WAITS: u32 = 3;
/// The same for connections that end. They cost nothing, and a bad network ends connections, too.
const ENDS: u32 = 6;
/// At most this many scenarios of a source in which a request got no answer are run again.
const TRIES: u32 = 2;

/// Runs a case again, in which a request got no answer: its smallest part that shows that, on fresh definitions beside
/// other work. The finding if there is no answer each time, with the exchanges of the last attempt.
pub(super) async fn confirm_silence<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    source: ScenarioSource,
    case: &Case,
    failed: &FailedCheck,
    waits: bool,
) -> Option<ConfirmedFinding> {
    let _beside_others = access.beside_others().await;
    let attempts = if waits { WAITS } else { ENDS };
    let size = case.recording.as_ref().map_or(0, |recording| recording.tape.size());
    let mut shrinking = Shrinking::not_needed(size);
    for scenario in candidates(&**examiner, &case.scenario, failed) {
        let trial = Trial::new(source.id(), &scenario).on(Freshness::Fresh).recorded();
        let again = join_all((1..attempts).map(|_| examine(&**examiner, trial))).await;
        shrinking.executions += again.len();
        let is_silent = |attempt: &Attempt<E::Error>| {
            let silenced = attempt.silenced.as_ref();
            silenced.is_some_and(|silenced| silenced.failure.signature == failed.failure.signature)
        };
        if !again.iter().all(is_silent) {
            continue;
        }
        let Some(Attempt { silenced: Some(last), records, .. }) = again.into_iter().next_back() else { continue };
        shrinking.accepted = usize::from(scenario != case.scenario);
        return Some(ConfirmedFinding {
            failed: *last,
            promise: source.title(),
            missing_capability: None,
            index: case.index,
            scenario,
            tape: case.recording.as_ref().map(|recording| recording.tape.clone()),
            records,
            attempts,
            reproduced: attempts,
            races: 0,
            needs_history: false,
            shrinking,
        });
    }
    None
}

/// The smallest part of a scenario that may show a failure as well, and the whole.
fn candidates<E: Examiner>(examiner: &E, whole: &AnyScenario, failed: &FailedCheck) -> Vec<AnyScenario> {
    let part = E::Scenario::of(whole).and_then(|scenario| examiner.parts(scenario, failed).into_iter().next());
    let mut candidates: Vec<AnyScenario> = part.map(Into::into).into_iter().chain([whole.clone()]).collect();
    candidates.dedup();
    candidates
}

/// The scenarios of a source in which a request got no answer.
#[derive(Debug, Default)]
pub(super) struct Silences {
    /// Held while one of them is run again: the others wait for what that shows.
    pub(super) standing: Mutex<Standing>,
    /// How many are being run again, or wait for their turn.
    pub(super) open: AtomicU32,
}

/// What running them again has shown so far.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// How often there was an answer.
    answered: u32,
    /// The failure of the one in which there was none, each time.
    pub(super) confirmed: Option<Signature>,
}

impl Standing {
    /// Whether to run one more of them again. A source with some that were answered is only slow.
    pub(super) fn is_open(&self) -> bool {
        self.confirmed.is_none() && self.answered < TRIES
    }

    /// Records what running one again has shown.
    pub(super) fn note(&mut self, finding: Option<&ConfirmedFinding>) {
        match finding {
            Some(finding) => self.confirmed = Some(finding.signature().clone()),
            None => self.answered += 1,
        }
    }
}
