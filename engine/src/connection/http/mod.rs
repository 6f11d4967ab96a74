//! Requests over HTTP/1.1 with keep-alive.

mod dial;
mod failure;
mod proxy;
mod session;
mod settings;
mod tls;
mod usage;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Body as _;
use hyper_util::client::legacy::connect::capture_connection;
use tokio::sync::Mutex;

pub(super) use proxy::Proxy;
pub use settings::LONGEST_BODY;
pub(super) use settings::Settings;

use self::session::{HttpClient, Session};
use self::usage::Usage;
use super::transport::{Ended, HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError};
use super::waiting::within;

/// The pauses before a request is sent again after a failed connection.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(200)];

/// A server reached over HTTP/1.1.
///
/// It has one connection pool, follows no redirects, and uses no proxy except that of the kubeconfig. A request that
/// was not sent, because there was no connection, is sent again twice. One that may have been processed is sent again
/// only if it is a GET or HEAD. What is sent again has a connection of its own. Cheap to share, but not to create.
pub struct Http {
    settings: Settings,
    session: RwLock<Arc<Session>>,
    renewing: Mutex<()>,
}

impl Http {
    /// Gets the credentials (reads token files, runs plugins) and prepares the client. No connection is opened.
    ///
    /// # Errors
    /// A sentence: why the client cannot be created, and what to do.
    pub(super) async fn open(settings: Settings) -> Result<Self, String> {
        let session = Session::open(&settings).await?;
        Ok(Self { settings, session: RwLock::new(Arc::new(session)), renewing: Mutex::new(()) })
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
            let attempt = self.attempt(session, client, request);
            let error = match within(self.settings.timeout, attempt).await {
                Some(Ok(mut answer)) => {
                    if ended > 0 {
                        answer.extensions_mut().insert(Ended { times: ended });
                    }
                    return Ok(answer);
                }
                Some(Err(error)) => error,
                None => TransportError::Timeout {
                    place: self.place(request.method(), request.uri()),
                    after: self.settings.timeout,
                },
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
        let mut message =
            self.message(session, request).map_err(|detail| TransportError::Unsendable { place: place(), detail })?;
        let connection = capture_connection(&mut message);
        let response = client.request(message).await.map_err(|error| {
            let usage = Usage::of(&connection);
            let is_received = usage.is_some_and(|usage| usage.has_silent_request(request.body().len()));
            failure::of_request(&error, place()).when_received(is_received)
        })?;
        let (head, body) = response.into_parts();
        let limit = self.settings.longest_body;
        let too_large = || Err(TransportError::TooLarge { place: place(), limit });
        if body.size_hint().lower() > limit {
            return too_large();
        }
        match Limited::new(body, usize::try_from(limit).unwrap_or(usize::MAX)).collect().await {
            Ok(body) => Ok(http::Response::from_parts(head, body.to_bytes())),
            Err(error) if error.is::<LengthLimitError>() => too_large(),
            Err(error) => Err(failure::of_body(&*error, place())),
        }
    }

    /// The request with its whole URL and the headers of the session.
    fn message(&self, session: &Session, request: &HttpRequest) -> Result<Request<Full<Bytes>>, String> {
        static ROOT: PathAndQuery = PathAndQuery::from_static("/");
        let mut message = Request::new(Full::new(request.body().clone()));
        *message.method_mut() = request.method().clone();
        *message.uri_mut() = self.settings.address.url(request.uri().path_and_query().unwrap_or(&ROOT))?;
        message.headers_mut().clone_from(request.headers());
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
