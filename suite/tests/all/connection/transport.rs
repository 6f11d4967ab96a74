//! The HTTP client: retries, limits, secrets; and the layer that waits when the server requests it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{Fake, Reply, answer, serve};
use bytes::Bytes;
use crdible::connection::{
    BackoffOptions, BackoffTransport, LONGEST_BODY, Rate, ResponseFuture, Target, TargetOptions, Transport,
    TransportError, connect,
};
use http::{Method, Request, Response};
use rstest::rstest;

async fn target(fake: &Fake) -> Target {
    let options = TargetOptions { server: Some(fake.url()), token: Some("hunter2".into()), ..TargetOptions::default() };
    connect(&options).await.unwrap()
}

fn request(method: Method, path: &str, body: &'static str) -> Request<Bytes> {
    Request::builder().method(method).uri(path).body(Bytes::from_static(body.as_bytes())).unwrap()
}

#[tokio::test]
async fn a_request_goes_out_as_it_is() {
    let fake = serve(|_| answer("418 I'm a teapot", "text/plain", "warning: 299 - \"x\"\r\n", "short")).await;
    let target = target(&fake).await;
    let mut sent = request(Method::POST, "/apis/a.b/v1?dryRun=All", "{\"a\":1.0}");
    sent.headers_mut().insert("content-type", "application/json".parse().unwrap());
    let got = target.transport.send(sent).await.unwrap();
    assert_eq!(got.status(), 418);
    assert_eq!(got.headers()["warning"], "299 - \"x\"");
    assert_eq!(&got.body()[..], b"short");
    let seen = &fake.requests()[0];
    assert_eq!((seen.method.as_str(), seen.path.as_str()), ("POST", "/apis/a.b/v1?dryRun=All"));
    assert_eq!(seen.body, b"{\"a\":1.0}");
    assert_eq!(seen.header("authorization"), Some("Bearer hunter2"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("host"), Some(fake.address.to_string().as_str()));
    assert_eq!(seen.header("accept"), Some("*/*"));
    assert!(seen.header("user-agent").unwrap().starts_with("crdible/"));
}

/// As many as kube-apiserver sends of an object with many short unknown fields.
#[tokio::test]
async fn a_response_may_have_hundreds_of_warnings() {
    let warning = "warning: 299 - \"unknown field \\\"a\\\"\"\r\n";
    let warnings = warning.repeat(300);
    let fake = serve(move |_| answer("201 Created", "application/json", &warnings, "{}")).await;
    let got = target(&fake).await.transport.send(request(Method::POST, "/x", "{}")).await.unwrap();
    assert_eq!(got.headers().get_all("warning").iter().count(), 300);
}

#[tokio::test]
async fn secrets_are_known_and_not_shown() {
    let fake = serve(|_| Reply::Close).await;
    let target = target(&fake).await;
    assert_eq!(target.secrets().all(), ["hunter2"]);
    let error = target.transport.send(request(Method::POST, "/x", "{}")).await.unwrap_err();
    let options = TargetOptions { token: Some("hunter2".into()), ..TargetOptions::default() };
    for text in [format!("{target:?}"), format!("{error:?} {error}"), format!("{options:?}")] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[rstest]
#[case::get(Method::GET, 3)]
#[case::post(Method::POST, 1)]
#[case::patch(Method::PATCH, 1)]
#[case::delete(Method::DELETE, 1)]
#[tokio::test]
async fn only_reads_are_repeated_after_a_lost_answer(#[case] method: Method, #[case] arrivals: usize) {
    let fake = serve(|_| Reply::Close).await;
    let target = target(&fake).await;
    let error = target.transport.send(request(method, "/x", "")).await.unwrap_err();
    assert_eq!(error.code(), "closed", "{error}");
    assert_eq!(fake.requests().len(), arrivals);
}

#[tokio::test]
async fn a_read_survives_one_lost_answer() {
    let count = AtomicUsize::new(0);
    let fake =
        serve(
            move |_| {
                if count.fetch_add(1, Ordering::SeqCst) == 0 { Reply::Close } else { answer("200 OK", "a/b", "", "ok") }
            },
        )
        .await;
    let got = target(&fake).await.transport.send(request(Method::GET, "/x", "")).await.unwrap();
    assert_eq!(&got.body()[..], b"ok");
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let fake = serve(|_| Reply::Endless).await;
    let error = target(&fake).await.transport.send(request(Method::GET, "/x", "")).await.unwrap_err();
    assert_eq!(error.code(), "too-large", "{error}");
}

#[rstest]
#[case::just_fits(LONGEST_BODY, true)]
#[case::one_byte_more(LONGEST_BODY + 1, false)]
#[tokio::test]
async fn the_longest_answer(#[case] length: u64, #[case] fits: bool) {
    let fake = serve(move |_| {
        let mut bytes = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
        bytes.resize(bytes.len() + usize::try_from(length).unwrap(), b' ');
        Reply::RawThenClose(bytes)
    })
    .await;
    let target = target(&fake).await;
    let result = target.transport.send(request(Method::GET, "/x", "")).await;
    match result {
        Ok(answer) => assert!(fits && answer.body().len() as u64 == length),
        Err(error) => assert!(!fits && error.code() == "too-large", "{error}"),
    }
}

#[tokio::test]
async fn an_announced_giant_is_not_read() {
    let fake = serve(|_| Reply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec())).await;
    let begun = Instant::now();
    let error = target(&fake).await.transport.send(request(Method::GET, "/x", "")).await.unwrap_err();
    assert_eq!(error.code(), "too-large", "{error}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn connections_are_kept() {
    let connections = Arc::new(AtomicUsize::new(0));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let counter = Arc::clone(&connections);
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        while let Ok((mut stream, _)) = listener.accept().await {
            counter.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while let Ok(1..) = stream.read(&mut buffer).await {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
                }
            });
        }
    });
    let options = TargetOptions { server: Some(format!("http://{address}")), ..TargetOptions::default() };
    let target = connect(&options).await.unwrap();
    for _ in 0..20 {
        target.transport.send(request(Method::GET, "/x", "")).await.unwrap();
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

/// A server that answers the first request of each connection, and closes the connection at the second one. It answers
/// once this many requests have arrived.
async fn closing_at_the_second_request(requests: Arc<AtomicUsize>, together: usize) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let requests = Arc::clone(&requests);
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                for answer in [&b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"[..], b""] {
                    if !matches!(stream.read(&mut buffer).await, Ok(1..)) {
                        return;
                    }
                    requests.fetch_add(1, Ordering::SeqCst);
                    while requests.load(Ordering::SeqCst) < together {
                        tokio::task::yield_now().await;
                    }
                    stream.write_all(answer).await.unwrap();
                }
            });
        }
    });
    url
}

#[rstest]
#[case::get(Method::GET, true, 3)]
#[case::post(Method::POST, false, 2)]
#[tokio::test]
async fn a_kept_connection_that_is_closed(#[case] method: Method, #[case] again: bool, #[case] arrivals: usize) {
    let requests = Arc::new(AtomicUsize::new(0));
    let url = closing_at_the_second_request(Arc::clone(&requests), 1).await;
    let target = connect(&TargetOptions { server: Some(url), ..TargetOptions::default() }).await.unwrap();
    target.transport.send(request(Method::GET, "/first", "")).await.unwrap();
    let result = target.transport.send(request(method, "/second", "")).await;
    assert_eq!(result.as_ref().map_err(TransportError::code).err(), (!again).then_some("closed"));
    assert_eq!(requests.load(Ordering::SeqCst), arrivals);
}

#[tokio::test]
async fn many_kept_connections_that_are_closed() {
    const KEPT: usize = 8;
    let requests = Arc::new(AtomicUsize::new(0));
    let url = closing_at_the_second_request(Arc::clone(&requests), KEPT).await;
    let target = connect(&TargetOptions { server: Some(url), ..TargetOptions::default() }).await.unwrap();
    let first = (0..KEPT).map(|_| target.transport.send(request(Method::GET, "/first", "")));
    for answer in futures_util::future::join_all(first).await {
        answer.unwrap();
    }
    target.transport.send(request(Method::GET, "/second", "")).await.unwrap();
    assert_eq!(requests.load(Ordering::SeqCst), KEPT + 2, "it is sent again once, on a new connection");
}

#[tokio::test]
async fn a_server_that_never_completes_the_handshake() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let options = TargetOptions {
        server: Some(format!("https://{}", listener.local_addr().unwrap())),
        request_timeout: Some(Duration::from_millis(200)),
        ..TargetOptions::default()
    };
    let begun = Instant::now();
    let error = connect(&options).await.unwrap().transport.send(request(Method::GET, "/", "")).await.unwrap_err();
    assert!(matches!(error.code(), "timeout" | "unreachable"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_redirect_is_an_answer() {
    let fake = serve(|_| answer("302 Found", "text/plain", "location: http://127.0.0.1:1/\r\n", "")).await;
    let got = target(&fake).await.transport.send(request(Method::GET, "/x", "")).await.unwrap();
    assert_eq!((got.status().as_u16(), fake.requests().len()), (302, 1));
}

/// Gives prepared answers, then 200.
#[derive(Debug, Default)]
struct Script {
    answers: Mutex<VecDeque<(u16, Option<&'static str>)>>,
    sent: AtomicUsize,
}

impl Transport for Script {
    fn send(&self, _: Request<Bytes>) -> ResponseFuture<'_> {
        self.sent.fetch_add(1, Ordering::SeqCst);
        let (status, retry_after) = self.answers.lock().unwrap().pop_front().unwrap_or((200, None));
        let mut builder = Response::builder().status(status);
        if let Some(text) = retry_after {
            builder = builder.header("retry-after", text);
        }
        let body = if status == 200 { Bytes::new() } else { Bytes::from_static(br#"{"kind":"Status"}"#) };
        Box::pin(std::future::ready(Ok(builder.body(body).unwrap())))
    }
}

fn with_backoff(answers: &[(u16, Option<&'static str>)], patience: Duration) -> (BackoffTransport, Arc<Script>) {
    let answers = Mutex::new(answers.iter().copied().collect());
    let script = Arc::new(Script { answers, ..Script::default() });
    let options = BackoffOptions { patience, ..BackoffOptions::default() };
    (BackoffTransport::new(script.clone(), "http://fake", options), script)
}

#[rstest]
#[case::throttled(&[(429, Some("0")), (429, Some("0"))], 200, 2)]
#[case::throttled_without_a_time(&[(429, None)], 200, 1)]
#[case::unavailable(&[(503, Some("0"))], 200, 1)]
#[case::a_date_in_the_past(&[(503, Some("Sun, 06 Nov 1994 08:49:37 GMT"))], 200, 1)]
#[case::unavailable_without_a_time_is_an_answer(&[(503, None)], 503, 0)]
#[case::unavailable_with_nonsense_is_an_answer(&[(503, Some("soon"))], 503, 0)]
#[case::other_errors_are_answers(&[(500, Some("0"))], 500, 0)]
#[tokio::test]
async fn requests_to_wait_are_followed(
    #[case] answers: &[(u16, Option<&'static str>)],
    #[case] status: u16,
    #[case] waits: u32,
) {
    let (layer, script) = with_backoff(answers, Duration::from_secs(5));
    let begun = Instant::now();
    let got = layer.send(request(Method::POST, "/x", "{}")).await.unwrap();
    assert_eq!(got.status(), status);
    assert_eq!(script.sent.load(Ordering::SeqCst), waits as usize + 1);
    assert!(begun.elapsed() >= waits * Duration::from_millis(10), "there is no busy loop");
}

/// Answers each request with this code and a page of its own.
#[derive(Debug)]
struct Gateway(u16);

impl Transport for Gateway {
    fn send(&self, _: Request<Bytes>) -> ResponseFuture<'_> {
        let page = Bytes::from_static(b"<html>no upstream</html>");
        let answer = http::Response::builder().status(self.0).body(page).unwrap();
        Box::pin(std::future::ready(Ok(answer)))
    }
}

#[rstest]
#[case::bad_gateway(502, true)]
#[case::unavailable(503, true)]
#[case::timeout(504, true)]
#[case::a_fault_of_the_server(500, false)]
#[case::not_found(404, false)]
#[tokio::test]
async fn a_response_of_a_gateway_is_an_error(#[case] status: u16, #[case] is_gateway: bool) {
    let layer = BackoffTransport::new(Arc::new(Gateway(status)), "http://fake", BackoffOptions::default());
    let got = layer.send(request(Method::GET, "/x", "")).await;
    assert_eq!(matches!(&got, Err(TransportError::Gateway { status: found, .. }) if *found == status), is_gateway);
    assert_eq!(got.is_ok(), !is_gateway);
}

/// Answers each request with 504 and a `Status` with this reason.
#[derive(Debug)]
struct TooSlow(&'static str);

impl Transport for TooSlow {
    fn send(&self, _: Request<Bytes>) -> ResponseFuture<'_> {
        let status = serde_json::json!({ "kind": "Status", "reason": self.0, "code": 504 });
        let answer = http::Response::builder().status(504).body(Bytes::from(status.to_string())).unwrap();
        Box::pin(std::future::ready(Ok(answer)))
    }
}

#[rstest]
#[case::a_write("Timeout", Method::POST, "/x?dryRun=All", true)]
#[case::a_read("Timeout", Method::GET, "/x", true)]
#[case::a_revision_that_never_comes("Timeout", Method::GET, "/x?limit=1&resourceVersion=99", false)]
#[case::another_reason("InternalError", Method::POST, "/x", false)]
#[tokio::test]
async fn what_the_server_gave_up_is_an_error(
    #[case] reason: &'static str,
    #[case] method: Method,
    #[case] target: &'static str,
    #[case] is_error: bool,
) {
    let layer = BackoffTransport::new(Arc::new(TooSlow(reason)), "http://fake", BackoffOptions::default());
    let got = layer.send(request(method, target, "")).await;
    assert_eq!(matches!(&got, Err(TransportError::GaveUp { answer, .. }) if answer["code"] == 504), is_error);
    assert_eq!(got.is_ok(), !is_error);
}

#[tokio::test]
async fn the_time_in_retry_after_is_waited() {
    let (layer, _) = with_backoff(&[(429, Some("1"))], Duration::from_secs(5));
    let begun = Instant::now();
    layer.send(request(Method::GET, "/x", "")).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn waiting_too_long_is_an_error_and_never_a_response() {
    let (layer, script) = with_backoff(&[(429, Some("3600"))], Duration::from_secs(60));
    let error = layer.send(request(Method::GET, "/x", "")).await.unwrap_err();
    assert!(matches!(error, TransportError::Busy { status: 429, .. }), "{error}");
    assert_eq!(script.sent.load(Ordering::SeqCst), 1);
}

/// A server that answers many requests at once, and then each after 12 seconds.
#[derive(Debug, Default)]
struct SuddenlySlow(AtomicUsize);

impl Transport for SuddenlySlow {
    fn send(&self, _: Request<Bytes>) -> ResponseFuture<'_> {
        let is_slow = self.0.fetch_add(1, Ordering::SeqCst) >= 200;
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(if is_slow { 12 } else { 0 })).await;
            Ok(Response::new(Bytes::new()))
        })
    }
}

#[rstest]
#[case::an_object("/apis/g/v1/things/x", None, false)]
#[case::a_document_of_all_definitions("/openapi/v2", None, true)]
#[case::a_watch("/apis/g/v1/things?watch=1", None, true)]
#[case::a_stated_limit("/apis/g/v1/things/x", Some(30), true)]
#[tokio::test(start_paused = true)]
async fn what_others_took_limits_an_answer(#[case] path: &str, #[case] stated: Option<u64>, #[case] is_awaited: bool) {
    let request_timeout = stated.map(Duration::from_secs);
    let options = BackoffOptions { request_timeout, ..BackoffOptions::default() };
    let layer = BackoffTransport::new(Arc::new(SuddenlySlow::default()), "http://fake", options);
    for _ in 0..200 {
        layer.send(request(Method::GET, "/x", "")).await.unwrap();
    }
    let got = layer.send(request(Method::GET, path, "")).await;
    assert_eq!(got.is_ok(), is_awaited, "{got:?}");
    assert!(got.is_ok() || matches!(got, Err(TransportError::Timeout { after, .. }) if after.as_secs() == 10));
}

#[tokio::test]
async fn the_rate_is_kept() {
    let rate = Rate::per_second(100.0);
    let script = Script::default();
    let layer = Arc::new(BackoffTransport::new(
        Arc::new(script),
        "http://fake",
        BackoffOptions { patience: Duration::ZERO, rate, ..BackoffOptions::default() },
    ));
    let begun = Instant::now();
    let all: Vec<_> = (0..50)
        .map(|_| {
            let layer = Arc::clone(&layer);
            tokio::spawn(async move { layer.send(request(Method::GET, "/x", "")).await.is_ok() })
        })
        .collect();
    for one in all {
        assert!(one.await.unwrap());
    }
    // A tenth of a second's worth may go at once; the rest takes 10 ms each.
    assert!(begun.elapsed() >= Duration::from_millis(390), "{:?}", begun.elapsed());
}

#[rstest]
#[case(0.0)]
#[case(-1.0)]
#[case(f64::NAN)]
#[case(f64::INFINITY)]
#[case(1e9)]
#[case(1e-300)]
fn impossible_rates(#[case] rate: f64) {
    assert!(Rate::per_second(rate).is_none());
}
