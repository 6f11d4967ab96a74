//! The server on a TCP socket.

use std::future::Future;
use std::net::SocketAddr;

use bytes::Bytes;
use crdible_reference::{Server, serve};
use crdible_semantics::Semantics;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::{LONG, NAMESPACES};

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<std::io::Result<()>>,
}

async fn start() -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async {
        let _ = stopped.await;
    };
    let server = tokio::spawn(serve(listener, Server::new(Semantics::UPSTREAM), shutdown));
    Running { address, stop, server }
}

impl Running {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    async fn stop(self) {
        self.stop.send(()).expect("a server that listens");
        timeout(LONG, self.server).await.expect("an end").expect("no panic").expect("no error");
    }
}

fn request(method: &str, path: &str, body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    let request = Request::builder().method(method).uri(format!("http://localhost{path}")).header("host", "localhost");
    request.body(Full::new(body.into())).expect("a well-formed request")
}

/// A client over HTTP/1.1, and its connection.
async fn http_1(running: &Running) -> (http1::SendRequest<Full<Bytes>>, JoinHandle<hyper::Result<()>>) {
    let io = TokioIo::new(running.connect().await);
    let (client, connection) = http1::handshake(io).await.expect("a handshake");
    (client, tokio::spawn(connection))
}

async fn read(answer: impl Future<Output = hyper::Result<Response<Incoming>>>) -> (u16, Bytes) {
    let answer = timeout(LONG, answer).await.expect("an answer in time").expect("an answer");
    let code = answer.status().as_u16();
    (code, answer.into_body().collect().await.expect("a body").to_bytes())
}

#[tokio::test]
async fn http_1_keeps_the_connection() {
    let running = start().await;
    let (mut client, connection) = http_1(&running).await;
    for _ in 0..3 {
        client.ready().await.expect("the same connection");
        let (code, body) = read(client.send_request(request("GET", "/version", ""))).await;
        assert_eq!((code, body.starts_with(b"{")), (200, true));
    }
    let (code, body) = read(client.send_request(request("POST", NAMESPACES, r#"{"metadata":{"name":"a"}}"#))).await;
    assert_eq!(code, 201, "{body:?}");
    drop(client);
    timeout(LONG, connection).await.expect("an end").expect("no panic").expect("a clean end");
    running.stop().await;
}

#[tokio::test]
async fn http_2_without_tls() {
    let running = start().await;
    let io = TokioIo::new(running.connect().await);
    let (client, connection) = http2::handshake(TokioExecutor::new(), io).await.expect("a handshake");
    tokio::spawn(connection);
    let mut answers = Vec::new();
    for _ in 0..20 {
        let mut client = client.clone();
        answers.push(tokio::spawn(async move { read(client.send_request(request("GET", "/apis", ""))).await.0 }));
    }
    for answer in answers {
        assert_eq!(answer.await.expect("no panic"), 200);
    }
    running.stop().await;
}

#[tokio::test]
async fn rest_007_a_body_above_the_limit_is_413() {
    let running = start().await;
    let (mut client, _connection) = http_1(&running).await;
    let (code, body) = read(client.send_request(request("POST", NAMESPACES, vec![b' '; (3 << 20) + 1]))).await;
    let status: serde_json::Value = serde_json::from_slice(&body).expect("a Status");
    assert_eq!((code, &status["reason"]), (413, &serde_json::json!("RequestEntityTooLarge")));
    running.stop().await;
}

#[tokio::test]
async fn rest_007_an_endless_body_is_not_read_completely() {
    let running = start().await;
    let mut endless = running.connect().await;
    let head = "POST /api/v1/namespaces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000000\r\n\r\n";
    endless.write_all(head.as_bytes()).await.expect("a write");
    // The server may close before all of this is sent.
    endless.write_all(&vec![b' '; 4 << 20]).await.ok();
    let mut answer = [0; 12];
    timeout(LONG, endless.read_exact(&mut answer)).await.expect("an answer in time").expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 413");
    running.stop().await;
}

#[tokio::test]
async fn clients_that_disconnect_or_send_garbage_do_not_affect_others() {
    let running = start().await;
    let mut half = running.connect().await;
    half.write_all(b"POST /apis HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{").await.expect("a write");
    drop(half);
    let mut nonsense = running.connect().await;
    nonsense.write_all(b"\x00\x01\x02 nonsense\r\n\r\n").await.expect("a write");
    let mut answer = Vec::new();
    timeout(LONG, nonsense.read_to_end(&mut answer)).await.expect("an end").ok();
    let mut huge = running.connect().await;
    let head = format!("GET /version HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "y".repeat(200_000));
    huge.write_all(head.as_bytes()).await.ok();
    let mut answer = Vec::new();
    timeout(LONG, huge.read_to_end(&mut answer)).await.expect("an end").ok();
    assert!(!String::from_utf8_lossy(&answer).contains(" 200 "), "the head was too large");
    let (mut client, _connection) = http_1(&running).await;
    assert_eq!(read(client.send_request(request("GET", "/readyz", ""))).await, (200, Bytes::from_static(b"ok")));
    running.stop().await;
}

#[tokio::test]
async fn shutdown_closes_idle_connections_and_frees_the_port() {
    let running = start().await;
    let address = running.address;
    let (mut client, connection) = http_1(&running).await;
    assert_eq!(read(client.send_request(request("GET", "/readyz", ""))).await.0, 200);
    running.stop().await;
    timeout(LONG, connection).await.expect("an end").expect("no panic").ok();
    TcpStream::connect(address).await.expect_err("the port is free");
}

/// A watch without a timeout does not prevent shutdown.
#[tokio::test]
async fn a_watch_is_a_stream_and_ends_with_the_server() {
    let running = start().await;
    let (mut client, _connection) = http_1(&running).await;
    let answer = client.send_request(request("GET", "/api/v1/namespaces?watch=1", ""));
    let answer = timeout(LONG, answer).await.expect("an answer in time").expect("an answer");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/json");
    let mut body = answer.into_body();
    let first = timeout(LONG, body.frame()).await.expect("events in time").expect("events").expect("no error");
    let first = first.into_data().expect("data");
    assert!(first.starts_with(br#"{"type":"ADDED","object":{"#), "{first:?}");
    running.stop().await;
    let last = timeout(LONG, body.frame()).await.expect("an end");
    assert!(last.is_none(), "{last:?}");
}
