//! A client with the credentials of one moment.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::dial::{Dialer, Route, server_name};
use super::settings::Settings;
use super::tls::Certificates;
use crate::marks::USER_AGENT;

/// The time limit of a connection and its TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an idle connection is kept. kube-apiserver closes it after 90 s, and gateways often after 60 s: a request
/// on a connection that is just being closed would be lost.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// How many headers a response may have: one for each warning, of which kube-apiserver
/// sends up to 4 KiB (VER-013), as short as they are.
const MOST_HEADERS: usize = 1_024;

/// A client that opens connections by the route of a session.
pub(super) type HttpClient = Client<Dialer, Full<Bytes>>;

/// Connections, and the headers of every request.
pub(super) struct Session {
    pub(super) client: HttpClient,
    /// It opens a connection for each request, since the server may close all kept connections at once.
    pub(super) unpooled: HttpClient,
    pub(super) headers: HeaderMap,
    valid_until: Option<Instant>,
}

impl Session {
    /// Gets the credentials and prepares the client. No connection is opened.
    pub(super) async fn open(settings: &Settings) -> Result<Self, String> {
        let credentials = settings.login.credentials(&settings.secrets).await?;
        let mut headers = settings.headers.clone();
        if let Some(authorization) = &credentials.authorization {
            let mut value = HeaderValue::from_str(authorization.expose()).map_err(|_| {
                "the token contains characters that are not allowed in an HTTP header (a line break?)".to_owned()
            })?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        headers.entry(header::ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        headers.entry(header::USER_AGENT).or_insert(HeaderValue::from_static(USER_AGENT));

        let server = settings.address.origin();
        let proxy = settings.proxy.clone();
        // A tunnel sends these credentials when it is opened; the server must not see them.
        if let Some(authorization) = proxy.as_ref().filter(|_| !server.is_tls()).and_then(|it| it.authorization.clone())
        {
            headers.insert(header::PROXY_AUTHORIZATION, authorization);
        }
        let certificates = Certificates::parse(settings, credentials.identity.as_ref())?;
        let uses_tls = server.is_tls() || proxy.as_ref().is_some_and(|proxy| proxy.origin.is_tls());
        let tls = uses_tls.then(|| certificates.config(settings.insecure)).transpose()?.map(Arc::new);
        let name = settings.server_name.as_deref().unwrap_or(server.name());
        let name = server.is_tls().then(|| server_name(name)).transpose()?;
        let timeout = settings.timeout.min(CONNECT_TIMEOUT);
        let route = Arc::new(Route { server: server.clone(), name, proxy, tls, timeout });
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .http1_max_headers(MOST_HEADERS)
            .build(Dialer { route: Arc::clone(&route) });
        let unpooled = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(0)
            .http1_max_headers(MOST_HEADERS)
            .build(Dialer { route });
        Ok(Self { client, unpooled, headers, valid_until: credentials.valid_until })
    }

    pub(super) fn is_valid(&self) -> bool {
        self.valid_until.is_none_or(|end| Instant::now() < end)
    }
}
