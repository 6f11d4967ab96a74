//! Connections: HTTP/1.1 and HTTP/2, with or without TLS, and WebSocket for watches.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::header::WARNING;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt as _, Either, Full, LengthLimitError, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::Receiver;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::task::TaskTracker;

use crate::access::{Access, CredentialState};
use crate::answer::{Content, warning_header};
use crate::request_log::{Answered, LogEntry, RequestLog};
use crate::server::Server;
use crate::status::message;
use crate::watch::Watch;
use crate::websocket::{self, Handshake};

/// The limit of a request head, in bytes.
const MAX_HEAD: u32 = 64 << 10;
/// The limit of open streams of an HTTP/2 connection.
const MAX_STREAMS: u32 = 256;
/// The time limit of a TLS handshake, and of reading a request head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long open requests may continue when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait after a failed accept, which usually means that file descriptors are exhausted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves plain HTTP without authentication until `shutdown` completes, then waits up to 5 seconds for open requests.
/// For TLS, authentication and a log, see [`Endpoint`](crate::Endpoint).
///
/// Connections are kept alive. A body larger than [`Server::max_body`] is answered with 413.
///
/// # Errors
/// The listener fails permanently. An error of a single connection ends only that connection.
pub async fn serve(listener: TcpListener, server: Server, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
    accept(listener, Frontend::new(server, Access::default(), None, None), shutdown).await
}

/// What connections need: the server, its authentication, TLS and log.
#[derive(Clone)]
pub(crate) struct Frontend {
    server: Server,
    access: Access,
    tls: Option<TlsAcceptor>,
    log: Option<Arc<RequestLog>>,
    /// The tasks of connections that were upgraded to WebSocket.
    upgraded: TaskTracker,
}

/// Accepts and serves connections as [`serve`] describes, and runs the server's delayed work when it is due.
pub(crate) async fn accept(
    listener: TcpListener,
    frontend: Frontend,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD as usize);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(MAX_STREAMS).max_header_list_size(MAX_HEAD);
    let builder = Arc::new(builder);
    let frontend = Arc::new(frontend);
    let open = GracefulShutdown::new();
    let (going_on, ending) = tokio::sync::watch::channel(());
    let mut shutdown = pin!(shutdown);
    let mut settling = pin!(frontend.server.settle_in_time());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            never = &mut settling => match never {},
            () = &mut shutdown => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if is_passing(&error) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        // Small responses must not wait for acknowledgements; a connection without this option works, too.
        let _ = stream.set_nodelay(true);
        let (frontend, builder) = (Arc::clone(&frontend), Arc::clone(&builder));
        match &frontend.tls {
            None => {
                tokio::spawn(connection(
                    builder,
                    Arc::clone(&frontend),
                    stream,
                    CredentialState::Missing,
                    open.watcher(),
                ));
            }
            Some(tls) => {
                let (handshake, ending, watcher) = (handshake(tls.clone(), stream), ending.clone(), open.watcher());
                tokio::spawn(secured(builder, Arc::clone(&frontend), handshake, ending, watcher));
            }
        }
    }
    drop((listener, going_on));
    frontend.server.end_watches();
    let all_end = async {
        open.shutdown().await;
        // All HTTP connections are closed, so none can be upgraded any more.
        frontend.upgraded.close();
        frontend.upgraded.wait().await;
    };
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, all_end).await;
    Ok(())
}

async fn handshake(tls: TlsAcceptor, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    tokio::time::timeout(HEAD_TIMEOUT, tls.accept(stream)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Serves a connection with TLS. One whose handshake is not complete when the server stops is dropped: it has sent no
/// request.
async fn secured(
    builder: Arc<Builder<TokioExecutor>>,
    frontend: Arc<Frontend>,
    handshake: impl Future<Output = io::Result<TlsStream<TcpStream>>>,
    mut ending: Receiver<()>,
    watcher: Watcher,
) {
    let accepted = tokio::select! {
        accepted = handshake => accepted,
        _ = ending.changed() => return,
    };
    match accepted {
        Ok(stream) => {
            let certificate = frontend.access.certificate(stream.get_ref().1.peer_certificates());
            connection(builder, frontend, stream, certificate, watcher).await;
        }
        Err(error) => frontend.log(&LogEntry::HandshakeFailed(&error.to_string())),
    }
}

/// Serves the requests of a connection. Its errors are ignored, since they concern only its client.
async fn connection(
    builder: Arc<Builder<TokioExecutor>>,
    frontend: Arc<Frontend>,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    certificate: CredentialState,
    watcher: Watcher,
) {
    let service = service_fn(move |request| {
        let frontend = Arc::clone(&frontend);
        async move { Ok::<_, Infallible>(frontend.answer(request, certificate).await) }
    });
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
    let _ = watcher.watch(connection).await;
}

/// The body of a response: complete, or the events of a watch.
type Body = Either<Full<Bytes>, Events>;
type Events = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Infallible> + Send>>;

impl Frontend {
    pub(crate) fn new(server: Server, access: Access, tls: Option<TlsAcceptor>, log: Option<Arc<RequestLog>>) -> Self {
        Self { server, access, tls, log, upgraded: TaskTracker::new() }
    }

    fn log(&self, entry: &LogEntry<'_>) {
        if let Some(log) = &self.log {
            log(entry);
        }
    }

    async fn answer(&self, mut request: Request<Incoming>, certificate: CredentialState) -> Response<Body> {
        let logged = self.log.as_ref().map(|log| LoggedRequest {
            log: Arc::clone(log),
            method: request.method().clone(),
            uri: request.uri().clone(),
            since: Instant::now(),
        });
        let admitted = self.access.admit(&mut request, certificate);
        let upgrade = Upgrade::requested(&mut request);
        let response = match admitted {
            Err(refusal) => *refusal,
            Ok(warning) => {
                let mut answer = read_and_answer(&self.server, request).await;
                if let Some(warning) = warning.and_then(warning_header) {
                    answer.headers_mut().append(WARNING, warning);
                }
                answer
            }
        };
        let (head, content) = response.into_parts();
        match (content, upgrade) {
            (Content::Whole(bytes), _) => complete(Response::from_parts(head, bytes), logged.as_ref()),
            (Content::Events(watch), None) => {
                let log = logged.map(|logged| WatchLog::begin(logged, head.status));
                let events: Events = Box::pin(StreamBody::new(events(watch, log)));
                Response::from_parts(head, Either::Right(events))
            }
            (Content::Events(watch), Some(Upgrade { handshake: Ok(handshake), connection })) => {
                let log = logged.map(|logged| WatchLog::begin(logged, StatusCode::SWITCHING_PROTOCOLS));
                self.upgraded.spawn(messages(connection, watch, self.server.max_body(), log));
                handshake.response().map(|()| Either::Left(Full::default()))
            }
            (Content::Events(_), Some(Upgrade { handshake: Err(refused), .. })) => {
                complete(refused.response(), logged.as_ref())
            }
        }
    }
}

/// A complete response.
fn complete(response: Response<Bytes>, logged: Option<&LoggedRequest>) -> Response<Body> {
    if let Some(logged) = logged {
        logged.log_response(response.status(), response.body());
    }
    response.map(|bytes| Either::Left(Full::new(bytes)))
}

/// A pending WebSocket upgrade, used if the response is a watch.
struct Upgrade {
    handshake: Result<Handshake, websocket::Refused>,
    connection: OnUpgrade,
}

impl Upgrade {
    /// `None` if no upgrade is requested, or if the connection is HTTP/2 and cannot be upgraded.
    fn requested<B>(request: &mut Request<B>) -> Option<Self> {
        let connection = request.extensions_mut().remove::<OnUpgrade>()?;
        let headers = request.headers();
        let handshake = || Handshake::read(request.method(), headers);
        websocket::is_requested(headers).then(|| Self { handshake: handshake(), connection })
    }
}

/// Sends the events of a watch over a connection once it is upgraded to WebSocket.
async fn messages(connection: OnUpgrade, watch: Box<Watch>, max_message: usize, mut log: Option<WatchLog>) {
    // A client that disconnected before the upgrade gets no events.
    if let Ok(connection) = connection.await {
        let sent = |bytes| log.iter_mut().for_each(|log| log.bytes += bytes as u64);
        websocket::send_events(TokioIo::new(connection), watch, max_message, sent).await;
    }
}

/// Reads the body within its limit and answers the request.
async fn read_and_answer(server: &Server, request: Request<Incoming>) -> Response<Content> {
    let (head, body) = request.into_parts();
    match Limited::new(body, server.max_body()).collect().await {
        Ok(body) => server.respond(Request::from_parts(head, body.to_bytes())).await,
        Err(error) => {
            let too_large = error.downcast_ref::<LengthLimitError>().is_some();
            unread(if too_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST }).map(Content::Whole)
        }
    }
}

fn events(watch: Box<Watch>, log: Option<WatchLog>) -> impl Stream<Item = Result<Frame<Bytes>, Infallible>> {
    stream::unfold((watch, log), |(mut watch, mut log)| async {
        let event = watch.next().await?;
        if let Some(log) = &mut log {
            log.bytes += event.len() as u64;
        }
        Some((Ok(Frame::data(event)), (watch, log)))
    })
}

/// A request that will be logged.
struct LoggedRequest {
    log: Arc<RequestLog>,
    method: Method,
    uri: Uri,
    since: Instant,
}

impl LoggedRequest {
    fn log_response(&self, code: StatusCode, body: &Bytes) {
        let message = if code.as_u16() >= 400 { message(body) } else { None };
        (self.log)(&LogEntry::Answered(self.entry(code, body.len() as u64, message.as_deref())));
    }

    fn entry<'a>(&'a self, code: StatusCode, bytes: u64, message: Option<&'a str>) -> Answered<'a> {
        Answered {
            method: &self.method,
            uri: &self.uri,
            code: code.as_u16(),
            bytes,
            duration: self.since.elapsed(),
            message,
        }
    }
}

/// Logs the start and the end of a watch. The end is logged on drop, since the client may disconnect at any time.
struct WatchLog {
    logged: LoggedRequest,
    code: StatusCode,
    bytes: u64,
}

impl WatchLog {
    fn begin(logged: LoggedRequest, code: StatusCode) -> Self {
        (logged.log)(&LogEntry::WatchBegan(logged.entry(code, 0, None)));
        Self { logged, code, bytes: 0 }
    }
}

impl Drop for WatchLog {
    fn drop(&mut self) {
        (self.logged.log)(&LogEntry::WatchEnded(self.logged.entry(self.code, self.bytes, None)));
    }
}

/// The response to a request whose body was not read completely.
fn unread(code: StatusCode) -> Response<Bytes> {
    let (reason, message) = match code {
        StatusCode::PAYLOAD_TOO_LARGE => ("RequestEntityTooLarge", "the body is too large"),
        _ => ("BadRequest", "the body could not be read"),
    };
    let status = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code.as_u16(),
    });
    let mut response = Response::new(Bytes::from(status.to_string()));
    *response.status_mut() = code;
    response.headers_mut().insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Whether accepting may succeed later.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
