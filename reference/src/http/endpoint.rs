//! A server at a network address, with or without TLS and authentication.
//!
//! ```
//! # use crdible_reference::{Authentication, Authority, Endpoint, Server};
//! # use crdible_semantics::Semantics;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let endpoint = Endpoint::new(Server::new(Semantics::UPSTREAM)).tls(Authority::new()?);
//! let running = endpoint.authenticate(Authentication::Token).listen("127.0.0.1:0").await?.start();
//! assert!(running.url().starts_with("https://127.0.0.1:"));
//! assert!(running.kubeconfig().to_yaml().contains("token: "));
//! running.stop().await?;
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::api::server::Server;
use crate::http::access::{Access, Authentication, Token};
use crate::http::kubeconfig::{Kubeconfig, Login};
use crate::http::request_log::{LogEntry, RequestLog};
use crate::http::serve::{Frontend, Host, Hosts, Limits, Settings, accept};
use crate::http::tls::{Authority, TlsError};

/// How a server is reached over the network. By default over plain HTTP, without authentication.
///
/// Endpoints of the same server share its objects and nothing else; a process may have many.
#[derive(Clone)]
pub struct Endpoint {
    server: Server,
    authority: Option<Authority>,
    authentication: Authentication,
    hosts: Vec<Host>,
    limits: Limits,
    log: Option<Arc<RequestLog>>,
}

impl Endpoint {
    /// An endpoint for a server.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            authority: None,
            authentication: Authentication::None,
            hosts: Vec::new(),
            limits: Limits::default(),
            log: None,
        }
    }

    /// Serves HTTPS with a certificate of this authority. The certificate is valid for `localhost`, the loopback
    /// addresses, and the address that the endpoint listens on.
    #[must_use]
    pub fn tls(self, authority: Authority) -> Self {
        Self { authority: Some(authority), ..self }
    }

    /// Admits only clients with a credential, which [`Listening::kubeconfig`] contains. Anonymous clients reach only
    /// the probes (`/healthz`, `/livez`, `/readyz`) and `/version`.
    #[must_use]
    pub fn authenticate(self, authentication: Authentication) -> Self {
        Self { authentication, ..self }
    }

    /// Accepts requests for this host at any port, and of web pages of it. May be called again for further ones.
    ///
    /// Without a credential, a server is open to every page that a browser shows. So it accepts only requests whose
    /// `Host` is `localhost`, a loopback address, the address that it listens on, or one of these hosts; and none that
    /// a web page of another site sends, according to `Origin` and `Sec-Fetch-Site`. Others are answered with 403. With
    /// [`Authentication::ClientCertificate`] the second holds, too, because browsers present certificates by
    /// themselves; with [`Authentication::Token`] neither does, because a page does not know the token.
    #[must_use]
    pub fn accept_host(mut self, host: Host) -> Self {
        self.hosts.push(host);
        self
    }

    /// Sets the limits of connections, in place of the default ones.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Calls `log` for each response, for each begin and end of a watch, and for each failed TLS handshake, and when
    /// the limit of connections is reached. It is called from several threads.
    #[must_use]
    pub fn log(self, log: impl Fn(&LogEntry<'_>) + Send + Sync + 'static) -> Self {
        Self { log: Some(Arc::new(log)), ..self }
    }

    /// Binds an address; port 0 selects a free port.
    ///
    /// # Errors
    /// The address cannot be resolved or bound; or those of [`Endpoint::on`].
    pub async fn listen(self, address: impl ToSocketAddrs) -> io::Result<Listening> {
        let listener = TcpListener::bind(address).await?;
        self.on(listener)
    }

    /// Uses a listener that is already bound.
    ///
    /// # Errors
    /// The address of the listener cannot be read, a certificate cannot be generated, or client certificates are
    /// required without TLS.
    pub fn on(self, listener: TcpListener) -> io::Result<Listening> {
        let address = listener.local_addr()?;
        let (login, access) = self.credentials().map_err(io::Error::other)?;
        let config = self.authority.as_ref().map(|authority| authority.server_config(address.ip(), access.clients()));
        let tls = config.transpose().map_err(io::Error::other)?.map(|config| TlsAcceptor::from(Arc::new(config)));
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", reachable(address));
        let authority = self.authority.as_ref().map(Authority::pem);
        let kubeconfig = Kubeconfig::new(&url, authority.as_deref(), &login);
        let hosts = Hosts::new(address.ip(), self.hosts);
        let Self { authentication, limits, log, .. } = self;
        let settings = Settings { access, authentication, hosts, tls, limits, log };
        Ok(Listening { listener, frontend: Frontend::new(self.server, settings), url, kubeconfig })
    }

    fn credentials(&self) -> Result<(Login, Access), TlsError> {
        match self.authentication {
            Authentication::None => Ok((Login::Anonymous, Access::default())),
            Authentication::Token => {
                let token = Token::random()?;
                let access = Access::by_token(&token);
                Ok((Login::Token(token), access))
            }
            Authentication::ClientCertificate => {
                let error = || TlsError::new("authentication by client certificate requires TLS: set an authority");
                let authority = self.authority.as_ref().ok_or_else(error)?;
                Ok((Login::Certificate(authority.client_identity()?), Access::by_certificate(authority.clients()?)))
            }
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, authority, authentication, hosts, limits, log: _ } = self;
        let mut shown = f.debug_struct("Endpoint");
        shown.field("server", server).field("authority", authority).field("authentication", authentication);
        shown.field("hosts", hosts).field("limits", limits);
        shown.finish_non_exhaustive()
    }
}

/// The address at which clients on the same machine reach a server that listens at `address`.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// A bound endpoint. Clients can connect; they are answered once it is [started](Listening::start) or
/// [served](Listening::serve).
pub struct Listening {
    listener: TcpListener,
    frontend: Frontend,
    url: String,
    kubeconfig: Kubeconfig,
}

impl Listening {
    /// The base URL, for example `http://127.0.0.1:8001`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A kubeconfig for this endpoint: its address, its authority, and a credential if one is required.
    pub fn kubeconfig(&self) -> &Kubeconfig {
        &self.kubeconfig
    }

    /// Serves until `shutdown` completes, then waits up to 5 seconds for open requests.
    ///
    /// # Errors
    /// The listener fails permanently. An error of a single connection ends only that connection.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        accept(self.listener, self.frontend, shutdown).await
    }

    /// Serves in a task of the current Tokio runtime.
    ///
    /// # Panics
    /// If called outside of a Tokio runtime.
    pub fn start(self) -> Running {
        let Self { url, kubeconfig, listener, frontend } = self;
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async {
            // The sender is dropped to stop it, which is an error here.
            let _ = stopped.await;
        };
        Running { url, kubeconfig, stop, task: tokio::spawn(accept(listener, frontend, shutdown)) }
    }
}

impl fmt::Debug for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listening").field("url", &self.url).finish_non_exhaustive()
    }
}

/// A server that runs in a task. It stops when it is dropped.
#[derive(Debug)]
pub struct Running {
    url: String,
    kubeconfig: Kubeconfig,
    stop: oneshot::Sender<()>,
    task: JoinHandle<io::Result<()>>,
}

impl Running {
    /// The base URL, for example `http://127.0.0.1:8001`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A kubeconfig for this endpoint: its address, its authority, and a credential if one is required.
    pub fn kubeconfig(&self) -> &Kubeconfig {
        &self.kubeconfig
    }

    /// Stops the server, and waits up to 5 seconds for open requests.
    ///
    /// # Errors
    /// Those of [`Listening::serve`].
    pub async fn stop(self) -> io::Result<()> {
        drop(self.stop);
        self.task.await.map_err(io::Error::other)?
    }
}
