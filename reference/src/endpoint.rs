//! A server at an address: with or without TLS, for everybody or for those whom it knows.
//!
//! ```
//! # use std::sync::Arc;
//! # use crdible_reference::{Authentication, Authority, Endpoint, Server};
//! # use crdible_semantics::Upstream;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let endpoint = Endpoint::new(Server::new(Arc::new(Upstream))).tls(Authority::new()?);
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

use crate::access::{Access, Authentication, Token};
use crate::kubeconfig::{Kubeconfig, Login};
use crate::request_log::{RequestLog, Told};
use crate::serve::{Door, accept};
use crate::server::Server;
use crate::tls::{Authority, TlsError};

/// How a server is to be reached. The default is plain HTTP for everybody. Endpoints share nothing but what they are given:
/// one process may have many.
#[derive(Clone)]
pub struct Endpoint {
    server: Server,
    authority: Option<Authority>,
    authentication: Authentication,
    log: Option<Arc<RequestLog>>,
}

impl Endpoint {
    /// An endpoint of a server.
    pub fn new(server: Server) -> Self {
        Self { server, authority: None, authentication: Authentication::None, log: None }
    }

    /// With TLS, by a certificate of this authority for `localhost`, the addresses of the loopback interface, and the one that is
    /// listened on.
    #[must_use]
    pub fn tls(self, authority: Authority) -> Self {
        Self { authority: Some(authority), ..self }
    }

    /// Lets in only those who show a credential; [`Listening::kubeconfig`] has one. Without one there are only the paths of the probes,
    /// and `/version`.
    #[must_use]
    pub fn authenticate(self, authentication: Authentication) -> Self {
        Self { authentication, ..self }
    }

    /// Tells of each request.
    #[must_use]
    pub fn log(self, log: impl Fn(&Told<'_>) + Send + Sync + 'static) -> Self {
        Self { log: Some(Arc::new(log)), ..self }
    }

    /// Listens at an address; port 0 is a free one.
    ///
    /// # Errors
    /// Those of the address, and those of [`Endpoint::on`].
    pub async fn listen(self, address: impl ToSocketAddrs) -> io::Result<Listening> {
        let listener = TcpListener::bind(address).await?;
        self.on(listener)
    }

    /// Takes a listener over.
    ///
    /// # Errors
    /// A listener without an address, and certificates that cannot be had: those of clients want TLS.
    pub fn on(self, listener: TcpListener) -> io::Result<Listening> {
        let address = listener.local_addr()?;
        let (login, access) = self.credentials().map_err(io::Error::other)?;
        let config = self.authority.as_ref().map(|authority| authority.server_config(address.ip(), access.clients()));
        let tls = config.transpose().map_err(io::Error::other)?.map(|config| TlsAcceptor::from(Arc::new(config)));
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", reachable(address));
        let authority = self.authority.as_ref().map(Authority::pem);
        let kubeconfig = Kubeconfig::new(&url, authority.as_deref(), &login);
        Ok(Listening { listener, door: Door::new(self.server, access, tls, self.log), url, kubeconfig })
    }

    fn credentials(&self) -> Result<(Login, Access), TlsError> {
        match self.authentication {
            Authentication::None => Ok((Login::Nobody, Access::default())),
            Authentication::Token => {
                let token = Token::random()?;
                let access = Access::by_token(&token);
                Ok((Login::Token(token), access))
            }
            Authentication::ClientCertificate => {
                let none = || TlsError::new("certificates of clients want TLS");
                let authority = self.authority.as_ref().ok_or_else(none)?;
                Ok((Login::Certificate(authority.client_identity()?), Access::by_certificate(authority.clients()?)))
            }
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, authority, authentication, .. } = self;
        let mut shown = f.debug_struct("Endpoint");
        shown.field("server", server).field("authority", authority).field("authentication", authentication);
        shown.finish_non_exhaustive()
    }
}

/// Where clients on the same machine find a server that listens at this address.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// A server that listens; connections are accepted, and answered once it is [started](Listening::start) or [served](Listening::serve).
pub struct Listening {
    listener: TcpListener,
    door: Door,
    url: String,
    kubeconfig: Kubeconfig,
}

impl Listening {
    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What clients need: address, authority, and a credential, if one is wanted.
    pub fn kubeconfig(&self) -> &Kubeconfig {
        &self.kubeconfig
    }

    /// Serves until `shutdown` is done, then lets open requests end, for a few seconds at most.
    ///
    /// # Errors
    /// Those of the listener that make further accepting pointless. Errors of one connection end that connection alone.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        accept(self.listener, self.door, shutdown).await
    }

    /// Serves in a task of the present runtime.
    ///
    /// # Panics
    /// Outside of a runtime.
    pub fn start(self) -> Running {
        let Self { url, kubeconfig, listener, door } = self;
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async {
            // Who drops it ends it too.
            let _ = stopped.await;
        };
        Running { url, kubeconfig, stop, task: tokio::spawn(accept(listener, door, shutdown)) }
    }
}

impl fmt::Debug for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listening").field("url", &self.url).finish_non_exhaustive()
    }
}

/// A server that runs beside whoever started it. Dropped, it ends by itself.
#[derive(Debug)]
pub struct Running {
    url: String,
    kubeconfig: Kubeconfig,
    stop: oneshot::Sender<()>,
    task: JoinHandle<io::Result<()>>,
}

impl Running {
    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What clients need.
    pub fn kubeconfig(&self) -> &Kubeconfig {
        &self.kubeconfig
    }

    /// Ends it, and waits until it has ended.
    ///
    /// # Errors
    /// Those of [`Listening::serve`].
    pub async fn stop(self) -> io::Result<()> {
        drop(self.stop);
        self.task.await.map_err(io::Error::other)?
    }
}
