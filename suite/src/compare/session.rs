//! A session with two targets: opened by finding out what each can do at all, closed by removing what was made on both.

use std::{convert::Infallible, sync::Arc};

use tokio::sync::mpsc::UnboundedSender;

use super::examine::Pair;
use crate::{
    execute::{ExecutionError, ExecutorOptions, Record},
    properties::{Capability, Property},
    run::{Event, Finding, Interrupt, Opening, RunOptions, Session, Summary, run},
    target::Transport,
};

/// Two targets that are ready to be compared.
#[derive(Debug)]
pub struct PairSession {
    sides: [Session; 2],
    pair: Arc<Pair>,
}

impl PairSession {
    /// Opens a session with both. A target that lacks a capability is no error; one that does not answer is, and then nothing is
    /// left on either. The IDs of the runs must differ.
    pub async fn open(
        transports: [Arc<dyn Transport>; 2],
        options: [ExecutorOptions; 2],
    ) -> Result<Self, ExecutionError> {
        match Self::open_unless(transports, options, Interrupt::never()).await? {
            Opening::Open(session) => Ok(session),
            Opening::Interrupted(_) => Err(ExecutionError::Closing),
        }
    }

    /// As [`PairSession::open`], unless it is interrupted.
    pub async fn open_unless(
        transports: [Arc<dyn Transport>; 2],
        options: [ExecutorOptions; 2],
        interrupt: Interrupt,
    ) -> Result<Opening<Self, [Vec<String>; 2]>, ExecutionError> {
        let [first, second] = transports;
        let [first_options, second_options] = options;
        let (first, second) = tokio::join!(
            Session::open_unless(first, first_options, interrupt.clone()),
            Session::open_unless(second, second_options, interrupt),
        );
        let of = |target| move |error| ExecutionError::Of { target, error: Box::new(error) };
        let (first, second) = match (first.map_err(of("the first target")), second.map_err(of("the second target"))) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(error), other) | (other, Err(error)) => {
                if let Ok(Opening::Open(other)) = other {
                    other.close().await;
                }
                return Err(error);
            }
        };
        let (first, second) = match (first, second) {
            (Opening::Open(first), Opening::Open(second)) => (first, second),
            (first, second) => return Ok(Opening::Interrupted([left(first).await, left(second).await])),
        };
        let pair = Arc::new(Pair::new(Arc::clone(first.executor()), Arc::clone(second.executor())));
        Ok(Opening::Open(Self { sides: [first, second], pair }))
    }

    /// The examiner of the session.
    pub fn pair(&self) -> &Arc<Pair> {
        &self.pair
    }

    /// The first capability that a property needs and that one of the targets lacks.
    pub fn missing(&self, property: &Property) -> Option<Capability> {
        self.sides.iter().find_map(|side| side.missing(property))
    }

    /// What only one of the two lacks: a difference by itself. The position (0 or 1) is that of the target which lacks it.
    pub fn one_sided(&self) -> Vec<(Capability, usize, Option<Finding>)> {
        let [first, second] = &self.sides;
        let only = |of: usize, one: &Session, other: &Session| {
            let others: Vec<Capability> = other.lacks().map(|(capability, _)| capability).collect();
            one.lacks()
                .filter(|(capability, _)| !others.contains(capability))
                .map(|(capability, finding)| (capability, of, finding.cloned().map(|finding| beside(finding, of))))
                .collect::<Vec<_>>()
        };
        let mut found = only(0, first, second);
        found.extend(only(1, second, first));
        found
    }

    /// Compares cases of properties. Those that need what one of the targets lacks are left out, and the events say so first.
    pub async fn run(&self, mut options: RunOptions, events: UnboundedSender<Event>, interrupt: Interrupt) -> Summary {
        options.leave_out(|property| self.missing(property), &events);
        let [first, second] = &self.sides;
        let alive = async {
            let (never, _): (Infallible, Infallible) = tokio::join!(first.stay_alive(), second.stay_alive());
            never
        };
        tokio::select! {
            summary = run(Arc::clone(&self.pair), options, events, interrupt) => summary,
            never = alive => match never {},
        }
    }

    /// Removes everything that was made, and returns for each target the names of definitions that would not go.
    pub async fn close(self) -> [Vec<String>; 2] {
        let [first, second] = self.sides;
        let (first, second) = tokio::join!(first.close(), second.close());
        [first, second]
    }
}

/// What is left of a session whose partner was interrupted.
async fn left(opening: Opening<Session, Vec<String>>) -> Vec<String> {
    match opening {
        Opening::Open(session) => session.close().await,
        Opening::Interrupted(left) => left,
    }
}

/// Puts what the lacking target was asked on its side.
fn beside(finding: Finding, side: usize) -> Finding {
    match side {
        0 => Finding { beside: Some(Box::default()), ..finding },
        _ => Finding { beside: Some(Box::new(finding.record.clone())), record: Record::default(), ..finding },
    }
}
