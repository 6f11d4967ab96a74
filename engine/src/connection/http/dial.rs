//! Connections to a server: address lookup, TCP, the proxy, TLS.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use crdible_reference::UnannouncedEnd;
use http::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tower_service::Service;

use super::proxy::Proxy;
use super::usage::{Counted, Usage};
use crate::connection::address::Origin;
use crate::connection::waiting::within;

/// How long to wait for a connection to one address of a host before the next one is tried, too (RFC 8305).
const HEAD_START: Duration = Duration::from_millis(250);

/// Opens connections to one server.
#[derive(Clone)]
pub(super) struct Dialer {
    pub(super) route: Arc<Route>,
}

/// How the server is reached.
pub(super) struct Route {
    pub(super) server: Origin,
    /// The name in the server's certificate.
    pub(super) name: Option<ServerName<'static>>,
    pub(super) proxy: Option<Proxy>,
    /// `None` if neither the server nor the proxy uses TLS.
    pub(super) tls: Option<Arc<ClientConfig>>,
    /// The time limit of a connection, with the TLS handshake.
    pub(super) timeout: Duration,
}

/// Why a connection was not opened. No request was sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum DialError {
    #[error("{0}")]
    Lookup(io::Error),
    #[error("{0}")]
    Refused(io::Error),
    #[error("no connection in time")]
    Timeout,
    #[error("{error}")]
    Tls { peer: Peer, error: io::Error },
    #[error("the proxy {proxy} cannot be used: {detail}")]
    Proxy { proxy: String, detail: String },
}

/// The other end of a TLS connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Peer {
    Server,
    Proxy,
}

impl Peer {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Proxy => "proxy",
        }
    }
}

trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Io for S {}

/// An open connection.
pub(super) struct Stream {
    io: TokioIo<Counted<Box<dyn Io>>>,
    /// Whether requests go to the proxy, with the whole URL in their first line.
    via_proxy: bool,
    usage: Arc<Usage>,
}

impl Route {
    async fn open(&self) -> Result<Stream, DialError> {
        within(self.timeout, self.connect()).await.unwrap_or(Err(DialError::Timeout))
    }

    async fn connect(&self) -> Result<Stream, DialError> {
        let (io, via_proxy) = match &self.proxy {
            None => (self.secured(tcp(&self.server).await?).await?, false),
            Some(proxy) => {
                let failed = |detail| DialError::Proxy { proxy: proxy.origin.shown(), detail };
                let stream = tcp(&proxy.origin).await.map_err(|error| failed(error.to_string()))?;
                let stream: Box<dyn Io> = if proxy.origin.is_tls() {
                    let name = server_name(proxy.origin.name()).map_err(failed)?;
                    self.handshake(stream, name, Peer::Proxy).await?
                } else {
                    Box::new(stream)
                };
                if self.server.is_tls() {
                    let tunnel = proxy.open_tunnel(stream, &self.server).await.map_err(failed)?;
                    (self.secured(tunnel).await?, false)
                } else {
                    (stream, true)
                }
            }
        };
        let usage = Arc::<Usage>::default();
        Ok(Stream { io: TokioIo::new(Counted::new(io, Arc::clone(&usage))), via_proxy, usage })
    }

    /// Adds TLS if the server uses it.
    async fn secured(&self, stream: impl Io + 'static) -> Result<Box<dyn Io>, DialError> {
        match &self.name {
            Some(name) => self.handshake(stream, name.clone(), Peer::Server).await,
            None => Ok(Box::new(stream)),
        }
    }

    async fn handshake(
        &self,
        stream: impl Io + 'static,
        name: ServerName<'static>,
        peer: Peer,
    ) -> Result<Box<dyn Io>, DialError> {
        let tls = |error| DialError::Tls { peer, error };
        let config = self.tls.clone().ok_or_else(|| tls(io::Error::other("TLS is not configured")))?;
        Ok(Box::new(UnannouncedEnd(TlsConnector::from(config).connect(name, stream).await.map_err(tls)?)))
    }
}

/// The name to expect in a certificate.
///
/// # Errors
/// A sentence: it is neither a DNS name nor an IP address.
pub(super) fn server_name(name: &str) -> Result<ServerName<'static>, String> {
    ServerName::try_from(name.to_owned()).map_err(|_| format!("the server name {name:?} is not a DNS name"))
}

/// Connects to the first address that answers, with a head start for those that the system lists first.
async fn tcp(origin: &Origin) -> Result<TcpStream, DialError> {
    let found = tokio::net::lookup_host((origin.name(), origin.port())).await.map_err(DialError::Lookup)?;
    let addresses: Vec<SocketAddr> = found.collect();
    let mut attempts = JoinSet::new();
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in addresses {
        attempts.spawn(TcpStream::connect(address));
        if let Ok(Some(Ok(attempt))) = tokio::time::timeout(HEAD_START, attempts.join_next()).await {
            match attempt {
                Ok(stream) => return Ok(prepared(stream)),
                Err(error) => failure = error,
            }
        }
    }
    while let Some(attempt) = attempts.join_next().await {
        match attempt {
            Ok(Ok(stream)) => return Ok(prepared(stream)),
            Ok(Err(error)) => failure = error,
            Err(error) => failure = io::Error::other(error),
        }
    }
    Err(DialError::Refused(failure))
}

fn prepared(stream: TcpStream) -> TcpStream {
    // Small requests must not wait for acknowledgements; a connection without this option works, too.
    let _ = stream.set_nodelay(true);
    stream
}

impl Service<Uri> for Dialer {
    type Response = Stream;
    type Error = DialError;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, DialError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let route = Arc::clone(&self.route);
        Box::pin(async move { route.open().await })
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new().proxy(self.via_proxy).extra(Arc::clone(&self.usage))
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::{Address, RequestSummary};

    #[tokio::test]
    async fn a_connection_has_a_time_limit() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let address = Address::parse(&url).expect("an address");
        // The listener never answers, so the handshake never ends.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the usual versions")
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let route = Route {
            server: address.origin().clone(),
            name: Some(server_name("127.0.0.1").expect("a name")),
            proxy: None,
            tls: Some(Arc::new(config)),
            timeout: Duration::from_millis(50),
        };
        let error = route.open().await.err().expect("no connection");
        assert!(matches!(error, DialError::Timeout), "{error}");
        let place = RequestSummary { address: url, request: "GET /".to_owned() };
        let error = super::super::failure::of_connection(&error, place);
        assert!(error.to_string().contains("no connection in time"), "{error}");
        assert_eq!(error.code(), "unreachable");
    }
}
