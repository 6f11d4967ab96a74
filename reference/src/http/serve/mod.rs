//! Connections: HTTP/1.1 and HTTP/2, with or without TLS, and WebSocket for watches.

mod activity;
mod frontend;
mod hosts;
mod limits;
mod logged;
mod pages;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::api::server::Server;
use crate::http::access::{Access, Authentication, CredentialState};
use crate::http::request_log::LogEntry;
use activity::{Activity, Expired, Observed};
use frontend::Connection;
pub(crate) use frontend::{Frontend, Settings};
pub(crate) use hosts::Hosts;
pub use hosts::{Host, InvalidHost};
pub use limits::Limits;

/// The limit of open streams of an HTTP/2 connection.
const MAX_STREAMS: u32 = 256;
/// How long open requests may continue when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection without requests may take to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long to wait after a failed accept, which usually means that file descriptors are exhausted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long the log says nothing more about the limit of connections, which may be reached again and again.
const LIMIT_LOG_PAUSE: Duration = Duration::from_secs(60);

/// Serves plain HTTP without authentication until `shutdown` completes, then waits up to 5 seconds for open requests.
/// For TLS, authentication, a log, and other limits and hosts than the default ones, see [`Endpoint`](crate::Endpoint).
///
/// Connections are kept alive, within the default [`Limits`]. A body larger than [`Server::max_body`] is answered with 413.
/// Web pages of other sites cannot use the server: see [`Endpoint::accept_host`](crate::Endpoint::accept_host).
///
/// # Errors
/// The listener fails permanently, or its address cannot be read. An error of a single connection ends only
/// that connection.
pub async fn serve(listener: TcpListener, server: Server, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
    let settings = Settings {
        access: Access::default(),
        authentication: Authentication::None,
        hosts: Hosts::new(listener.local_addr()?.ip(), Vec::new()),
        tls: None,
        limits: Limits::default(),
        log: None,
    };
    accept(listener, Frontend::new(server, settings), shutdown).await
}

/// Accepts and serves connections as [`serve`] describes, and runs the server's delayed work when it is due.
pub(crate) async fn accept(
    listener: TcpListener,
    frontend: Frontend,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let frontend = Arc::new(frontend);
    let builder = Arc::new(builder(frontend.limits.head_size.max(Limits::SMALLEST_HEAD)));
    let mut places = Places::new(frontend.limits.connections);
    let (going_on, ending) = tokio::sync::watch::channel(());
    let mut shutdown = pin!(shutdown);
    let mut settling = pin!(frontend.server().settle_in_time());
    loop {
        let accepted = tokio::select! {
            accepted = places.next(&listener, &frontend) => accepted,
            never = &mut settling => match never {},
            () = &mut shutdown => break,
        };
        let (stream, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_passing(&error) => {
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        // Small responses must not wait for acknowledgements; a connection without this option works, too.
        let _ = stream.set_nodelay(true);
        let (shared, builder, ending) = (Arc::clone(&frontend), Arc::clone(&builder), ending.clone());
        frontend.tasks.spawn(async move {
            match shared.tls.clone() {
                None => {
                    let local = stream.local_addr().ok().map(|address| address.ip());
                    let activity = Activity::new(&shared.limits);
                    let certificate = CredentialState::Missing;
                    let connection = Connection { activity, local, certificate, _permit: permit };
                    serve_connection(&builder, shared, stream, connection, ending).await;
                }
                Some(tls) => serve_secured(&builder, shared, tls, stream, permit, ending).await,
            }
        });
    }
    drop((listener, going_on));
    frontend.server().end_watches();
    frontend.tasks.close();
    let _ = timeout(SHUTDOWN_TIMEOUT, frontend.tasks.wait()).await;
    Ok(())
}

/// Time limits are not hyper's: it has none for the begin of a connection, and one for heads that ends connections
/// between requests, too.
fn builder(head_size: u32) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(head_size as usize);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(MAX_STREAMS).max_header_list_size(head_size);
    builder
}

/// The places of connections that may be open at once.
struct Places {
    free: Arc<Semaphore>,
    count: usize,
    /// When it was last logged that none is free.
    last_logged: Option<Instant>,
}

impl Places {
    fn new(count: usize) -> Self {
        let count = count.clamp(1, Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(count)), count, last_logged: None }
    }

    /// The next connection, once there is a place for it.
    async fn next(
        &mut self,
        listener: &TcpListener,
        frontend: &Frontend,
    ) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
        if self.free.available_permits() == 0 && self.last_logged.is_none_or(|last| last.elapsed() > LIMIT_LOG_PAUSE) {
            self.last_logged = Some(Instant::now());
            frontend.log(&LogEntry::ConnectionLimit(self.count));
        }
        // The semaphore is never closed.
        let permit = Arc::clone(&self.free).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, _) = listener.accept().await?;
        Ok((stream, permit))
    }
}

/// Serves a connection with TLS. One whose handshake is not complete when the server stops is dropped: it has sent no
/// request.
async fn serve_secured(
    builder: &Builder<TokioExecutor>,
    frontend: Arc<Frontend>,
    tls: TlsAcceptor,
    stream: TcpStream,
    permit: OwnedSemaphorePermit,
    mut ending: Receiver<()>,
) {
    let local = stream.local_addr().ok().map(|address| address.ip());
    let accepted = tokio::select! {
        accepted = handshake(tls, stream, frontend.limits.head) => accepted,
        _ = ending.changed() => return,
    };
    match accepted {
        Ok(stream) => {
            let certificate = frontend.certificate(stream.get_ref().1.peer_certificates());
            let activity = Activity::new(&frontend.limits);
            let connection = Connection { activity, local, certificate, _permit: permit };
            serve_connection(builder, frontend, stream, connection, ending).await;
        }
        Err(error) => frontend.log(&LogEntry::HandshakeFailed(&error.to_string())),
    }
}

async fn handshake(tls: TlsAcceptor, stream: TcpStream, limit: Duration) -> io::Result<TlsStream<TcpStream>> {
    timeout(limit, tls.accept(stream)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Serves the requests of a connection, until it ends, reaches a limit, or the server stops. Its errors are ignored,
/// since they concern only its client.
async fn serve_connection(
    builder: &Builder<TokioExecutor>,
    frontend: Arc<Frontend>,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    connection: Connection,
    mut ending: Receiver<()>,
) {
    let connection = Arc::new(connection);
    let activity = Arc::clone(&connection.activity);
    let service = service_fn(move |request| {
        let (frontend, connection) = (Arc::clone(&frontend), Arc::clone(&connection));
        async move { Ok::<_, Infallible>(frontend.answer(request, connection).await) }
    });
    let stream = TokioIo::new(Observed::new(stream, Arc::clone(&activity)));
    let mut serving = pin!(builder.serve_connection_with_upgrades(stream, service));
    tokio::select! {
        _ = &mut serving => return,
        expired = activity.expired() => match expired {
            Expired::Idle => {}
            // No answer can be sent: the client is still sending, or does not read.
            Expired::Head | Expired::Blocked => return,
        },
        _ = ending.changed() => {}
    }
    // A request may have arrived just now: it is still answered.
    serving.as_mut().graceful_shutdown();
    loop {
        tokio::select! {
            _ = &mut serving => return,
            () = sleep(CLOSE_TIMEOUT) => if activity.is_over() { return },
        }
    }
}

/// Whether accepting may succeed later.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
