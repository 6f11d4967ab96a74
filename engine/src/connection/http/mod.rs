//! Requests over HTTP/1.1 with keep-alive.

mod dial;
mod failure;
mod proxy;
mod session;
mod settings;
mod tls;
mod usage;
mod websocket;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::uri::PathAndQuery;
use http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Incoming};
use hyper_util::client::legacy::connect::capture_connection;
use tokio::sync::Mutex;

pub(super) use proxy::Proxy;
pub use settings::LONGEST_BODY;
pub(super) use settings::Settings;

use self::session::{HttpClient, Session};
use self::usage::Usage;
use self::websocket::Unread;
use super::transport::{Ended, HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError, Unended};
use super::waiting::{is_patient, within};
use super::watch::lasts;

/// The pauses before a request is sent again after a failed connection.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(200)];

/// How much longer than it was asked to a stream may go on; then what came until then is the response.
const GRACE: Duration = Duration::from_secs(5);
/// The same once a stream has gone on for longer.
const SHORT_GRACE: Duration = Duration::from_secs(1);

/// A server reached over HTTP/1.1.
///
/// It has one connection pool, follows no redirects, and uses no proxy except that of the kubeconfig. A request that
/// was not sent, because there was no connection, is sent again twice. One that may have been processed is sent again
/// only if it is a GET or HEAD. What is sent again has a connection of its own. Cheap to share, but not to create.
pub struct Http {
    settings: Settings,
    session: RwLock<Arc<Session>>,
    renewing: Mutex<()>,
    /// Whether a stream has gone on for longer than it was asked to.
    goes_on: AtomicBool,
}

impl Http {
    /// Gets the credentials (reads token files, runs plugins) and prepares the client. No connection is opened.
    ///
    /// # Errors
    /// A sentence: why the client cannot be created, and what to do.
    pub(super) async fn open(settings: Settings) -> Result<Self, String> {
        let session = Session::open(&settings).await?;
        Ok(Self {
            settings,
            session: RwLock::new(Arc::new(session)),
            renewing: Mutex::new(()),
            goes_on: AtomicBool::new(false),
        })
    }

    fn place(&self, method: &Method, uri: &http::Uri) -> RequestSummary {
        RequestSummary::new(&self.settings.address.shown(), method, uri)
    }

    fn current(&self) -> Arc<Session> {
        Arc::clone(&self.session.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The current session, or a new one if its credentials have expired.
    async fn session(&self) -> Result<Arc<Session>, TransportError> {
        let session = self.current();
        if session.is_valid() { Ok(session) } else { self.renew(&session).await }
    }

    /// Gets new credentials, unless another request has done so since `stale` was current.
    async fn renew(&self, stale: &Arc<Session>) -> Result<Arc<Session>, TransportError> {
        let _alone = self.renewing.lock().await;
        let current = self.current();
        if !Arc::ptr_eq(&current, stale) {
            return Ok(current);
        }
        let fresh = Session::open(&self.settings)
            .await
            .map_err(|detail| TransportError::Credentials { address: self.settings.address.shown(), detail })?;
        let fresh = Arc::new(fresh);
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&fresh);
        Ok(fresh)
    }

    async fn deliver(&self, request: HttpRequest) -> Result<http::Response<Bytes>, TransportError> {
        let session = self.session().await?;
        let answer = self.try_often(&session, &request).await?;
        // A request that is answered with 401 has not been processed, so it may be sent again.
        if answer.status() == StatusCode::UNAUTHORIZED && self.settings.login.renewal.is_some() {
            let fresh = self.renew(&session).await?;
            return self.try_often(&fresh, &request).await;
        }
        Ok(answer)
    }

    async fn try_often(
        &self,
        session: &Session,
        request: &HttpRequest,
    ) -> Result<http::Response<Bytes>, TransportError> {
        let repeatable = matches!(*request.method(), Method::GET | Method::HEAD);
        let mut pauses = PAUSES.iter();
        let mut client = &session.client;
        let mut ended = 0;
        loop {
            let error = match self.attempt(session, client, request).await {
                Ok(mut answer) => {
                    if ended > 0 {
                        answer.extensions_mut().insert(Ended { times: ended });
                    }
                    return Ok(answer);
                }
                Err(error) => error,
            };
            ended += u32::from(matches!(error, TransportError::Closed { is_received: true, .. }));
            let again = match &error {
                TransportError::Unreachable { .. } => true,
                TransportError::Closed { .. } => repeatable,
                _ => false,
            };
            match pauses.next() {
                Some(pause) if again => {
                    client = &session.unpooled;
                    tokio::time::sleep(*pause).await;
                }
                _ => return Err(error),
            }
        }
    }

    async fn attempt(
        &self,
        session: &Session,
        client: &HttpClient,
        request: &HttpRequest,
    ) -> Result<http::Response<Bytes>, TransportError> {
        let place = || self.place(request.method(), request.uri());
        let timeout = self.settings.timeout;
        let nothing_came = || TransportError::Timeout { place: place(), after: timeout };
        if let Some(asked) = request.uri().query().and_then(lasts) {
            let response = within(timeout, self.ask(session, client, request)).await.ok_or_else(nothing_came)??;
            let grace = if self.goes_on.load(Ordering::Relaxed) && !is_patient() { SHORT_GRACE } else { GRACE };
            let limit = (asked + grace).min(timeout);
            let (mut answer, has_ended) = if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                self.read_messages_for(limit, response, place).await?
            } else {
                let (head, body) = response.into_parts();
                let (read, has_ended) = self.read_for(limit, body, place).await?;
                (http::Response::from_parts(head, read), has_ended)
            };
            if !has_ended {
                // The user's time for a request is over, and not that of the stream.
                if limit <= asked {
                    return Err(TransportError::Unfinished { place: place(), after: limit });
                }
                self.goes_on.store(true, Ordering::Relaxed);
                answer.extensions_mut().insert(Unended { after: limit });
            }
            return Ok(answer);
        }
        let mut has_begun = false;
        let whole = within(timeout, async {
            let (head, body) = self.ask(session, client, request).await?.into_parts();
            has_begun = true;
            let (read, _) = self.read_for(Duration::MAX, body, place).await?;
            Ok(http::Response::from_parts(head, read))
        });
        match whole.await {
            Some(answer) => answer,
            None if has_begun => Err(TransportError::Unfinished { place: place(), after: timeout }),
            None => Err(nothing_came()),
        }
    }

    /// Sends a request; returns once the head of the response is there.
    async fn ask(
        &self,
        session: &Session,
        client: &HttpClient,
        request: &HttpRequest,
    ) -> Result<http::Response<Incoming>, TransportError> {
        let place = || self.place(request.method(), request.uri());
        let mut message =
            self.message(session, request).map_err(|detail| TransportError::Unsendable { place: place(), detail })?;
        let connection = capture_connection(&mut message);
        client.request(message).await.map_err(|error| {
            let usage = Usage::of(&connection);
            let is_received = usage.is_some_and(|usage| usage.has_silent_request(request.body().len()));
            failure::of_request(&error, place()).when_received(is_received)
        })
    }

    /// Reads a body for at most this long: what came until then, and whether that is all.
    async fn read_for(
        &self,
        limit: Duration,
        mut body: Incoming,
        place: impl Fn() -> RequestSummary,
    ) -> Result<(Bytes, bool), TransportError> {
        let longest = self.settings.longest_body;
        let too_large = || TransportError::TooLarge { place: place(), limit: longest };
        if body.size_hint().lower() > longest {
            return Err(too_large());
        }
        let mut read = BytesMut::new();
        let reading = async {
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|error| failure::of_body(&error, place()))?;
                read.extend_from_slice(frame.data_ref().unwrap_or(&Bytes::new()));
                if read.len() as u64 > longest {
                    return Err(too_large());
                }
            }
            Ok(())
        };
        let has_ended = within(limit, reading).await.transpose()?.is_some();
        Ok((read.freeze(), has_ended))
    }

    /// The same with the messages of a WebSocket.
    async fn read_messages_for(
        &self,
        limit: Duration,
        response: http::Response<Incoming>,
        place: impl Fn() -> RequestSummary,
    ) -> Result<(http::Response<Bytes>, bool), TransportError> {
        let longest = self.settings.longest_body;
        let mut answer = http::Response::new(Bytes::new());
        *answer.status_mut() = response.status();
        answer.headers_mut().clone_from(response.headers());
        let mut read = BytesMut::new();
        let reading = within(limit, websocket::read(response, longest, &mut read)).await;
        let has_ended = reading.is_some();
        match reading {
            Some(Err(Unread::TooLarge)) => return Err(TransportError::TooLarge { place: place(), limit: longest }),
            Some(Err(Unread::Closed(detail))) => return Err(failure::closed(detail, place())),
            Some(Ok(())) | None => {}
        }
        *answer.body_mut() = read.freeze();
        Ok((answer, has_ended))
    }

    /// The request with its whole URL and the headers of the session.
    fn message(&self, session: &Session, request: &HttpRequest) -> Result<Request<Full<Bytes>>, String> {
        static ROOT: PathAndQuery = PathAndQuery::from_static("/");
        let mut message = Request::new(Full::new(request.body().clone()));
        *message.method_mut() = request.method().clone();
        *message.uri_mut() = self.settings.address.url(request.uri().path_and_query().unwrap_or(&ROOT))?;
        message.headers_mut().clone_from(request.headers());
        // It is not a web page of another site that asks for a WebSocket; kube-apiserver demands that it says so.
        if request.headers().contains_key(header::UPGRADE) {
            let origin = HeaderValue::try_from(self.settings.address.origin().shown());
            message.headers_mut().extend(origin.ok().map(|origin| (header::ORIGIN, origin)));
        }
        for (name, value) in &session.headers {
            // The headers of the request itself have precedence.
            if !request.headers().contains_key(name) {
                message.headers_mut().append(name, value.clone());
            }
        }
        Ok(message)
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Http({})", self.settings.address.shown())
    }
}

impl Transport for Http {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(self.deliver(request))
    }
}
