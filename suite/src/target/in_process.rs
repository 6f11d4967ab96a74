//! The embedded server, called without sockets.

use std::fmt;
use std::sync::Arc;

use crdible_reference::Server;
use crdible_semantics::Semantics;

use super::transport::{Exchange, Sending, Transport};

/// Calls [`Server::handle`] directly: no sockets, no serialisation of heads, no waiting.
#[derive(Clone)]
pub struct InProcess {
    server: Server,
}

impl InProcess {
    /// A new, empty server with the given semantics.
    pub fn new(semantics: Arc<dyn Semantics>) -> Self {
        Self::over(Server::new(semantics))
    }

    /// An existing server, which others may be using at the same time.
    pub fn over(server: Server) -> Self {
        Self { server }
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InProcess")
    }
}

impl Transport for InProcess {
    fn send(&self, request: Exchange) -> Sending<'_> {
        Box::pin(async move { Ok(self.server.handle(request)) })
    }
}
