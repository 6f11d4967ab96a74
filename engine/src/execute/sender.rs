//! Sends requests to the target, and counts them.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crdible_scenario::{Document, Method, Request, Resource, transcript::EndedElsewhere};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    ends::Ends,
    error::ExecutionError,
    published,
    wire::{Incoming, Outgoing, exchange},
};
use crate::{
    connection::{Slowdown, Transport, TransportError, spawn, within},
    marks::DEFINITIONS,
};

/// The pauses before a harmless request is sent again after a lost answer.
const HARMLESS_PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(200)];

/// A target that does not answer for this long counts as lost.
const LONGEST_ABSENCE: Duration = Duration::from_secs(8);

/// How soon a target answers *at once*: a busy one needs far longer for anything that is stored.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The way to the target.
#[derive(Debug)]
pub(super) struct Sender {
    transport: Arc<dyn Transport>,
    /// Requests sent by steps, probes and clean-up.
    requests: AtomicU64,
    /// Those that got no answer.
    unanswered: AtomicU64,
    /// Those to which the connection ended, although the target had them.
    ends: Ends,
    /// Held by requests for the document of `OpenAPI` v2 (see [`published::AT_ONCE`]).
    whole_documents: Semaphore,
}

impl Sender {
    /// A sender that has sent nothing yet.
    pub(super) fn new(transport: Arc<dyn Transport>) -> Self {
        Self {
            transport,
            requests: AtomicU64::new(0),
            unanswered: AtomicU64::new(0),
            ends: Ends::default(),
            whole_documents: Semaphore::new(published::AT_ONCE),
        }
    }

    /// The number of requests sent so far.
    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The number of requests so far that got no answer.
    pub(super) fn unanswered(&self) -> u64 {
        self.unanswered.load(Ordering::Relaxed)
    }

    /// How often connections ended for requests that are not for a subresource.
    pub(super) fn ended_elsewhere(&self) -> EndedElsewhere {
        EndedElsewhere { ended: self.ends.elsewhere(), requests: self.requests() }
    }

    /// A note about connections that ended without an answer, if there were any.
    pub(super) fn ends(&self) -> Option<String> {
        self.ends.in_words()
    }

    /// How slow the target has become, if too slow to go on.
    pub(super) fn slowdown(&self) -> Option<Slowdown> {
        self.transport.slowdown()
    }

    /// Waits until a request may be sent: the document of all definitions is not read by all workers at once.
    pub(super) async fn turn(&self, request: &Request) -> Option<SemaphorePermit<'_>> {
        match request.resource {
            Resource::Published { document: Document::V2, .. } => self.whole_documents.acquire().await.ok(),
            _ => None,
        }
    }

    /// Sends one request and counts it.
    pub(super) async fn send(&self, outgoing: &Outgoing) -> Result<Incoming, TransportError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.counted(outgoing, exchange(&self.transport, outgoing).await)
    }

    /// Sends a request that may be processed twice. If its answer is lost, it is
    /// sent again, as the transport does with reads.
    pub(super) async fn send_harmless(&self, outgoing: &Outgoing) -> Result<Incoming, TransportError> {
        for pause in HARMLESS_PAUSES {
            match self.send(outgoing).await {
                Err(TransportError::Closed { .. } | TransportError::Gateway { .. }) => tokio::time::sleep(pause).await,
                answered => return answered,
            }
        }
        self.send(outgoing).await
    }

    /// Sends a request that outlives its caller. The result of `held` is dropped once there is an answer.
    pub(super) async fn send_to_the_end<T: Send + 'static>(
        &self,
        outgoing: Outgoing,
        held: impl Future<Output = T>,
    ) -> Result<Incoming, ExecutionError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let held = held.await;
        let transport = Arc::clone(&self.transport);
        let sent = spawn(async move {
            let answer = exchange(&transport, &outgoing).await;
            drop(held);
            (outgoing, answer)
        });
        match sent.await.map_err(tokio::task::JoinError::try_into_panic) {
            Ok((outgoing, answer)) => Ok(self.counted(&outgoing, answer)?),
            Err(Ok(panic)) => std::panic::resume_unwind(panic),
            Err(Err(_)) => Err(ExecutionError::Closing),
        }
    }

    /// Whether the target answers at all, within the few seconds that a restart or a
    /// broken connection takes, and within `patience`.
    pub(super) async fn answers_again(&self, patience: Duration) -> bool {
        let limit = patience.min(LONGEST_ABSENCE);
        let answers = async {
            let mut pause = Duration::from_millis(20);
            while self.send(&Outgoing::new(Method::Get, "/version")).await.is_err() {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(1));
            }
        };
        within(limit, answers).await.is_some()
    }

    /// Whether the target answers another request at once: one for stored objects, since a busy server may be quick
    /// with what it need not look up. A server that fails, or asks to come back later, does not.
    pub(super) async fn answers_at_once(&self) -> bool {
        let other = Outgoing::new(Method::Get, format!("{DEFINITIONS}?limit=1"));
        let answered = within(AT_ONCE, self.send(&other)).await;
        matches!(answered, Some(Ok(answer)) if answer.status < 500 && answer.status != 429)
    }

    /// Counts a request that got no answer, at first or at all.
    fn counted(
        &self,
        outgoing: &Outgoing,
        answered: Result<Incoming, TransportError>,
    ) -> Result<Incoming, TransportError> {
        let ended = match &answered {
            Ok(incoming) => incoming.ended,
            Err(error) => u32::from(matches!(error, TransportError::Closed { is_received: true, .. })),
        };
        self.ends.note(outgoing, ended);
        self.unanswered.fetch_add(u64::from(answered.is_err()), Ordering::Relaxed);
        answered
    }
}
