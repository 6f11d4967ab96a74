//! Requests over HTTP/1.1 keep-alive connections.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use tokio::sync::Mutex;

use super::address::Address;
use super::credentials::{ClientIdentity, Login};
use super::failure;
use super::secret::{Secret, Secrets};
use super::transport::{HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError};
use crate::marks::USER_AGENT;

/// The longest answer that is kept, in bytes. The largest ordinary one, a full list of a large
/// collection, stays far below it.
pub const LONGEST_BODY: u64 = 64 << 20;

/// Pauses before a request is sent again after a failed connection.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(200)];

/// Time allowed for a connection and its TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A server reached over HTTP/1.1.
///
/// One connection pool, no redirects, no proxy unless the kubeconfig names one. A request that
/// never left (no connection) is sent again twice; one that may have been processed is sent again
/// only if it is a GET or HEAD. Cheap to share, not to make.
pub struct Http {
    settings: Settings,
    session: RwLock<Arc<Session>>,
    renewing: Mutex<()>,
}

/// What a connection needs to know.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) address: Address,
    pub(super) login: Login,
    /// PEM certificates that are trusted instead of the system's.
    pub(super) ca: Option<Vec<u8>>,
    pub(super) insecure: bool,
    /// The name that the certificate must bear, if not the address's host.
    pub(super) server_name: Option<String>,
    pub(super) proxy: Option<Secret>,
    /// Further headers of each request (impersonation).
    pub(super) headers: HeaderMap,
    pub(super) timeout: Duration,
    pub(super) longest_body: u64,
    pub(super) secrets: Secrets,
}

impl Settings {
    /// Settings for an anonymous client of `address`.
    pub(super) fn new(address: Address, timeout: Duration, secrets: Secrets) -> Self {
        Self {
            address,
            login: Login::default(),
            ca: None,
            insecure: false,
            server_name: None,
            proxy: None,
            headers: HeaderMap::new(),
            timeout,
            longest_body: LONGEST_BODY,
            secrets,
        }
    }
}

/// A client with the credentials of one moment.
struct Session {
    client: reqwest::Client,
    /// Where requests go; differs from the settings' in the host if a server name is set.
    address: Address,
    headers: HeaderMap,
    valid_until: Option<Instant>,
}

impl Http {
    /// A client for `address` without credentials; TLS trusts the system's authorities.
    ///
    /// # Errors
    /// A sentence on what could not be set up.
    pub async fn anonymous(address: Address, timeout: Duration) -> Result<Self, String> {
        Self::open(Settings::new(address, timeout, Secrets::default())).await
    }

    /// Logs in (reads token files, runs plugins) and prepares the client; connects to nothing yet.
    ///
    /// # Errors
    /// A sentence on what could not be set up, and what to do.
    pub(super) async fn open(settings: Settings) -> Result<Self, String> {
        super::install_crypto();
        let session = Session::open(&settings).await?;
        Ok(Self { settings, session: RwLock::new(Arc::new(session)), renewing: Mutex::new(()) })
    }

    fn place(&self, method: &Method, uri: &http::Uri) -> RequestSummary {
        RequestSummary::new(&self.settings.address.shown(), method, uri)
    }

    fn current(&self) -> Arc<Session> {
        Arc::clone(&self.session.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The session to use: the present one, or a new one if its credentials have run out.
    async fn session(&self) -> Result<Arc<Session>, TransportError> {
        let session = self.current();
        if session.is_valid() { Ok(session) } else { self.renew(&session).await }
    }

    /// Logs in anew unless somebody else has done so since `stale` was taken.
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
        // 401 comes before anything is done with the request, so it may be sent again.
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
        loop {
            let attempt = self.attempt(session, request);
            let error = match tokio::time::timeout(self.settings.timeout, attempt).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => error,
                Err(_) => TransportError::Timeout {
                    place: self.place(request.method(), request.uri()),
                    after: self.settings.timeout,
                },
            };
            let again = match &error {
                TransportError::Unreachable { .. } => true,
                TransportError::Closed { .. } => repeatable,
                _ => false,
            };
            match pauses.next() {
                Some(pause) if again => tokio::time::sleep(*pause).await,
                _ => return Err(error),
            }
        }
    }

    async fn attempt(&self, session: &Session, request: &HttpRequest) -> Result<http::Response<Bytes>, TransportError> {
        let place = || self.place(request.method(), request.uri());
        let explain = |error| failure::explain(error, place(), self.settings.timeout);
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let url = session.address.url(path).map_err(|detail| TransportError::Unsendable { place: place(), detail })?;

        let mut message = reqwest::Request::new(request.method().clone(), url);
        message.headers_mut().clone_from(request.headers());
        for (name, value) in &session.headers {
            // What the request itself says comes first.
            if !request.headers().contains_key(name) {
                message.headers_mut().append(name, value.clone());
            }
        }
        if !request.body().is_empty() {
            *message.body_mut() = Some(request.body().clone().into());
        }

        let mut response = session.client.execute(message).await.map_err(explain)?;
        let limit = self.settings.longest_body;
        let too_large = || TransportError::TooLarge { place: place(), limit };
        if response.content_length().is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let status = response.status();
        let version = response.version();
        let headers = std::mem::take(response.headers_mut());
        let mut first = Bytes::new();
        let mut more: Option<BytesMut> = None;
        while let Some(chunk) = response.chunk().await.map_err(explain)? {
            let have = more.as_ref().map_or(first.len(), BytesMut::len);
            if (have + chunk.len()) as u64 > limit {
                return Err(too_large());
            }
            // Nearly every answer is one chunk, and that one need not be copied.
            match &mut more {
                Some(more) => more.extend_from_slice(&chunk),
                None if first.is_empty() => first = chunk,
                None => {
                    let mut joined = BytesMut::from(&first[..]);
                    joined.extend_from_slice(&chunk);
                    more = Some(joined);
                }
            }
        }
        let mut answer = http::Response::new(more.map_or(first, BytesMut::freeze));
        *answer.status_mut() = status;
        *answer.version_mut() = version;
        *answer.headers_mut() = headers;
        Ok(answer)
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

impl Session {
    async fn open(settings: &Settings) -> Result<Self, String> {
        let credentials = settings.login.credentials(&settings.secrets).await?;
        let mut headers = settings.headers.clone();
        if let Some(authorization) = &credentials.authorization {
            let mut value = HeaderValue::from_str(authorization.expose())
                .map_err(|_| "the token holds characters that no HTTP header may hold (a line break?)".to_owned())?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }

        let mut address = settings.address.clone();
        let mut builder = client_builder(settings)?;
        if let Some(identity) = &credentials.identity {
            builder = builder.identity(pem_identity(identity)?);
        }
        if let Some(name) = &settings.server_name {
            // rustls takes the expected name from the URL, so the URL bears that name, the name is
            // resolved to the real host, and the `Host` header tells the real one.
            let real = (settings.address.host().trim_matches(['[', ']']), settings.address.port());
            let resolved: Vec<_> = tokio::net::lookup_host(real)
                .await
                .map_err(|error| format!("cannot find the host {}: {error}", real.0))?
                .collect();
            builder = builder.resolve_to_addrs(name, &resolved);
            address = settings.address.with_host(name)?;
            let host = HeaderValue::from_str(&settings.address.authority()).map_err(|error| error.to_string())?;
            headers.insert(header::HOST, host);
        }
        let client = builder.build().map_err(|error| describe_builder(&error))?;
        Ok(Self { client, address, headers, valid_until: credentials.valid_until })
    }

    fn is_valid(&self) -> bool {
        self.valid_until.is_none_or(|end| Instant::now() < end)
    }
}

fn client_builder(settings: &Settings) -> Result<reqwest::ClientBuilder, String> {
    let mut builder = reqwest::Client::builder()
        .http1_only()
        .tcp_nodelay(true)
        .no_proxy()
        .referer(false)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(settings.timeout.min(CONNECT_TIMEOUT))
        .user_agent(USER_AGENT);
    if let Some(pem) = &settings.ca {
        let certificates = reqwest::Certificate::from_pem_bundle(pem)
            .map_err(|error| format!("the certificates of the authority cannot be read: {error}"))?;
        if certificates.is_empty() {
            return Err("there is no PEM certificate (-----BEGIN CERTIFICATE-----) in what should be the authority's"
                .to_owned());
        }
        builder = builder.tls_certs_only(certificates);
    }
    if settings.insecure {
        builder = builder.tls_danger_accept_invalid_certs(true).tls_danger_accept_invalid_hostnames(true);
    }
    if let Some(proxy) = &settings.proxy {
        let proxy = reqwest::Proxy::all(proxy.expose())
            .map_err(|error| format!("the proxy cannot be used: {}", describe_builder(&error.without_url())))?;
        builder = builder.proxy(proxy);
    }
    Ok(builder)
}

fn pem_identity(identity: &ClientIdentity) -> Result<reqwest::Identity, String> {
    let mut both = identity.certificate.clone();
    both.push(b'\n');
    both.extend_from_slice(identity.key.expose().as_bytes());
    reqwest::Identity::from_pem(&both).map_err(|error| {
        format!("the client's certificate and key cannot be read as PEM: {}", describe_builder(&error))
    })
}

fn describe_builder(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        text = cause.to_string();
        next = cause.source();
    }
    text
}
