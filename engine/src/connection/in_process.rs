//! The embedded server, called in process.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use crdible_reference::{Content, Options, Server};
use crdible_semantics::Semantics;
use http::Response;

use super::transport::{HttpRequest, ResponseFuture, Transport};
use super::watch::lasts;
use crate::webhook::{Bridge, Registry};

/// A watch ends at the latest when nothing has happened for this long. Earlier writes are reported at once.
const QUIET: Duration = Duration::from_millis(100);

/// How long a watch may be quiet. One with an unusually long timeout waits for something, so only the server ends it.
fn quiet(request: &HttpRequest) -> Duration {
    let asked = request.uri().query().and_then(lasts);
    asked.filter(|asked| *asked > Duration::from_secs(1)).map_or(QUIET, |asked| asked + QUIET)
}

/// Calls [`Server::respond`] directly: no sockets, no serialisation of headers. Only a watch takes
/// time: it lasts until nothing happens any more.
#[derive(Clone)]
pub struct InProcess {
    server: Server,
    webhooks: Option<Arc<Registry>>,
}

impl InProcess {
    /// A new, empty server with the given semantics. It calls the webhooks of a run in process.
    pub fn new(semantics: Semantics) -> Self {
        Self::built(|options| Server::with_options(semantics, options))
    }

    /// The server that is built with these options, so that it calls the webhooks of a run in process.
    pub fn built(build: impl FnOnce(Options) -> Server) -> Self {
        let webhooks = Arc::<Registry>::default();
        let bridge = Arc::new(Bridge::to(Arc::clone(&webhooks)));
        Self { server: build(Options { webhooks: bridge, ..Options::default() }), webhooks: Some(webhooks) }
    }

    /// An existing server, which may be shared. It calls webhooks as its own options say.
    pub fn over(server: Server) -> Self {
        Self { server, webhooks: None }
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InProcess")
    }
}

impl Transport for InProcess {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let quiet = quiet(&request);
            let (head, content) = self.server.respond(request).await.into_parts();
            let body = match content {
                Content::Whole(body) => body,
                Content::Events(mut watch) => {
                    let mut events = BytesMut::new();
                    while let Ok(Some(event)) = tokio::time::timeout(quiet, watch.next()).await {
                        events.extend_from_slice(&event);
                    }
                    events.freeze()
                }
            };
            Ok(Response::from_parts(head, body))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.webhooks.clone()
    }
}
