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
    investigate::suspected,
};
use crate::{connection::patiently, execute::Freshness};

/// How many attempts beside other work show that a request waits in vain, the first one included. Each is a wait, so
/// they wait together. One more follows when all cases are done: what costs the target much computing waits for other
/// requests like it, so beside them it may get no answer in time, although one that costs little is answered at once.
const WAITS: u32 = 3;
/// How many in a row show the same of connections that end. They cost nothing, and a bad network ends connections, too:
/// at one moment perhaps all of them.
const ENDS: u32 = 6;
/// At most this many scenarios of a source in which a request got no answer are run again.
const TRIES: u32 = 2;

/// Runs a case again, in which a request got no answer: its smallest part that shows that, on fresh definitions, with
/// full time limits. The finding if the same request gets no answer each time, with the exchanges of the last attempt: a
/// bad network leaves requests without an answer, too, but not the same one each time. If the request waits, `suspects`
/// is called before the last attempt, which comes when all cases are done.
pub(super) async fn confirm_silence<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    source: ScenarioSource,
    case: &Case,
    failed: &FailedCheck,
    waits: bool,
    suspects: impl Fn(),
) -> Option<ConfirmedFinding> {
    let attempts = if waits { WAITS + 1 } else { ENDS };
    let mut executions = 0;
    for scenario in candidates(&**examiner, &case.scenario, failed) {
        let trial = Trial::new(source.id(), &scenario).on(Freshness::Fresh).recorded();
        // The first of them shows which request it is: a server may have ceased to answer while the case was running.
        let mut step = None;
        let mut is_silent = |attempt: &Attempt<E::Error>| {
            let Some(silenced) = &attempt.silenced else { return false };
            silenced.failure.signature == failed.failure.signature
                && *step.get_or_insert(silenced.step) == silenced.step
        };
        let mut again = Vec::new();
        let _beside_others = access.beside_others().await;
        if waits {
            // A server that is slow for this kind of request alone has all the time that the user gives it.
            again = patiently(join_all((1..WAITS).map(|_| examine(&**examiner, trial)))).await;
            if again.iter().all(&mut is_silent) {
                suspects();
                access.until_calm().await;
                again.push(patiently(examine(&**examiner, trial)).await);
            }
        } else {
            while again.len() + 1 < attempts as usize && again.iter().all(&mut is_silent) {
                again.push(examine(&**examiner, trial).await);
            }
        }
        executions += again.len();
        if !again.iter().all(&mut is_silent) {
            continue;
        }
        let Some(Attempt { silenced: Some(last), records, .. }) = again.into_iter().next_back() else { continue };
        let suspected = suspected(source, case, *last);
        let accepted = usize::from(scenario != case.scenario);
        let shrinking = Shrinking { executions, accepted, ..suspected.shrinking };
        return Some(ConfirmedFinding { scenario, records, attempts, reproduced: attempts, shrinking, ..suspected });
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
    pub(super) seen: Mutex<Seen>,
    /// How many are being run again, or wait for their turn.
    pub(super) open: AtomicU32,
}

/// What running them again has shown so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// How often there was an answer.
    answered: u32,
    /// The failure of the one in which there was none, each time.
    pub(super) confirmed: Option<Signature>,
}

impl Seen {
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
