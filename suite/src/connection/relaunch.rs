//! A launched server that is started again when it has ended.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio::sync::Mutex;

use super::{
    HttpRequest, Launched, RequestSummary, ResponseFuture, Target, TargetOptions, Transport, TransportError, connect,
};

/// How often it is started again at most: what ends at each request would be started for ever.
const MOST: u32 = 1000;

/// How long a server that cannot be reached any more may take to end.
const DYING: Duration = Duration::from_millis(500);

/// Sends requests to a launched server. One that cannot be reached because the server has ended is sent to a new one; the request during
/// which it ended fails.
pub(super) struct Relaunching {
    options: TargetOptions,
    running: Mutex<Option<Running>>,
    restarts: AtomicU32,
}

struct Running {
    transport: Arc<dyn Transport>,
    launched: Launched,
}

impl Relaunching {
    /// Takes over a launched server, which was started with these options.
    pub(super) fn new(transport: Arc<dyn Transport>, launched: Launched, options: TargetOptions) -> Self {
        let running = Mutex::new(Some(Running { transport, launched }));
        Self { options, running, restarts: AtomicU32::new(0) }
    }

    /// How often the server was started again.
    pub(super) fn restarts(&self) -> u32 {
        self.restarts.load(Ordering::Relaxed)
    }

    /// Stops the server. Requests that are sent later fail.
    pub(super) async fn end(&self) {
        if let Some(Running { launched, .. }) = self.running.lock().await.take() {
            launched.end().await;
        }
    }

    async fn transport(&self) -> Option<(Arc<dyn Transport>, u32)> {
        let running = self.running.lock().await;
        running.as_ref().map(|running| (Arc::clone(&running.transport), self.restarts()))
    }

    /// The way to a new server, if the one after so many restarts has ended, or to the one that another request has started since.
    async fn again(&self, restarts: u32) -> Option<Arc<dyn Transport>> {
        let mut running = self.running.lock().await;
        if self.restarts() != restarts {
            return running.as_ref().map(|running| Arc::clone(&running.transport));
        }
        let ended = &mut running.as_mut()?.launched;
        if ended.ended().is_none() {
            tokio::time::sleep(DYING).await;
        }
        if restarts >= MOST || ended.ended().is_none() {
            return None;
        }
        let Target { transport, launched, .. } = connect(&self.options).await.ok()?;
        let before = running.replace(Running { transport: Arc::clone(&transport), launched: launched? });
        self.restarts.fetch_add(1, Ordering::Relaxed);
        if let Some(before) = before {
            before.launched.end().await;
        }
        Some(transport)
    }
}

impl fmt::Debug for Relaunching {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Relaunching").field("restarts", &self.restarts()).finish_non_exhaustive()
    }
}

impl Transport for Relaunching {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let Some((transport, restarts)) = self.transport().await else {
                return Err(TransportError::Unreachable {
                    place: RequestSummary::new("the launched server", request.method(), request.uri()),
                    detail: "it was stopped".to_owned(),
                });
            };
            match transport.send(request.clone()).await {
                Err(error @ TransportError::Unreachable { .. }) => match self.again(restarts).await {
                    Some(transport) => transport.send(request).await,
                    None => Err(error),
                },
                answered => answered,
            }
        })
    }
}
