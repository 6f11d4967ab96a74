//! A session with two targets: opened by trying the capabilities of each, closed by removing what was created on both.

use std::{convert::Infallible, sync::Arc};

use crdible_scenario::{Capability, ScenarioSource};
use tokio::sync::mpsc::UnboundedSender;

use super::{
    normal::Messages,
    pair::{Pair, PairError},
};
use crate::{
    created::CreatedObject,
    execute::{ExecutionError, Executor, Record},
    run::{
        CapabilityReport, ConfirmedFinding, Event, Interrupt, Opening, OpeningError, RunOptions, Selection, Session,
        Summary, Unclaimed, Unopened, run,
    },
};

/// Two targets that are ready to be compared.
#[derive(Debug)]
pub struct PairSession {
    sessions: [Session; 2],
    pair: Arc<Pair>,
}

impl PairSession {
    /// Opens a session with both, unless it is interrupted. A missing capability is not an error; a target that does
    /// not respond is, and then what was created on either is removed as far as it could be. The IDs of the runs must
    /// differ.
    pub async fn open_unless(
        executors: [Executor; 2],
        messages: Messages,
        interrupt: Interrupt,
    ) -> Result<Opening<Self, [Vec<CreatedObject>; 2]>, OpeningError<PairError, [Vec<CreatedObject>; 2]>> {
        let [first, second] = executors;
        let (claims_all, unreported) = (Unclaimed::default(), |_: CapabilityReport<'_>| {});
        let (first, second) = tokio::join!(
            Session::open_unless(first, Selection::Everything, &claims_all, &unreported, interrupt.clone()),
            Session::open_unless(second, Selection::Everything, &claims_all, &unreported, interrupt),
        );
        let (first, second) = match (first, second) {
            (Ok(Opening::Open(first)), Ok(Opening::Open(second))) => (first, second),
            (first, second) => {
                let ((first, first_left), (second, second_left)) = tokio::join!(abandoned(first), abandoned(second));
                let mut errors = [first, second].into_iter().zip([0, 1]);
                let error = errors.find_map(|(error, target)| Some(PairError { target, error: error? }));
                let left = [first_left, second_left];
                return match error {
                    Some(error) => Err(OpeningError { error, left }),
                    None => Ok(Opening::Interrupted(left)),
                };
            }
        };
        // Both must be sent the same requests.
        let [one, other] = [&first, &second].map(|session| session.executor().avoided());
        for session in [&first, &second] {
            session.executor().avoid(one.or(other));
        }
        let pair = Arc::new(Pair::new(Arc::clone(first.executor()), Arc::clone(second.executor()), messages));
        Ok(Opening::Open(Self { sessions: [first, second], pair }))
    }

    /// The examiner of the session.
    pub fn pair(&self) -> &Arc<Pair> {
        &self.pair
    }

    /// The first capability that a source needs and that one of the targets does not support.
    pub fn missing(&self, source: impl Into<ScenarioSource>) -> Option<Capability> {
        let source = source.into();
        self.sessions.iter().find_map(|session| session.missing(source))
    }

    /// The capabilities that only one of the two does not support: each is a difference. The position (0 or 1) is that
    /// of the target that does not support it, and the finding shows the requests to it.
    pub fn one_sided(&self) -> Vec<(Capability, usize, Option<ConfirmedFinding>)> {
        let [first, second] = &self.sessions;
        let only = |target: usize, one: &Session, other: &Session| {
            let others: Vec<Capability> = other.missing_capabilities().map(|(capability, _)| capability).collect();
            let missing = one.missing_capabilities().filter(|(capability, _)| !others.contains(capability));
            let of_target = |finding: &ConfirmedFinding| {
                let mut finding = finding.clone();
                if target == 1 {
                    finding.records.insert(0, Record::default());
                }
                finding
            };
            missing.map(|(capability, finding)| (capability, target, finding.map(of_target))).collect::<Vec<_>>()
        };
        let mut found = only(0, first, second);
        found.extend(only(1, second, first));
        found
    }

    /// Compares cases. Sources that need a capability that one of the targets does not
    /// support are skipped, and the events say so first.
    pub async fn run(&self, mut options: RunOptions, events: UnboundedSender<Event>, interrupt: Interrupt) -> Summary {
        options.skip(|source| self.missing(source), &events);
        let [first, second] = &self.sessions;
        let alive = async {
            let (never, _): (Infallible, Infallible) = tokio::join!(first.stay_alive(), second.stay_alive());
            never
        };
        tokio::select! {
            summary = run(Arc::clone(&self.pair), options, events, interrupt) => summary,
            never = alive => match never {},
        }
    }

    /// Removes everything that was created, and returns for each target what could not be removed.
    pub async fn close(self) -> [Vec<CreatedObject>; 2] {
        let [first, second] = self.sessions;
        let (first, second) = tokio::join!(first.close(), second.close());
        [first, second]
    }
}

/// Closes one session if the other could not be opened, or was interrupted. Returns its own error, and what is left.
async fn abandoned(
    opening: Result<Opening<Session, Unopened>, OpeningError<ExecutionError, Vec<CreatedObject>>>,
) -> (Option<ExecutionError>, Vec<CreatedObject>) {
    match opening {
        Ok(Opening::Open(session)) => (None, session.close().await),
        Ok(Opening::Interrupted(unopened)) => (None, unopened.left),
        Err(OpeningError { error, left }) => (Some(error), left),
    }
}
