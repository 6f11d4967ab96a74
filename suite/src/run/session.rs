//! A session with one target: opened by trying its capabilities, closed by removing what was created.

use std::{convert::Infallible, sync::Arc};

use tokio::sync::mpsc::UnboundedSender;

use super::{
    capabilities::{Lacks, find_lacks},
    event::{Event, Summary},
    finding::Finding,
    interrupt::Interrupt,
    options::RunOptions,
    schedule::run,
    source::ScenarioSource,
};
use crate::{
    execute::{ExecutionError, Executor},
    marks::REFRESH_EVERY,
    properties::{API_SERVER, Capability},
};

/// An API server that is ready to be tested.
#[derive(Debug)]
pub struct Session {
    executor: Arc<Executor>,
    lacks: Lacks,
}

/// How opening a session ended.
#[derive(Debug)]
pub enum Opening<S, Left> {
    /// It is open.
    Open(S),
    /// It was interrupted, and what was created is removed, except these definitions, which could not be.
    Interrupted(Left),
}

impl Session {
    /// Opens a session by trying each capability of an API server. A missing capability is not an error; a target that
    /// does not respond or that forbids the requests is.
    pub async fn open(executor: Executor) -> Result<Self, ExecutionError> {
        match Self::open_unless(executor, Interrupt::never()).await? {
            Opening::Open(session) => Ok(session),
            Opening::Interrupted(_) => Err(ExecutionError::Closing),
        }
    }

    /// As [`Session::open`], unless it is interrupted. Then it returns the names of definitions that could not be removed.
    pub async fn open_unless(
        mut executor: Executor,
        interrupt: Interrupt,
    ) -> Result<Opening<Self, Vec<String>>, ExecutionError> {
        let mut lacks = Lacks::new();
        let tried = tokio::select! {
            tried = find_lacks(&mut executor, API_SERVER, &mut lacks) => Some(tried),
            () = interrupt.raised() => None,
        };
        match tried {
            Some(Ok(())) => Ok(Opening::Open(Self { executor: Arc::new(executor), lacks })),
            Some(Err(error)) => {
                executor.clean_up().await;
                Err(error)
            }
            None => Ok(Opening::Interrupted(executor.clean_up().await)),
        }
    }

    /// The missing capabilities; with the finding that shows it, unless another missing capability implies it.
    pub fn lacks(&self) -> impl Iterator<Item = (Capability, Option<&Finding>)> {
        self.lacks.iter().map(|(capability, finding)| (*capability, finding.as_deref()))
    }

    /// The first capability that a source needs and the target lacks.
    pub fn missing(&self, source: impl Into<ScenarioSource>) -> Option<Capability> {
        source.into().needs().iter().copied().find(|need| self.lacks.contains_key(need))
    }

    /// The executor of the session.
    pub fn executor(&self) -> &Arc<Executor> {
        &self.executor
    }

    /// Runs cases. Sources that need what the target lacks are skipped, and the events say so first.
    pub async fn run(&self, mut options: RunOptions, events: UnboundedSender<Event>, interrupt: Interrupt) -> Summary {
        options.skip(|source| self.missing(source), &events);
        let running = run(Arc::clone(&self.executor), options, events, interrupt);
        tokio::select! {
            summary = running => summary,
            never = self.stay_alive() => match never {},
        }
    }

    /// Renews the heartbeat now and then; never returns.
    pub(crate) async fn stay_alive(&self) -> Infallible {
        loop {
            tokio::time::sleep(REFRESH_EVERY).await;
            self.executor.renew_heartbeat().await;
        }
    }

    /// Removes everything that was created, and returns the names of definitions that could not be removed.
    pub async fn close(self) -> Vec<String> {
        self.executor.clean_up().await
    }
}
