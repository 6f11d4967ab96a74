//! Clients that keep the server waiting.

use std::time::Duration;

use bytes::Bytes;
use crdible_reference::{Authority, Limits};
use http::Request;
use http_body_util::{BodyExt as _, Empty};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rstest::rstest;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task;
use tokio::time::{self, timeout};

use super::answer;
use crate::served::{Served, UPGRADE, read_until, rest};
use crate::support::{LONG, THINGS, With, thing};

const SHORT: Duration = Duration::from_millis(50);
/// Much longer than `SHORT`.
const WHILE: Duration = Duration::from_millis(1500);
const GET: &str = "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n";

async fn limited(limits: Limits) -> Served {
    Served::start(|endpoint| endpoint.limits(limits)).await
}

/// Turns the clock on by this time, in which nothing is sent, and lets the server see it.
async fn pass(time: Duration) {
    time::pause();
    time::advance(time).await;
    for _ in 0..20 {
        task::yield_now().await;
    }
    time::resume();
}

/// Sends a request, and reads the answer of a connection that stays open.
async fn ask(stream: &mut TcpStream) {
    stream.write_all(GET.as_bytes()).await.expect("a write");
    read_until(stream, "\n}").await;
}

#[rstest]
#[case::nothing("")]
#[case::a_part_of_a_head("GET /version HTTP/1.1\r\nHost: loc")]
#[case::a_part_of_http_2("PR")]
#[tokio::test]
async fn a_head_that_does_not_come_ends_the_connection(#[case] sent: &str) {
    let served = limited(Limits { head: SHORT, ..Limits::default() }).await;
    let mut stream = served.connect().await;
    stream.write_all(sent.as_bytes()).await.expect("a write");
    assert_eq!(rest(&mut stream).await, "");
    served.stop().await;
}

#[tokio::test]
async fn the_second_head_is_limited_too() {
    let served = limited(Limits { head: WHILE, ..Limits::default() }).await;
    let mut stream = served.connect().await;
    ask(&mut stream).await;
    // A connection may be idle for longer than a head takes.
    pass(WHILE + SHORT).await;
    ask(&mut stream).await;
    stream.write_all(b"GET /version").await.expect("a write");
    assert_eq!(rest(&mut stream).await, "");
    served.stop().await;
}

#[tokio::test]
async fn a_handshake_that_does_not_come_ends_the_connection() {
    let authority = Authority::new().expect("an authority");
    let limits = Limits { head: SHORT, ..Limits::default() };
    let mut served = Served::start(|endpoint| endpoint.tls(authority).limits(limits)).await;
    let mut stream = served.connect().await;
    assert_eq!(rest(&mut stream).await, "");
    served.logged("TLS handshake failed").await;
    served.stop().await;
}

#[tokio::test]
async fn a_body_that_does_not_come_is_408() {
    let served = limited(Limits { body: SHORT, ..Limits::default() }).await;
    let mut stream = served.connect().await;
    let head = "POST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.expect("a write");
    let answer = answer(&mut stream).await;
    assert_eq!((answer.code, answer.message().contains("was not received")), (408, true), "{answer:?}");
    served.stop().await;
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let served = limited(Limits { idle: SHORT, ..Limits::default() }).await;
    let mut stream = served.connect().await;
    ask(&mut stream).await;
    assert_eq!(rest(&mut stream).await, "");
    served.stop().await;
}

#[tokio::test]
async fn an_idle_connection_over_http_2_ends_without_an_error() {
    let served = limited(Limits { idle: WHILE, ..Limits::default() }).await;
    let io = TokioIo::new(served.connect().await);
    let (mut client, connection) = http2::handshake(TokioExecutor::new(), io).await.expect("a handshake");
    let connection = tokio::spawn(connection);
    let request = Request::get("http://localhost/version").body(Empty::<Bytes>::new()).expect("a request");
    let answer = timeout(LONG, client.send_request(request)).await.expect("an answer in time").expect("an answer");
    answer.into_body().collect().await.expect("a body");
    timeout(LONG, connection).await.expect("an end").expect("no panic").expect("a clean end");
    served.stop().await;
}

#[rstest]
#[case::http("", "200 OK")]
#[case::websocket(UPGRADE, "101 Switching")]
#[tokio::test]
async fn a_silent_watch_stays_open(#[case] headers: &str, #[case] status: &str) {
    let limits = Limits::default();
    let served = limited(limits).await;
    let mut stream = served.ask(&format!("{THINGS}?watch=1"), headers).await;
    read_until(&mut stream, status).await;
    pass(limits.idle + limits.body).await;
    served.target.create(THINGS, &thing("a", &json!({})));
    read_until(&mut stream, "\"ADDED\"").await;
    served.stop().await;
}

#[rstest]
#[case::http("")]
#[case::websocket(UPGRADE)]
#[tokio::test]
async fn a_watch_that_nobody_reads_is_closed(#[case] headers: &str) {
    let mut served = limited(Limits { idle: SHORT, ..Limits::default() }).await;
    let _stream = served.ask(&format!("{THINGS}?watch=1"), headers).await;
    served.logged("watch begins").await;
    // More than any socket buffers.
    let large = json!({"large": "x".repeat(200_000)});
    for number in 0..200 {
        let thing = thing(&format!("t{number}"), &json!({})).with("/metadata/annotations", large.clone());
        served.target.create(THINGS, &thing);
    }
    served.logged("watch ends").await;
    served.stop().await;
}

#[tokio::test]
async fn connections_above_the_limit_wait() {
    let mut served = limited(Limits { connections: 2, ..Limits::default() }).await;
    let mut open = [served.connect().await, served.connect().await];
    for stream in &mut open {
        ask(stream).await;
    }
    let mut waiting = served.connect().await;
    waiting.write_all(GET.as_bytes()).await.expect("a write");
    served.logged("2 connections are open").await;
    timeout(SHORT, waiting.read_u8()).await.expect_err("no answer yet");
    ask(&mut open[1]).await;
    drop(open);
    assert!(read_until(&mut waiting, "\n}").await.starts_with("HTTP/1.1 200"));
    served.stop().await;
}

/// The limit counts connections that were upgraded, and does not keep the server from stopping.
#[tokio::test]
async fn a_server_stops_while_connections_wait() {
    let mut served = limited(Limits { connections: 0, ..Limits::default() }).await;
    let mut open = served.ask(&format!("{THINGS}?watch=1"), UPGRADE).await;
    read_until(&mut open, "101 Switching").await;
    let mut waiting = served.connect().await;
    waiting.write_all(GET.as_bytes()).await.expect("a write");
    served.logged("1 connections are open").await;
    timeout(SHORT, waiting.read_u8()).await.expect_err("no answer yet");
    served.stop().await;
    assert_eq!(rest(&mut waiting).await, "");
}

#[rstest]
#[case::below(60, "200")]
#[case::above(9000, "431")]
#[tokio::test]
async fn a_large_head_is_refused(#[case] size: usize, #[case] code: &str) {
    let served = limited(Limits { head_size: 0, ..Limits::default() }).await;
    let mut stream = served.ask("/readyz", &format!("Connection: close\r\nX: {}\r\n", "y".repeat(size))).await;
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with(&format!("HTTP/1.1 {code} ")), "{answer}");
    served.stop().await;
}
