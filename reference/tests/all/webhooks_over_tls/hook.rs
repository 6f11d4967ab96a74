//! An HTTPS server with certificates that the test makes, and which answers as the test wants.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use crdible_reference::{HttpsWebhooks, WebhookCall, WebhookError, Webhooks as _};
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto::ring};

/// What a hook received.
pub(crate) struct Received {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

type Behaviour = Arc<dyn Fn(&Received) -> Response<Bytes> + Send + Sync>;

/// A webhook over HTTPS.
pub(crate) struct Hook {
    pub(crate) address: SocketAddr,
    /// The certificate to trust, in PEM.
    pub(crate) ca: String,
    pub(crate) received: Arc<Mutex<Vec<Received>>>,
    pub(crate) connections: Arc<AtomicUsize>,
}

/// A certificate of an authority, with these names; the authority in PEM.
pub(crate) fn signed(names: &[&str]) -> (ServerConfig, String) {
    let mut parameters = CertificateParams::new(Vec::<String>::new()).unwrap();
    parameters.distinguished_name.push(DnType::CommonName, "authority");
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap();
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &*authority).unwrap();
    (config(certificate.der().clone(), &key), authority.pem())
}

/// A certificate that signs itself; it may be that of an authority.
pub(crate) fn self_signed(names: &[&str], is_authority: bool) -> (ServerConfig, String) {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let mut parameters = CertificateParams::new(names).unwrap();
    if is_authority {
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    }
    let key = KeyPair::generate().unwrap();
    let certificate = parameters.self_signed(&key).unwrap();
    (config(certificate.der().clone(), &key), certificate.pem())
}

fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> ServerConfig {
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    builder.with_single_cert(vec![certificate], key).unwrap()
}

impl Hook {
    /// Serves on loopback, in the runtime of the test.
    pub(crate) async fn serve(
        (config, ca): (ServerConfig, String),
        behaviour: impl Fn(&Received) -> Response<Bytes> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (received, connections) = (Arc::<Mutex<Vec<Received>>>::default(), Arc::<AtomicUsize>::default());
        let (acceptor, behaviour): (_, Behaviour) = (TlsAcceptor::from(Arc::new(config)), Arc::new(behaviour));
        let hook = Self { address, ca, received: Arc::clone(&received), connections: Arc::clone(&connections) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (acceptor, received, behaviour) = (acceptor.clone(), Arc::clone(&received), Arc::clone(&behaviour));
                tokio::spawn(async move {
                    let Ok(stream) = acceptor.accept(stream).await else { return };
                    let service = service_fn(move |request: Request<Incoming>| {
                        let (received, behaviour) = (Arc::clone(&received), Arc::clone(&behaviour));
                        async move {
                            let (head, body) = request.into_parts();
                            let path = head.uri.path_and_query().unwrap().to_string();
                            let body = body.collect().await.unwrap().to_bytes();
                            let got = Received { method: head.method, path, headers: head.headers, body };
                            let answer = behaviour(&got).map(Full::new);
                            received.lock().unwrap().push(got);
                            Ok::<_, Infallible>(answer)
                        }
                    });
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        hook
    }

    pub(crate) fn url(&self, host: &str) -> String {
        format!("https://{host}:{}/convert?timeout=30s", self.address.port())
    }
}

/// Calls a webhook, on a thread where that may block.
pub(crate) async fn call(
    client: Arc<HttpsWebhooks>,
    url: String,
    ca: String,
    body: &'static [u8],
) -> Result<Response<Bytes>, WebhookError> {
    let time_limit = Duration::from_secs(5);
    let call = move || {
        client.call(&WebhookCall { method: Method::POST, url: &url, ca_bundle: ca.as_bytes(), body, time_limit })
    };
    tokio::task::spawn_blocking(call).await.unwrap()
}

/// The text about a call that fails.
pub(crate) async fn failure(url: String, ca: String) -> String {
    call(Arc::new(HttpsWebhooks::new()), url, ca, b"{}").await.expect_err("a failure").to_string()
}
