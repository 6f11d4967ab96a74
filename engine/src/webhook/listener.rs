//! The HTTPS listener for webhooks.

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use crdible_scenario::Endpoint;
use crdible_webhooks::{Ending, HookAnswer};
use futures_util::stream;
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt as _, Limited, StreamBody};
use hyper::{
    body::{Frame, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

use super::{HookId, Registry, WebhookOptions, response::response};

/// The largest review: a server may send large objects in one call, but not without end.
const LARGEST_REVIEW: usize = 64 << 20;
/// At most this many connections at once; further ones wait.
const MOST_CONNECTIONS: usize = 512;
/// How long a handshake may take, and how long a connection may have no request: longer than a server keeps a
/// connection that it does not use (90 s in kube-apiserver). If this side closed it first, a review on its way
/// would be lost, and the server would be blamed.
const LONGEST_SILENCE: Duration = Duration::from_secs(5 * 60);
/// How long to wait after a failed accept, which usually means that file descriptors are exhausted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The name in the certificate of the listener for the wrong host.
const ANOTHER_NAME: &str = "another.invalid";
/// What the listener without TLS answers to a TLS handshake.
const PLAIN_ANSWER: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Why webhooks cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenerError {
    /// The address is taken, or is not one of this machine.
    #[error("cannot listen for webhooks on {address}: {source}; --webhook-listen chooses another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// No certificate can be generated for the host.
    #[error("cannot generate a certificate for the webhook host: {0}; check --webhook-host")]
    Certificate(String),
}

/// A listener, which stops when it is dropped.
#[derive(Debug)]
pub struct Listener {
    registry: Arc<Registry>,
    options: WebhookOptions,
    address: SocketAddr,
    accepting: JoinHandle<()>,
    /// The deliberately wrong listeners, opened when a scenario first needs one.
    wrong: OnceLock<Option<(SocketAddr, JoinHandle<()>)>>,
    plain: OnceLock<Option<(SocketAddr, JoinHandle<()>)>>,
}

impl Listener {
    /// Starts to listen. Requires a Tokio runtime.
    pub fn open(registry: Arc<Registry>, options: WebhookOptions) -> Result<Self, ListenerError> {
        let (listener, address) = bind(options.listen)?;
        let tls = tls(&registry, &options.names(address))?;
        let accepting = tokio::spawn(accept(listener, Some(tls), Arc::clone(&registry)));
        Ok(Self { registry, options, address, accepting, wrong: OnceLock::new(), plain: OnceLock::new() })
    }

    /// How to reach it through a service, if it is reached so.
    pub fn service(&self) -> Option<&super::ServiceReference> {
        self.options.service.as_ref()
    }

    /// The URL of a hook at this endpoint; `None` if the endpoint cannot be opened.
    pub fn url(&self, hook: HookId, endpoint: &Endpoint) -> Option<String> {
        let address = match endpoint {
            Endpoint::OtherHost => {
                let opened = self.wrong.get_or_init(|| {
                    let tls = tls(&self.registry, &[ANOTHER_NAME.to_owned()]).ok()?;
                    self.another(Some(tls))
                });
                opened.as_ref()?.0
            }
            Endpoint::NoTls => self.plain.get_or_init(|| self.another(None)).as_ref()?.0,
            Endpoint::NobodyListens => SocketAddr::new(self.address.ip(), 1),
            Endpoint::Right | Endpoint::Path(_) | Endpoint::OtherAuthority | Endpoint::NoAuthority => self.address,
        };
        Some(format!("https://{}{}", self.options.authority(address), hook.path()))
    }

    fn another(&self, tls: Option<TlsAcceptor>) -> Option<(SocketAddr, JoinHandle<()>)> {
        let (listener, address) = bind(SocketAddr::new(self.options.listen.ip(), 0)).ok()?;
        Some((address, tokio::spawn(accept(listener, tls, Arc::clone(&self.registry)))))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.accepting.abort();
        for opened in [&self.wrong, &self.plain] {
            if let Some(Some((_, accepting))) = opened.get() {
                accepting.abort();
            }
        }
    }
}

fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ListenerError> {
    let bound = || {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok((TcpListener::from_std(listener)?, address))
    };
    bound().map_err(|source| ListenerError::Listen { address, source })
}

fn tls(registry: &Registry, names: &[String]) -> Result<TlsAcceptor, ListenerError> {
    let authority =
        registry.authority().ok_or_else(|| ListenerError::Certificate("there is no random key".to_owned()))?;
    let config = authority.server_config(names).map_err(ListenerError::Certificate)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, registry: Arc<Registry>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    // Connections end with the listener.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (tls, registry) = (tls.clone(), Arc::clone(&registry));
        connections.spawn(async move {
            match tls {
                Some(tls) => {
                    if let Ok(Ok(stream)) = tokio::time::timeout(LONGEST_SILENCE, tls.accept(stream)).await {
                        serve(stream, registry).await;
                    }
                }
                None => refuse_handshake(stream).await,
            }
            drop(place);
        });
    }
}

/// Answers the first bytes of a handshake as a plain HTTP server does.
async fn refuse_handshake(mut stream: TcpStream) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let mut start = [0; 512];
    if stream.read(&mut start).await.is_ok() {
        let _ = stream.write_all(PLAIN_ANSWER).await;
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, registry: Arc<Registry>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&registry)));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(LONGEST_SILENCE)
        .serve_connection(TokioIo::new(stream), service);
    // Errors concern only this connection; most are deliberate errors of the webhook.
    let _ = connection.await;
}

/// The reason for a connection that the webhook closes deliberately.
#[derive(Debug, thiserror::Error)]
#[error("closed on purpose")]
struct Closed;

type Body = StreamBody<stream::Iter<std::vec::IntoIter<Result<Frame<Bytes>, Closed>>>>;

async fn answer(request: Request<Incoming>, registry: Arc<Registry>) -> Result<Response<Body>, Closed> {
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, LARGEST_REVIEW).collect().await else { return Err(Closed) };
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let content_type = head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let answer = registry.answer(head.method.as_str(), path, content_type, body.to_bytes());
    if answer.ending == Ending::Silent {
        // Until the other side gives up.
        let never: Infallible = std::future::pending().await;
        match never {}
    }
    // A timer, even of no length, takes until the next millisecond.
    if !answer.delay.is_zero() {
        tokio::time::sleep(answer.delay).await;
    }
    if answer.ending == Ending::Closed {
        return Err(Closed);
    }
    Ok(streamed(answer))
}

fn streamed(HookAnswer { status, headers, body, ending, .. }: HookAnswer) -> Response<Body> {
    let body = Bytes::from(body);
    let length = body.len();
    let frames = match ending {
        Ending::CutAfter(bytes) => vec![Ok(Frame::data(body.slice(..bytes.min(length)))), Err(Closed)],
        _ => vec![Ok(Frame::data(body))],
    };
    let mut response = response(status, headers, StreamBody::new(stream::iter(frames)));
    response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(HeaderValue::from(length));
    response
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::serve;
    use crate::webhook::Registry;

    /// Sends a request for a hook that does not exist, and reads what is answered.
    async fn answer(client: &mut DuplexStream) -> String {
        client
            .write_all(b"POST /none HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n")
            .await
            .expect("an open connection");
        let mut answer = vec![0; 4096];
        let length = client.read(&mut answer).await.expect("an open connection");
        String::from_utf8_lossy(&answer[..length]).into_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_kept_longer_than_a_server_leaves_it_unused() {
        let (mut client, served) = duplex(1 << 16);
        let serving = tokio::spawn(serve(served, Arc::new(Registry::default())));
        for silence in [0, 9, 11, 89, 91] {
            tokio::time::sleep(Duration::from_secs(silence)).await;
            let answer = answer(&mut client).await;
            assert!(answer.starts_with("HTTP/1.1 4"), "after {silence} s: {answer:?}");
        }
        tokio::time::sleep(Duration::from_secs(301)).await;
        assert!(serving.is_finished());
    }
}
