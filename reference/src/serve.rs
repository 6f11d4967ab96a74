//! Connections: HTTP/1.1 and HTTP/2, plain or in TLS, and WebSocket for watches.

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

use crate::access::{Access, Shown};
use crate::answer::{Content, warning_header};
use crate::request_log::{Answered, RequestLog, Told, message};
use crate::server::Server;
use crate::watch::Watch;
use crate::websocket::{self, Handshake};

/// How many bytes the head of a request may have.
const MAX_HEAD: u32 = 64 << 10;
/// How many streams a connection of HTTP/2 may have open.
const MAX_STREAMS: u32 = 256;
/// How long the head of a request may take, and a handshake before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long open requests may take when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait when no connection can be accepted, for want of file descriptors above all.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves plain HTTP to everybody until `shutdown` is done, then lets open requests end, for a few seconds at most. More can be had of an
/// [`Endpoint`](crate::Endpoint).
///
/// One task per connection; keep-alive; bodies above [`Server::max_body`] are answered with 413.
///
/// # Errors
/// Those of the listener that make further accepting pointless. Errors of one connection end that connection alone.
pub async fn serve(listener: TcpListener, server: Server, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
    accept(listener, Door::new(server, Access::default(), None, None), shutdown).await
}

/// What stands between connections and a server.
#[derive(Clone)]
pub(crate) struct Door {
    server: Server,
    access: Access,
    tls: Option<TlsAcceptor>,
    log: Option<Arc<RequestLog>>,
    /// What goes on over connections that are HTTP no more.
    upgraded: TaskTracker,
}

/// Accepts connections, and what follows from [`serve`]. Meanwhile the server's delayed work is done when it is due.
pub(crate) async fn accept(
    listener: TcpListener,
    door: Door,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD as usize);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(MAX_STREAMS).max_header_list_size(MAX_HEAD);
    let builder = Arc::new(builder);
    let door = Arc::new(door);
    let open = GracefulShutdown::new();
    let (going_on, ending) = tokio::sync::watch::channel(());
    let mut shutdown = pin!(shutdown);
    let mut settling = pin!(door.server.settle_in_time());
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
        // Small answers must not wait for acknowledgements; a connection that cannot be told so works all the same.
        let _ = stream.set_nodelay(true);
        let (door, builder) = (Arc::clone(&door), Arc::clone(&builder));
        match &door.tls {
            None => {
                tokio::spawn(connection(builder, Arc::clone(&door), stream, Shown::Nothing, open.watcher()));
            }
            Some(tls) => {
                let (handshake, ending, watcher) = (handshake(tls.clone(), stream), ending.clone(), open.watcher());
                tokio::spawn(secured(builder, Arc::clone(&door), handshake, ending, watcher));
            }
        }
    }
    drop((listener, going_on));
    door.server.end_watches();
    let all_end = async {
        open.shutdown().await;
        // No connection is left that could be upgraded.
        door.upgraded.close();
        door.upgraded.wait().await;
    };
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, all_end).await;
    Ok(())
}

async fn handshake(tls: TlsAcceptor, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    tokio::time::timeout(HEAD_TIMEOUT, tls.accept(stream)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// A connection in TLS. Whoever has not shaken hands when the server ends has asked for nothing yet.
async fn secured(
    builder: Arc<Builder<TokioExecutor>>,
    door: Arc<Door>,
    handshake: impl Future<Output = io::Result<TlsStream<TcpStream>>>,
    mut ending: Receiver<()>,
    watcher: Watcher,
) {
    let shaken = tokio::select! {
        shaken = handshake => shaken,
        _ = ending.changed() => return,
    };
    match shaken {
        Ok(stream) => {
            let shown = door.access.certificate(stream.get_ref().1.peer_certificates());
            connection(builder, door, stream, shown, watcher).await;
        }
        Err(error) => door.tell(&Told::HandshakeFailed(&error.to_string())),
    }
}

/// Answers the requests of a connection. What goes wrong with it concerns its client alone.
async fn connection(
    builder: Arc<Builder<TokioExecutor>>,
    door: Arc<Door>,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    shown: Shown,
    watcher: Watcher,
) {
    let service = service_fn(move |request| {
        let door = Arc::clone(&door);
        async move { Ok::<_, Infallible>(door.answer(request, shown).await) }
    });
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
    let _ = watcher.watch(connection).await;
}

/// What goes over the wire: one piece, or the events of a watch.
type Body = Either<Full<Bytes>, Events>;
type Events = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Infallible> + Send>>;

impl Door {
    pub(crate) fn new(server: Server, access: Access, tls: Option<TlsAcceptor>, log: Option<Arc<RequestLog>>) -> Self {
        Self { server, access, tls, log, upgraded: TaskTracker::new() }
    }

    fn tell(&self, told: &Told<'_>) {
        if let Some(log) = &self.log {
            log(told);
        }
    }

    async fn answer(&self, mut request: Request<Incoming>, certificate: Shown) -> Response<Body> {
        let asked = self.log.as_ref().map(|log| Asked {
            log: Arc::clone(log),
            method: request.method().clone(),
            uri: request.uri().clone(),
            since: Instant::now(),
        });
        let admitted = self.access.admit(&mut request, certificate);
        let upgrade = Upgrade::wanted(&mut request);
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
            (Content::Whole(bytes), _) => whole(Response::from_parts(head, bytes), asked.as_ref()),
            (Content::Events(watch), None) => {
                let told = asked.map(|asked| WatchLog::begin(asked, head.status));
                let events: Events = Box::pin(StreamBody::new(events(watch, told)));
                Response::from_parts(head, Either::Right(events))
            }
            (Content::Events(watch), Some(Upgrade { handshake: Ok(handshake), connection })) => {
                let told = asked.map(|asked| WatchLog::begin(asked, StatusCode::SWITCHING_PROTOCOLS));
                self.upgraded.spawn(messages(connection, watch, self.server.max_body(), told));
                handshake.response().map(|()| Either::Left(Full::default()))
            }
            (Content::Events(_), Some(Upgrade { handshake: Err(refused), .. })) => {
                whole(refused.response(), asked.as_ref())
            }
        }
    }
}

/// An answer that is there, all of it.
fn whole(response: Response<Bytes>, asked: Option<&Asked>) -> Response<Body> {
    if let Some(asked) = asked {
        asked.answered(response.status(), response.body());
    }
    response.map(|bytes| Either::Left(Full::new(bytes)))
}

/// What is done if the answer is a watch, and its client wants it over WebSocket.
struct Upgrade {
    handshake: Result<Handshake, websocket::Refused>,
    connection: OnUpgrade,
}

impl Upgrade {
    /// Nothing for who does not want it, or cannot have it since the connection is HTTP/2.
    fn wanted<B>(request: &mut Request<B>) -> Option<Self> {
        let connection = request.extensions_mut().remove::<OnUpgrade>()?;
        let headers = request.headers();
        let handshake = || Handshake::read(request.method(), headers);
        websocket::is_asked_for(headers).then(|| Self { handshake: handshake(), connection })
    }
}

/// The events of a watch over a connection, once it is WebSocket.
async fn messages(connection: OnUpgrade, watch: Box<Watch>, max_message: usize, mut log: Option<WatchLog>) {
    // Whoever has gone before that wants no events.
    if let Ok(connection) = connection.await {
        let sent = |bytes| log.iter_mut().for_each(|log| log.bytes += bytes as u64);
        websocket::send_events(TokioIo::new(connection), watch, max_message, sent).await;
    }
}

/// Reads the body, within its limit, and answers.
async fn read_and_answer(server: &Server, request: Request<Incoming>) -> Response<Content> {
    let (head, body) = request.into_parts();
    match Limited::new(body, server.max_body()).collect().await {
        Ok(body) => server.open(Request::from_parts(head, body.to_bytes())),
        Err(error) => {
            let too_large = error.downcast_ref::<LengthLimitError>().is_some();
            unread(if too_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST }).map(Content::Whole)
        }
    }
}

fn events(watch: Box<Watch>, log: Option<WatchLog>) -> impl Stream<Item = Result<Frame<Bytes>, Infallible>> {
    stream::unfold((watch, log), |(mut watch, mut log)| async {
        let told = watch.next().await?;
        if let Some(log) = &mut log {
            log.bytes += told.len() as u64;
        }
        Some((Ok(Frame::data(told)), (watch, log)))
    })
}

/// A request that will be told of.
struct Asked {
    log: Arc<RequestLog>,
    method: Method,
    uri: Uri,
    since: Instant,
}

impl Asked {
    fn answered(&self, code: StatusCode, body: &Bytes) {
        let message = if code.as_u16() >= 400 { message(body) } else { None };
        (self.log)(&Told::Answered(self.with(code, body.len() as u64, message.as_deref())));
    }

    fn with<'a>(&'a self, code: StatusCode, bytes: u64, message: Option<&'a str>) -> Answered<'a> {
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

/// Tells of the beginning of a watch, and of its end, which comes also by its client's going.
struct WatchLog {
    asked: Asked,
    code: StatusCode,
    bytes: u64,
}

impl WatchLog {
    fn begin(asked: Asked, code: StatusCode) -> Self {
        (asked.log)(&Told::WatchBegan(asked.with(code, 0, None)));
        Self { asked, code, bytes: 0 }
    }
}

impl Drop for WatchLog {
    fn drop(&mut self) {
        (self.asked.log)(&Told::WatchEnded(self.asked.with(self.code, self.bytes, None)));
    }
}

/// The answer to a body that was not read to its end.
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

/// Whether accepting may work again later.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
