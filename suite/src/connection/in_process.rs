//! The embedded server, called in process.

use std::fmt;
use std::sync::Arc;

use bytes::BytesMut;
use crdible_reference::{Content, Server};
use crdible_semantics::Semantics;
use http::Response;

use super::transport::{HttpRequest, ResponseFuture, Transport};

/// Calls [`Server::open`] directly: no sockets, no serialisation of headers. Only a watch takes time: as long as it requests.
#[derive(Clone)]
pub struct InProcess {
    server: Server,
}

impl InProcess {
    /// A new, empty server with the given semantics.
    pub fn new(semantics: Arc<dyn Semantics>) -> Self {
        Self::over(Server::new(semantics))
    }

    /// An existing server, which may be shared.
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
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let (head, content) = self.server.open(request).into_parts();
            let body = match content {
                Content::Whole(body) => body,
                Content::Events(mut watch) => {
                    let mut events = BytesMut::new();
                    while let Some(event) = watch.next().await {
                        events.extend_from_slice(&event);
                    }
                    events.freeze()
                }
            };
            Ok(Response::from_parts(head, body))
        })
    }
}
