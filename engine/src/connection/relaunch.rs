//! A launched server that is started again when it has ended.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Mutex, RwLock};

use super::{
    HttpRequest, Launched, RequestSummary, ResponseFuture, Target, TargetOptions, Transport, TransportError, connect,
};

/// The most restarts, for a server that ends at every request.
const MOST: u32 = 1000;

/// After this many ends that no single request reproduced, every unanswered request fails.
const MOST_UNEXPLAINED: u32 = 3;

/// How often, and at what interval, to check whether a server that closed a connection has ended.
const DYING: (u32, Duration) = (10, Duration::from_millis(10));

/// Sends requests to a launched server.
///
/// When it ends, all requests in flight lose their answers, although one of them may be the cause. So each is sent once
/// more to a new server, while nothing else is sent. A request that ends the new server too fails.
pub(super) struct Relaunching {
    options: TargetOptions,
    /// Shared by all requests, or held by one that is sent alone.
    gate: RwLock<()>,
    server: Mutex<Server>,
    restarts: AtomicU32,
}

struct Server {
    /// `None` once it was stopped, or could not be started again.
    running: Option<Running>,
    /// Whether a request that was sent alone ended it.
    ended_alone: bool,
    /// Whether nothing yet explains the last time that it ended.
    is_puzzling: bool,
    /// How often nothing explained it.
    unexplained: u32,
}

struct Running {
    transport: Arc<dyn Transport>,
    launched: Launched,
}

impl Running {
    /// Whether it has ended, or does so within a moment.
    async fn ends(&mut self) -> bool {
        for _ in 0..DYING.0 {
            if self.launched.ended().is_some() {
                return true;
            }
            tokio::time::sleep(DYING.1).await;
        }
        self.launched.ended().is_some()
    }
}

impl Relaunching {
    /// Takes over a launched server, which was started with these options.
    pub(super) fn new(transport: Arc<dyn Transport>, launched: Launched, options: TargetOptions) -> Self {
        let running = Some(Running { transport, launched });
        let server = Mutex::new(Server { running, ended_alone: false, is_puzzling: false, unexplained: 0 });
        Self { options, gate: RwLock::default(), server, restarts: AtomicU32::new(0) }
    }

    /// How often the server was started again.
    pub(super) fn restarts(&self) -> u32 {
        self.restarts.load(Ordering::Relaxed)
    }

    /// Stops the server. Requests that are sent later fail.
    pub(super) async fn end(&self) {
        let running = self.server.lock().await.running.take();
        if let Some(Running { launched, .. }) = running {
            launched.end().await;
        }
    }

    async fn transport(&self) -> Option<Arc<dyn Transport>> {
        self.server.lock().await.running.as_ref().map(|running| Arc::clone(&running.transport))
    }

    /// The transport to the running server, if it is not the one of the failed request.
    async fn again(&self, failed: &Arc<dyn Transport>) -> Option<Arc<dyn Transport>> {
        let mut server = self.server.lock().await;
        let running = server.running.as_mut()?;
        let is_another = !Arc::ptr_eq(&running.transport, failed);
        if is_another && running.launched.ended().is_none() {
            return Some(Arc::clone(&running.transport));
        }
        if !running.ends().await {
            return None;
        }
        if std::mem::take(&mut server.ended_alone) {
            server.is_puzzling = false;
        } else {
            server.unexplained += u32::from(server.is_puzzling);
            server.is_puzzling = true;
        }
        if self.restarts() >= MOST {
            return None;
        }
        // Processes of the old server may still hold the port.
        if let Some(Running { launched, .. }) = server.running.take() {
            launched.end().await;
        }
        // If it cannot be started again, later requests do not try it.
        let Target { transport, launched, .. } = connect(&self.options).await.ok()?;
        server.running = Some(Running { transport: Arc::clone(&transport), launched: launched? });
        self.restarts.fetch_add(1, Ordering::Relaxed);
        (server.unexplained < MOST_UNEXPLAINED).then_some(transport)
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
            let together = self.gate.read().await;
            let Some(transport) = self.transport().await else {
                return Err(TransportError::Unreachable {
                    place: RequestSummary::new("the launched server", request.method(), request.uri()),
                    detail: "it has ended, and could not be started again".to_owned(),
                });
            };
            let answered = transport.send(request.clone()).await;
            drop(together);
            let Err(error @ (TransportError::Closed { .. } | TransportError::Unreachable { .. })) = answered else {
                return answered;
            };
            let _alone = self.gate.write().await;
            let Some(transport) = self.again(&transport).await else { return Err(error) };
            let answered = transport.send(request).await;
            if matches!(answered, Err(TransportError::Closed { .. })) {
                let mut server = self.server.lock().await;
                server.ended_alone = match &mut server.running {
                    Some(running) => running.ends().await,
                    None => false,
                };
            }
            answered
        })
    }
}
