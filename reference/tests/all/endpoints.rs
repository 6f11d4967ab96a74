//! Servers with TLS and authentication, several of them in one process.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use crdible_reference::{Authentication, Authority, Endpoint, Running, Server};
use crdible_semantics::Semantics;
use http::{HeaderMap, Request, Response, Version};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::served::UPGRADE;
use crate::support::{DEFINITIONS, LONG, NAMESPACES, THING, Target};

fn endpoint() -> Endpoint {
    Endpoint::new(Server::new(Semantics::UPSTREAM))
}

async fn start(endpoint: Endpoint) -> Running {
    endpoint.listen("127.0.0.1:0").await.expect("an address").start()
}

fn authority() -> Authority {
    Authority::new().expect("an authority")
}

async fn secured(authentication: Authentication) -> Running {
    start(endpoint().tls(authority()).authenticate(authentication)).await
}

/// A client with the settings of a kubeconfig.
struct Client {
    address: String,
    ca: Vec<u8>,
    /// Certificate and key, in PEM.
    identity: Option<(Vec<u8>, Vec<u8>)>,
    token: Option<String>,
}

impl Client {
    fn of(running: &Running) -> Self {
        let kubeconfig: Value = serde_saphyr::from_str(&running.kubeconfig().to_yaml()).expect("YAML");
        let (cluster, user) = (&kubeconfig["clusters"][0]["cluster"], &kubeconfig["users"][0]["user"]);
        assert_eq!(cluster["server"], running.url());
        let decode = |value: &Value| value.as_str().map(|text| STANDARD.decode(text).expect("base64"));
        let identity = decode(&user["client-certificate-data"]).zip(decode(&user["client-key-data"]));
        Self {
            address: running.url().trim_start_matches("https://").to_owned(),
            ca: decode(&cluster["certificate-authority-data"]).unwrap_or_default(),
            identity,
            token: user["token"].as_str().map(str::to_owned),
        }
    }

    async fn connect(&self, protocol: &str) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(&self.ca).expect("a certificate")).expect("an authority");
        let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let builder = builder.with_safe_default_protocol_versions().expect("versions").with_root_certificates(roots);
        let mut config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = vec![CertificateDer::from_pem_slice(certificate).expect("a certificate")];
                let key = PrivateKeyDer::from_pem_slice(key).expect("a key");
                builder.with_client_auth_cert(chain, key).expect("an identity")
            }
        };
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let stream = TcpStream::connect(&self.address).await?;
        let name = ServerName::try_from("localhost").expect("a name");
        timeout(LONG, TlsConnector::from(Arc::new(config)).connect(name, stream)).await.expect("a handshake in time")
    }

    /// Sends a request over HTTP/1.1, over a connection of its own.
    async fn send(&self, request: http::request::Builder) -> Response<Incoming> {
        let stream = self.connect("http/1.1").await.expect("a handshake");
        let (mut client, connection) = http1::handshake(TokioIo::new(stream)).await.expect("a connection");
        tokio::spawn(connection);
        let request = request.body(Full::new(Bytes::new())).expect("a well-formed request");
        timeout(LONG, client.send_request(request)).await.expect("an answer in time").expect("an answer")
    }

    /// The code, headers and body of a response over HTTP/1.1.
    async fn get(&self, path: &str) -> (u16, HeaderMap, Value) {
        let mut request = Request::get(path).header("host", "localhost");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let (head, body) = self.send(request).await.into_parts();
        assert_eq!(head.version, Version::HTTP_11);
        let body = body.collect().await.expect("a body").to_bytes();
        (head.status.as_u16(), head.headers, serde_json::from_slice(&body).unwrap_or_default())
    }

    async fn code(&self, path: &str) -> u16 {
        self.get(path).await.0
    }
}

#[tokio::test]
async fn http_2_is_negotiated_in_the_handshake() {
    let running = secured(Authentication::None).await;
    let stream = Client::of(&running).connect("h2").await.expect("a handshake");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut client, connection) =
        http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.expect("a connection");
    tokio::spawn(connection);
    let request = Request::get("https://localhost/version").body(Full::new(Bytes::new())).expect("a request");
    let answer = timeout(LONG, client.send_request(request)).await.expect("an answer in time").expect("an answer");
    assert_eq!((answer.status().as_u16(), answer.version()), (200, Version::HTTP_2));
    running.stop().await.expect("a clean end");
}

#[tokio::test]
async fn http_1_is_supported() {
    let running = secured(Authentication::None).await;
    assert_eq!(Client::of(&running).code("/apis").await, 200);
    running.stop().await.expect("a clean end");
}

/// The TLS connection is closed cleanly; otherwise reading to the end would be an error.
#[tokio::test]
async fn rest_075_a_watch_over_websocket() {
    let running = secured(Authentication::ClientCertificate).await;
    let mut stream = Client::of(&running).connect("http/1.1").await.expect("a handshake");
    let headers = UPGRADE.replace("http://", "https://");
    let head = format!("GET {NAMESPACES}?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).await.expect("a write");
    let mut received = Vec::new();
    timeout(LONG, stream.read_to_end(&mut received)).await.expect("an end in time").expect("a clean end");
    let text = String::from_utf8_lossy(&received);
    assert!(text.starts_with("HTTP/1.1 101 ") && text.contains(r#""name":"kube-system""#), "{text}");
    assert!(received.ends_with(&[0x88, 2, 3, 0xe8]), "a normal close: {received:?}");
    running.stop().await.expect("a clean end");
}

#[tokio::test]
async fn a_client_that_trusts_another_authority_does_not_connect() {
    let running = secured(Authentication::None).await;
    let stranger = Client { ca: authority().pem().into_bytes(), ..Client::of(&running) };
    let error = stranger.connect("h2").await.expect_err("an unknown authority");
    assert!(error.to_string().contains("UnknownIssuer"), "{error}");
    assert_eq!(Client::of(&running).code("/apis").await, 200, "other clients are still served");
}

#[rstest]
#[case::by_token(Authentication::Token)]
#[case::by_certificate(Authentication::ClientCertificate)]
#[tokio::test]
async fn clients_with_the_kubeconfig_are_authenticated(#[case] authentication: Authentication) {
    let running = secured(authentication).await;
    let known = Client::of(&running);
    assert_eq!(known.code("/apis").await, 200);
    let anonymous = Client { identity: None, token: None, ..Client::of(&running) };
    for (path, code) in [("/readyz", 200), ("/livez", 200), ("/version", 200), ("/readyz/ping", 401), ("/apis", 401)] {
        assert_eq!(anonymous.code(path).await, code, "{path}");
    }
    let (_, headers, status) = anonymous.get(NAMESPACES).await;
    let expected = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "Unauthorized", "reason": "Unauthorized", "code": 401,
    });
    assert_eq!((status, &headers["content-type"]), (expected, &"application/json".parse().expect("a value")));
    running.stop().await.expect("a clean end");
}

/// As upstream, the handshake accepts a certificate of another authority, and a `Status` refuses it.
#[tokio::test]
async fn a_certificate_of_another_authority_is_refused_with_401() {
    let running = secured(Authentication::ClientCertificate).await;
    let elsewhere = secured(Authentication::ClientCertificate).await;
    let stranger = Client { identity: Client::of(&elsewhere).identity, ..Client::of(&running) };
    for path in ["/apis", "/readyz"] {
        assert_eq!(stranger.code(path).await, 401, "{path}");
    }
}

/// Browsers present certificates by themselves, to any server and for any page.
#[tokio::test]
async fn with_a_certificate_pages_of_other_sites_are_refused_and_no_host_is() {
    let running = secured(Authentication::ClientCertificate).await;
    let client = Client::of(&running);
    for (host, origin, code) in [
        ("crdible.svc", "https://crdible.svc", 200),
        ("crdible.svc:1", "https://crdible.svc:1", 200),
        ("localhost", "https://evil.example", 403),
        ("localhost", "http://localhost", 403),
    ] {
        let answer = client.send(Request::get("/apis").header("host", host).header("origin", origin)).await;
        assert_eq!(answer.status().as_u16(), code, "{host} {origin}");
    }
    running.stop().await.expect("a clean end");
}

#[tokio::test]
async fn a_token_is_valid_for_one_server_only() {
    let authority = authority();
    let mut servers = Vec::new();
    for _ in 0..8 {
        servers.push(start(endpoint().tls(authority.clone()).authenticate(Authentication::Token)).await);
    }
    let clients: Vec<Client> = servers.iter().map(Client::of).collect();
    for (client, other) in clients.iter().zip(clients.iter().cycle().skip(1)) {
        assert_eq!(client.code("/apis").await, 200);
        let (address, ca, token) = (other.address.clone(), client.ca.clone(), client.token.clone());
        let guest = Client { address, ca, identity: None, token };
        assert_eq!(guest.code("/apis").await, 401);
    }
    for server in servers {
        server.stop().await.expect("a clean end");
    }
}

#[tokio::test]
async fn client_certificates_require_tls() {
    let refused = endpoint().authenticate(Authentication::ClientCertificate).listen("127.0.0.1:0").await;
    let error = refused.expect_err("an error without TLS");
    assert!(error.to_string().contains("requires TLS"), "{error}");
}

/// A client that connects and sends nothing delays neither shutdown nor other clients.
#[tokio::test]
async fn a_silent_client_delays_no_other() {
    let running = secured(Authentication::None).await;
    let client = Client::of(&running);
    let mut silent = TcpStream::connect(&client.address).await.expect("a connection");
    assert_eq!(client.code("/readyz").await, 200);
    timeout(Duration::from_secs(4), running.stop())
        .await
        .expect("an end before the timeout of open requests")
        .expect("no error");
    assert_eq!(timeout(LONG, silent.read(&mut [0; 8])).await.expect("an end").unwrap_or_default(), 0);
}

#[tokio::test]
async fn a_dropped_server_stops() {
    let running = secured(Authentication::None).await;
    let client = Client::of(&running);
    drop(running);
    let ends = async {
        while TcpStream::connect(&client.address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, ends).await.expect("an end");
}

#[tokio::test]
async fn requests_are_logged_without_credentials() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&lines);
    let server = Server::new(Semantics::UPSTREAM);
    let logged = Endpoint::new(server.clone()).tls(authority()).authenticate(Authentication::Token);
    let running = start(logged.log(move |entry| log.lock().expect("a lock").push(entry.to_string()))).await;
    let client = Client::of(&running);
    client.get("/apis?x=1").await;
    client.get("/apis/example.com/v1/things?limit=1").await;
    Client { token: Some("wrong".to_owned()), ..Client::of(&running) }.get("/readyz").await;

    // A watch that the client closes.
    let stream = client.connect("http/1.1").await.expect("a handshake");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("a connection");
    let connection = tokio::spawn(connection);
    let authorization = format!("Bearer {}", client.token.clone().expect("a token"));
    let watch = Request::get("/api/v1/namespaces?watch=1").header("host", "a").header("authorization", authorization);
    let answer = sender.send_request(watch.body(Full::new(Bytes::new())).expect("a request")).await.expect("an answer");
    let mut events = answer.into_body();
    timeout(LONG, events.frame()).await.expect("events in time").expect("events").expect("no error");
    drop((events, sender));
    timeout(LONG, connection).await.expect("an end").expect("no panic").ok();
    running.stop().await.expect("a clean end");

    let lines = lines.lock().expect("a lock").clone();
    let starts = [
        "GET /apis?x=1 200 ",
        "GET /apis/example.com/v1/things?limit=1 404 ",
        "GET /readyz 401 ",
        "GET /api/v1/namespaces?watch=1 200 watch begins ",
        "GET /api/v1/namespaces?watch=1 200 watch ends ",
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:#?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
        assert!(!line.contains(client.token.as_deref().expect("a token")) && !line.contains("wrong"), "{line}");
    }
    assert!(lines[1].ends_with(": 404 page not found") && lines[2].ends_with(": Unauthorized"), "{lines:#?}");
    let size = |line: &str| line.split(" B ").next().and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    assert!(size(&lines[4]).is_some_and(|bytes| bytes > 1000), "the size of the events: {}", lines[4]);
}

/// An object that is created in process is served over TLS.
#[tokio::test]
async fn a_server_can_be_used_in_process_and_over_tls() {
    let target = Target::with_thing(&json!({}));
    let running = start(Endpoint::new(target.0.clone()).tls(authority())).await;
    let client = Client::of(&running);
    assert_eq!(client.get(THING).await.2["metadata"]["name"], "a");
    assert_eq!(client.get(DEFINITIONS).await.2["items"].as_array().map(Vec::len), Some(1));
}
