//! The client: TLS, connections, errors.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use crdible_reference::{HttpsWebhooks, WebhookCall, WebhookError, Webhooks as _};
use flate2::{Compression, write::GzEncoder};
use http::{HeaderValue, Method, Response};
use rstest::rstest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::hook::{Hook, call, failure, self_signed, signed};

fn said(text: &'static str) -> Response<Bytes> {
    Response::new(Bytes::from_static(text.as_bytes()))
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_008_what_is_sent() {
    let hook = Hook::serve(signed(&["localhost"]), |_| said("hello")).await;
    let client = Arc::new(HttpsWebhooks::new());
    let answer = call(client, hook.url("localhost"), hook.ca.clone(), b"{\"a\":1}").await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.body().as_ref()), (200, &b"hello"[..]));
    let received = hook.received.lock().unwrap();
    let received = &received[0];
    assert_eq!((&received.method, received.path.as_str()), (&Method::POST, "/convert?timeout=30s"));
    assert_eq!(received.body.as_ref(), b"{\"a\":1}");
    let header = |name: &str| received.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("host"), Some(format!("localhost:{}", hook.address.port())));
    assert_eq!(header("content-type").as_deref(), Some("application/json"));
    assert_eq!(header("accept").as_deref(), Some("application/json, */*"));
    assert_eq!(header("content-length").as_deref(), Some("7"));
    assert_eq!((header("authorization"), header("transfer-encoding")), (None, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_kept() {
    let hook = Hook::serve(signed(&["127.0.0.1"]), |_| said("hello")).await;
    let client = Arc::new(HttpsWebhooks::new());
    for _ in 0..20 {
        call(Arc::clone(&client), hook.url("127.0.0.1"), hook.ca.clone(), b"{}").await.unwrap();
    }
    assert_eq!(hook.connections.load(Ordering::SeqCst), 1);
    // Another authority is another connection, even to the same place.
    let refused = call(client, hook.url("127.0.0.1"), signed(&["x"]).1, b"{}").await;
    assert!(refused.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_the_webhook_closes_is_replaced() {
    let hook = Hook::serve(signed(&["127.0.0.1"]), |received| {
        let mut answer = said("hello");
        if received.body.as_ref() == b"close" {
            answer.headers_mut().insert("connection", HeaderValue::from_static("close"));
        }
        answer
    })
    .await;
    let client = Arc::new(HttpsWebhooks::new());
    for body in [b"close", b"keep!", b"keep!", b"close", b"keep!"] {
        call(Arc::clone(&client), hook.url("127.0.0.1"), hook.ca.clone(), body).await.unwrap();
    }
    assert_eq!(hook.connections.load(Ordering::SeqCst), 3);
}

#[rstest]
#[case::signed(signed(&["localhost"]))]
#[case::its_own_authority(self_signed(&["localhost"], false))]
#[case::an_authority_itself(self_signed(&["localhost"], true))]
#[tokio::test(flavor = "multi_thread")]
async fn conv_008_certificates_are_verified(#[case] certificate: (tokio_rustls::rustls::ServerConfig, String)) {
    let hook = Hook::serve(certificate, |_| said("hello")).await;
    let client = Arc::new(HttpsWebhooks::new());
    call(client, hook.url("localhost"), hook.ca.clone(), b"{}").await.unwrap();
    let wrong_name = failure(hook.url("127.0.0.1"), hook.ca.clone()).await;
    assert!(
        wrong_name.starts_with("tls: failed to verify certificate: x509: certificate is not valid for"),
        "{wrong_name}"
    );
    for ca in [signed(&["localhost"]).1, String::new()] {
        let unknown = failure(hook.url("localhost"), ca).await;
        assert_eq!(unknown, "tls: failed to verify certificate: x509: certificate signed by unknown authority");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_008_several_authorities() {
    let hook = Hook::serve(signed(&["localhost"]), |_| said("hello")).await;
    let both = format!("{}\n{}", signed(&["x"]).1, hook.ca);
    call(Arc::new(HttpsWebhooks::new()), hook.url("localhost"), both, b"{}").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_where_it_was_told_to_be() {
    let service = "https://hook.ns.svc:443/convert?timeout=30s".to_owned();
    let missing = failure(service.clone(), String::new()).await;
    assert!(missing.starts_with("service \"hook\" not found"), "{missing}");
    for name in ["localhost", "hook.ns.svc"] {
        let hook = Hook::serve(signed(&[name]), |_| said("hello")).await;
        let url = format!("https://localhost:{}/base", hook.address.port());
        let client = Arc::new(HttpsWebhooks::new().service_at("ns", "hook", &url).unwrap());
        call(client, service.clone(), hook.ca.clone(), b"{}").await.unwrap();
        let received = hook.received.lock().unwrap();
        let host = received[0].headers["host"].to_str().unwrap();
        assert_eq!((received[0].path.as_str(), host), ("/base/convert?timeout=30s", "hook.ns.svc:443"));
    }
    let stranger = Hook::serve(signed(&["elsewhere"]), |_| said("hello")).await;
    let url = format!("https://localhost:{}", stranger.address.port());
    let client = Arc::new(HttpsWebhooks::new().service_at("ns", "hook", &url).unwrap());
    assert!(call(client, service, stranger.ca.clone(), b"{}").await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn compressed_answers_are_read() {
    let hook = Hook::serve(signed(&["localhost"]), |received| {
        assert_eq!(received.headers["accept-encoding"], "gzip");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"hello").unwrap();
        let mut answer = Response::new(Bytes::from(encoder.finish().unwrap()));
        answer.headers_mut().insert("content-encoding", HeaderValue::from_static("gzip"));
        answer
    })
    .await;
    let client = Arc::new(HttpsWebhooks::new());
    let answer = call(client, hook.url("localhost"), hook.ca.clone(), b"{}").await.unwrap();
    assert_eq!(answer.body().as_ref(), b"hello");
}

/// Simple servers of HTTP/1.0 end a response by closing the connection, without the alert of TLS.
#[rstest]
#[case::until_the_end("HTTP/1.0 200 OK\r\n\r\nhello", Some("hello"))]
#[case::with_a_length("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", Some("hello"))]
#[case::cut_off("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nhello", None)]
#[case::nothing("", None)]
#[tokio::test(flavor = "multi_thread")]
async fn conv_008_an_end_need_not_be_announced(#[case] answer: &'static str, #[case] body: Option<&str>) {
    let (config, ca) = signed(&["127.0.0.1"]);
    let url = abrupt(config, answer).await;
    match (call(Arc::new(HttpsWebhooks::new()), url, ca, b"{}").await, body) {
        (Ok(answer), Some(body)) => assert_eq!(answer.body().as_ref(), body.as_bytes()),
        (Err(error), None) => assert!(error.to_string().contains("EOF"), "{error}"),
        (answered, _) => panic!("{answered:?}"),
    }
}

/// A server that answers so and closes the connection of TCP below that of TLS.
async fn abrupt(config: tokio_rustls::rustls::ServerConfig, answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/?timeout=30s", listener.local_addr().unwrap());
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = [0; 4096];
            let mut read = 0;
            while !request[..read].ends_with(b"{}") {
                read += stream.read(&mut request[read..]).await.unwrap();
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.flush().await.unwrap();
            let (mut plain, _) = stream.into_inner();
            plain.shutdown().await.unwrap();
        }
    });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_008_there_may_be_nobody_or_no_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("https://127.0.0.1:{port}/?timeout=30s");
    let serving = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
        }
    });
    assert_eq!(failure(url.clone(), String::new()).await, "tls: first record does not look like a TLS handshake");
    serving.abort();
    let _ = serving.await;
    assert_eq!(failure(url, String::new()).await, format!("dial tcp 127.0.0.1:{port}: connect: connection refused"));
    let unknown = failure("https://does.not.exist.invalid/".to_owned(), String::new()).await;
    assert_eq!(unknown, "dial tcp: lookup does.not.exist.invalid: no such host");
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_008_silence_is_limited() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let client = HttpsWebhooks::new();
    let limited = move || {
        let begun = Instant::now();
        let time_limit = Duration::from_millis(200);
        let call = WebhookCall { method: Method::POST, url: &url, ca_bundle: b"", body: b"{}", time_limit };
        (client.call(&call), begun.elapsed())
    };
    let (answered, took) = tokio::task::spawn_blocking(limited).await.unwrap();
    assert_eq!(answered.unwrap_err(), WebhookError::TimedOut);
    assert!(took < Duration::from_secs(5), "{took:?}");
    drop(listener);
}

#[tokio::test]
async fn a_call_from_a_thread_of_a_runtime_blocks_it_and_no_more() {
    // On the only thread of this runtime, so the webhook needs one of its own.
    let (ready, url) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let hook = Hook::serve(signed(&["localhost"]), |_| said("hello")).await;
            ready.send((hook.url("localhost"), hook.ca.clone())).unwrap();
            std::future::pending::<()>().await;
        });
    });
    let (url, ca) = url.recv().unwrap();
    let client = HttpsWebhooks::new();
    let time_limit = Duration::from_secs(5);
    let call = WebhookCall { method: Method::POST, url: &url, ca_bundle: ca.as_bytes(), body: b"{}", time_limit };
    assert_eq!(client.call(&call).unwrap().body().as_ref(), b"hello");
    drop(client);
}
