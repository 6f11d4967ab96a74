//! Answers the requests of connections.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::header::{CONNECTION, WARNING};
use http::{HeaderValue, Request, Response, StatusCode, Version};
use http_body_util::{BodyExt as _, Either, Full, LengthLimitError, Limited, StreamBody};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_util::task::TaskTracker;

use super::activity::{Activity, Open};
use super::hosts::Hosts;
use super::limits::Limits;
use super::logged::{LoggedRequest, WatchLog};
use super::pages::{Arrival, Pages, Refused};
use crate::api::server::Server;
use crate::base::status::Failure;
use crate::http::access::{Access, Authentication, CredentialState, refusal};
use crate::http::request_log::{LogEntry, RequestLog};
use crate::http::websocket::{self, Handshake};
use crate::messages::answer::{Answer, Content, Warnings, respond, warning_header};
use crate::messages::representation::Format;
use crate::messages::watch::Watch;

/// What connections need: the server, who may use it, TLS, limits and the log.
#[derive(Clone)]
pub(crate) struct Frontend {
    server: Server,
    access: Access,
    pages: Pages,
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) limits: Limits,
    log: Option<Arc<RequestLog>>,
    /// The tasks of all connections.
    pub(super) tasks: TaskTracker,
}

/// A connection, while it is open.
pub(super) struct Connection {
    pub(super) activity: Arc<Activity>,
    /// The server's address of it.
    pub(super) local: Option<IpAddr>,
    pub(super) certificate: CredentialState,
    /// Its place among the connections that may be open at once.
    pub(super) _permit: OwnedSemaphorePermit,
}

/// The body of a response: complete, or the events of a watch. The request is open until it is sent.
pub(super) struct Body {
    content: Either<Full<Bytes>, Events>,
    _open: Open,
}

type Events = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Infallible> + Send>>;

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        match &mut self.content {
            Either::Left(whole) => Pin::new(whole).poll_frame(cx),
            Either::Right(events) => events.as_mut().poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Either::Left(whole) => whole.is_end_stream(),
            Either::Right(events) => events.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Either::Left(whole) => whole.size_hint(),
            Either::Right(events) => events.size_hint(),
        }
    }
}

/// The settings of a [`Frontend`].
pub(crate) struct Settings {
    pub(crate) access: Access,
    pub(crate) authentication: Authentication,
    pub(crate) hosts: Hosts,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) limits: Limits,
    pub(crate) log: Option<Arc<RequestLog>>,
}

impl Frontend {
    pub(crate) fn new(server: Server, settings: Settings) -> Self {
        let Settings { access, authentication, hosts, tls, limits, log } = settings;
        Self { server, access, pages: Pages::new(hosts, authentication), tls, limits, log, tasks: TaskTracker::new() }
    }

    pub(super) fn server(&self) -> &Server {
        &self.server
    }

    /// Checks the certificates that a client presented.
    pub(super) fn certificate(&self, chain: Option<&[CertificateDer<'_>]>) -> CredentialState {
        self.access.certificate(chain)
    }

    pub(super) fn log(&self, entry: &LogEntry<'_>) {
        if let Some(log) = &self.log {
            log(entry);
        }
    }

    pub(super) async fn answer(&self, mut request: Request<Incoming>, connection: Arc<Connection>) -> Response<Body> {
        let open = connection.activity.begin();
        let logged = self.log.as_ref().map(|log| LoggedRequest::begin(log, &request));
        let admitted = self.admit(&mut request, &connection);
        let upgrade = Upgrade::requested(&mut request);
        let response = match admitted {
            Err(refusal) => *refusal,
            Ok(warning) => {
                let mut answer = self.read_and_answer(request).await;
                if let Some(warning) = warning.and_then(warning_header) {
                    answer.headers_mut().append(WARNING, warning);
                }
                answer
            }
        };
        let (head, content) = response.into_parts();
        let whole = |response: Response<Bytes>| {
            if let Some(logged) = &logged {
                logged.log_response(response.status(), response.body());
            }
            response.map(|bytes| Either::Left(Full::new(bytes)))
        };
        let response = match (content, upgrade) {
            (Content::Whole(bytes), _) => whole(Response::from_parts(head, bytes)),
            (Content::Events(watch), None) => {
                let log = logged.map(|logged| WatchLog::begin(logged, head.status));
                let events: Events = Box::pin(StreamBody::new(events(watch, log)));
                Response::from_parts(head, Either::Right(events))
            }
            (Content::Events(watch), Some(Upgrade { handshake: Ok(handshake), connection: upgraded })) => {
                let log = logged.map(|logged| WatchLog::begin(logged, StatusCode::SWITCHING_PROTOCOLS));
                self.tasks.spawn(messages(upgraded, connection, watch, self.server.max_body(), log));
                handshake.response().map(|()| Either::Left(Full::default()))
            }
            (Content::Events(_), Some(Upgrade { handshake: Err(refused), .. })) => whole(refused.response()),
        };
        response.map(|content| Body { content, _open: open })
    }

    /// Admits a request, with a warning to add to its response if there is one; or returns the refusal.
    fn admit<B>(
        &self,
        request: &mut Request<B>,
        connection: &Connection,
    ) -> Result<Option<&'static str>, Box<Response<Content>>> {
        let arrival = Arrival { local: connection.local, is_tls: self.tls.is_some() };
        match self.pages.admit(request, arrival) {
            Ok(()) => self.access.admit(request, connection.certificate),
            Err(Refused::Forbidden(failure)) => Err(Box::new(refusal(failure, request, None))),
            Err(Refused::Malformed(why)) => {
                let answer = Answer::text(400, format!("400 Bad Request: {why}"));
                let response = respond(Ok(answer), Warnings::default(), Format::Json);
                Err(Box::new(closing(response, request.version())))
            }
        }
    }

    /// Reads the body within its limits and answers the request.
    async fn read_and_answer(&self, request: Request<Incoming>) -> Response<Content> {
        let version = request.version();
        let (head, body) = request.into_parts();
        match timeout(self.limits.body, Limited::new(body, self.server.max_body()).collect()).await {
            Ok(Ok(body)) => self.server.respond(Request::from_parts(head, body.to_bytes())).await,
            Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => {
                let message = format!("Request entity too large: limit is {}", self.server.max_body());
                unread(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", &message)
            }
            Ok(Err(_)) => unread(StatusCode::BAD_REQUEST, "BadRequest", "the body could not be read"),
            Err(_) => {
                let seconds = self.limits.body.as_secs_f64();
                let message = format!("the body was not received within {seconds} seconds");
                closing(unread(StatusCode::REQUEST_TIMEOUT, "Timeout", &message), version)
            }
        }
    }
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

/// Sends the events of a watch over a connection once it is upgraded to WebSocket, until the client does not read them
/// any more.
async fn messages(
    upgraded: OnUpgrade,
    connection: Arc<Connection>,
    watch: Box<Watch>,
    max_message: usize,
    mut log: Option<WatchLog>,
) {
    let _open = connection.activity.begin();
    // A client that disconnected before the upgrade gets no events.
    if let Ok(upgraded) = upgraded.await {
        let sent = |bytes| log.iter_mut().for_each(|log| log.bytes += bytes as u64);
        tokio::select! {
            () = websocket::send_events(TokioIo::new(upgraded), watch, max_message, sent) => {}
            _ = connection.activity.expired() => {}
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

/// The response to a request whose body was not read completely.
fn unread(code: StatusCode, reason: &'static str, message: &str) -> Response<Content> {
    let failure = Failure { code: code.as_u16(), reason, ..Failure::bad_request(message) };
    respond(Err(failure.into()), Warnings::default(), Format::Json)
}

/// Closes the connection after this response; HTTP/2 has no header for that.
fn closing(mut response: Response<Content>, version: Version) -> Response<Content> {
    if version < Version::HTTP_2 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
