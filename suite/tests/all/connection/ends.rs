//! Connections that end without an answer, and streams that do not end.
#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{Fake, Reply, answer, serve};
use bytes::Bytes;
use crdible::connection::{Ended, HttpRequest, Target, TargetOptions, TransportError, Unended, connect};
use http::{Method, Request};
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

async fn target(fake: &Fake) -> Target {
    connect(&TargetOptions { server: Some(fake.url()), ..TargetOptions::default() }).await.unwrap()
}

fn request(method: Method, path: &str) -> HttpRequest {
    Request::builder().method(method).uri(path).body(Bytes::new()).unwrap()
}

/// A server that answers the first request of each connection, and closes the connection once it has the second.
async fn closing_at_the_second_request() -> Target {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Some(format!("http://{}", listener.local_addr().unwrap()));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                let _ = stream.read(&mut buffer).await;
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
                let _ = stream.read(&mut buffer).await;
            });
        }
    });
    connect(&TargetOptions { server, ..TargetOptions::default() }).await.unwrap()
}

/// A server may close a connection that was idle, just as a request is sent: that is no end of the request.
#[rstest]
#[case::in_use(Duration::ZERO, true)]
#[case::idle(Duration::from_millis(1_100), false)]
#[tokio::test]
async fn a_kept_connection_that_ends(#[case] idle: Duration, #[case] counts: bool) {
    for method in [Method::GET, Method::POST] {
        let target = closing_at_the_second_request().await;
        target.transport.send(request(Method::GET, "/first")).await.unwrap();
        tokio::time::sleep(idle).await;
        match target.transport.send(request(method.clone(), "/second")).await {
            Ok(answer) => {
                let times = answer.extensions().get::<Ended>().map(|ended| ended.times);
                assert_eq!((method, times), (Method::GET, counts.then_some(1)));
            }
            Err(TransportError::Closed { is_received, .. }) => {
                assert_eq!((method, is_received), (Method::POST, counts));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[rstest]
#[case::once(1, Some(1))]
#[case::twice(2, Some(2))]
#[case::never(0, None)]
#[tokio::test]
async fn it_is_reported_how_often_a_new_connection_ended(#[case] ends: usize, #[case] reported: Option<u32>) {
    let count = AtomicUsize::new(0);
    let fake = serve(move |_| {
        let is_closed = count.fetch_add(1, Ordering::SeqCst) < ends;
        if is_closed { Reply::Close } else { answer("200 OK", "a/b", "", "ok") }
    })
    .await;
    let answer = target(&fake).await.transport.send(request(Method::GET, "/x")).await.unwrap();
    assert_eq!(answer.extensions().get::<Ended>().map(|ended| ended.times), reported);
}

/// What came of an answer is no end without one, and neither is a server that is gone.
#[rstest]
#[case::nothing(Reply::Close, true)]
#[case::a_part(Reply::RawThenClose(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok".to_vec()), false)]
#[case::a_part_of_its_head(Reply::RawThenClose(b"HTTP/1.1 200".to_vec()), false)]
#[tokio::test]
async fn an_end_within_an_answer(#[case] reply: Reply, #[case] is_silent: bool) {
    let fake = serve(move |_| reply.clone()).await;
    let error = target(&fake).await.transport.send(request(Method::POST, "/x")).await.unwrap_err();
    let TransportError::Closed { is_received, .. } = error else { panic!("{error}") };
    assert_eq!(is_received, is_silent);
}

const EVENT: &str = r#"{"type":"ADDED","object":{}}"#;

/// A watch that is asked for, by a client whose time for an answer is short.
async fn watched(reply: Reply, seconds: u32) -> Result<http::Response<Bytes>, TransportError> {
    let fake = serve(move |_| reply.clone()).await;
    let options = TargetOptions {
        server: Some(fake.url()),
        request_timeout: Some(Duration::from_secs(2)),
        ..TargetOptions::default()
    };
    let target = connect(&options).await.unwrap();
    target.transport.send(request(Method::GET, &format!("/things?watch=true&timeoutSeconds={seconds}"))).await
}

#[tokio::test]
async fn a_stream_that_does_not_end_is_what_came_of_it() {
    let chunk = format!("{:x}\r\n{EVENT}\r\n", EVENT.len());
    for (end, is_unended) in [("", true), ("0\r\n\r\n", false)] {
        let stream = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunk}{end}");
        let answer = watched(Reply::Raw(stream.into_bytes()), 1).await.unwrap();
        assert_eq!(&answer.body()[..], EVENT.as_bytes());
        let unended = is_unended.then_some(Unended { after: Duration::from_secs(2) });
        assert_eq!(answer.extensions().get::<Unended>(), unended.as_ref());
    }
    let nothing = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let answer = watched(Reply::Raw(nothing.clone()), 1).await.unwrap();
    assert!(answer.body().is_empty() && answer.extensions().get::<Unended>().is_some());
    // Its time is not over.
    let error = watched(Reply::Raw(nothing), 3).await.unwrap_err();
    assert_eq!(error.code(), "timeout", "{error}");
}

#[tokio::test]
async fn a_watch_without_a_head_is_no_answer() {
    let error = watched(Reply::Hang, 1).await.unwrap_err();
    assert!(matches!(error, TransportError::Timeout { after, .. } if after == Duration::from_secs(2)), "{error}");
}
