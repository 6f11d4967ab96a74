//! Watches over WebSocket (REST-075, REST-076).

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use crdible_reference::{Authentication, Options};
use futures_util::{SinkExt as _, StreamExt as _};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};

use crate::served::{Served, UPGRADE, read_until};
use crate::support::{DEFINITIONS, LONG, NAMESPACES, THING, THINGS, thing};

impl Served {
    async fn with_defaults() -> Self {
        Self::start(|endpoint| endpoint).await
    }

    fn create(&self, name: &str, spec: &Value) {
        self.target.create(THINGS, &thing(name, spec));
    }

    /// Sends a request, and reads the head of the response.
    async fn head(&self, path: &str, headers: &str) -> (TcpStream, String) {
        let mut stream = self.ask(path, headers).await;
        let head = read_until(&mut stream, "\r\n\r\n").await;
        (stream, head)
    }

    /// Opens a WebSocket.
    async fn open(&self, path: &str, headers: &str) -> WebSocketStream<TcpStream> {
        let (stream, head) = self.head(path, &format!("{UPGRADE}{headers}")).await;
        assert!(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n"), "{head}");
        WebSocketStream::from_raw_socket(stream, Role::Client, None).await
    }

    async fn watch(&self, query: &str) -> WebSocketStream<TcpStream> {
        self.open(&format!("{THINGS}?watch=1{query}"), "").await
    }
}

async fn next(socket: &mut WebSocketStream<TcpStream>) -> Message {
    timeout(LONG, socket.next()).await.expect("a message in time").expect("a message").expect("no error")
}

/// The type and name of the next event: `ADDED a`.
async fn event(socket: &mut WebSocketStream<TcpStream>) -> String {
    let Message::Text(text) = next(socket).await else { panic!("an event is a text") };
    assert!(text.ends_with('\n'), "as upstream's messages do");
    let event: Value = serde_json::from_str(&text).expect("one value");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    format!("{} {}", text(&event["type"]), text(&event["object"]["metadata"]["name"])).trim().to_owned()
}

/// Checks that the server closes the WebSocket and the connection, and returns the close code.
async fn closed(socket: &mut WebSocketStream<TcpStream>) -> CloseCode {
    let Message::Close(Some(CloseFrame { code, reason })) = next(socket).await else { panic!("a close frame") };
    assert_eq!(reason.as_str(), "");
    let next = timeout(LONG, socket.next()).await.expect("an end in time");
    assert!(next.is_none_or(|next| next.is_err()), "nothing follows the close frame");
    code
}

#[tokio::test]
async fn rest_075_each_event_in_protobuf_is_a_binary_message() {
    let served = Served::with_defaults().await;
    for name in ["a", "b"] {
        served.target.post(NAMESPACES, &json!({"metadata": {"name": name}}));
    }
    let path = "/api/v1/namespaces?watch=1&fieldSelector=metadata.name!=default";
    let mut socket = served.open(path, "Accept: application/vnd.kubernetes.protobuf;stream=watch\r\n").await;
    let mut missing = vec!["a", "b"];
    while !missing.is_empty() {
        let Message::Binary(event) = next(&mut socket).await else { panic!("an event is binary") };
        // The type, and the object in its envelope: there is no length before them.
        assert!(event.starts_with(b"\x0a\x05ADDED\x12"), "{event:?}");
        let is_named = |name: &str| event.windows(3).any(|part| part == [10, 1, name.as_bytes()[0]]);
        missing.retain(|name| !is_named(name));
    }
    served.stop().await;
}

#[tokio::test]
async fn rest_075_each_event_is_a_text_message() {
    let served = Served::with_defaults().await;
    served.create("a", &json!({"a": "ä"}));
    served.create("b", &json!({}));
    let mut socket = served.watch("").await;
    assert_eq!(event(&mut socket).await, "ADDED a");
    assert_eq!(event(&mut socket).await, "ADDED b");
    served.target.merge(THING, &json!({"spec": {"a": "é"}}));
    served.target.delete(&format!("{THINGS}/b"));
    assert_eq!(event(&mut socket).await, "MODIFIED a");
    assert_eq!(event(&mut socket).await, "DELETED b");
    served.stop().await;
    assert_eq!(closed(&mut socket).await, CloseCode::Normal, "a stopping server closes normally");
}

#[tokio::test]
async fn rest_075_the_timeout_and_an_error_close_the_socket() {
    let served = Served::with_defaults().await;
    served.create("a", &json!({}));
    let mut socket = served.watch("&timeoutSeconds=1").await;
    assert_eq!(event(&mut socket).await, "ADDED a");
    assert_eq!(closed(&mut socket).await, CloseCode::Normal);
    let mut late = served.watch("&resourceVersion=1").await;
    assert_eq!(event(&mut late).await, "ERROR");
    assert_eq!(closed(&mut late).await, CloseCode::Normal);
    served.stop().await;
}

#[rstest]
#[case::not_a_watch(THINGS, "", "200 OK")]
#[case::object("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com?watch=1", "", "200 OK")]
#[case::not_served("/apis/example.com/v1/nothings?watch=1", "", "404 Not Found")]
#[case::selector("/apis/example.com/v1/things?watch=1&labelSelector=a%20b", "", "400 Bad Request")]
#[case::options("/apis/example.com/v1/things?watch=1&sendInitialEvents=true", "", "422 Unprocessable Entity")]
#[case::yaml("/apis/example.com/v1/things?watch=1", "Accept: application/yaml\r\n", "406 Not Acceptable")]
#[tokio::test]
async fn rest_075_requests_that_are_not_watches_are_answered_in_http(
    #[case] path: &str,
    #[case] headers: &str,
    #[case] expected: &str,
) {
    let served = Served::with_defaults().await;
    let (_stream, head) = served.head(path, &format!("{UPGRADE}{headers}")).await;
    assert!(head.starts_with(&format!("HTTP/1.1 {expected}\r\n")), "{head}");
    assert!(!head.to_lowercase().contains("upgrade"), "{head}");
    served.stop().await;
}

#[rstest]
#[case::origin("Origin", "403 Forbidden", "")]
#[case::key("Sec-WebSocket-Key", "400 Bad Request", "mismatch challenge/response")]
#[case::version("Sec-WebSocket-Version", "400 Bad Request", "missing or bad WebSocket Version")]
#[tokio::test]
async fn rest_075_an_invalid_handshake_closes_the_connection(
    #[case] without: &str,
    #[case] code: &str,
    #[case] text: &str,
) {
    let served = Served::with_defaults().await;
    let left: Vec<&str> = UPGRADE.split_inclusive("\r\n").filter(|line| !line.starts_with(without)).collect();
    let (mut stream, head) = served.head(&format!("{THINGS}?watch=1"), &left.concat()).await;
    assert!(head.starts_with(&format!("HTTP/1.1 {code}\r\n")), "{head}");
    let mut body = String::new();
    timeout(LONG, stream.read_to_string(&mut body)).await.expect("an end in time").expect("a text");
    assert_eq!(body, text);
    served.stop().await;
}

#[tokio::test]
async fn rest_075_without_an_upgrade_a_watch_is_a_stream_of_lines() {
    let served = Served::with_defaults().await;
    let other = UPGRADE.replace("Upgrade: websocket", "Upgrade: h2c");
    let (_stream, head) = served.head(&format!("{THINGS}?watch=1"), &other).await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.contains("transfer-encoding: chunked"), "{head}");
    served.stop().await;
}

#[tokio::test]
async fn rest_075_messages_of_the_client_are_ignored() {
    let served = Served::with_defaults().await;
    let mut socket = served.watch("").await;
    for message in [Message::text("stop"), Message::binary(vec![0; 100_000]), Message::Pong("x".into())] {
        socket.send(message).await.expect("a message");
    }
    socket.send(Message::Ping("are you there".into())).await.expect("a message");
    assert_eq!(next(&mut socket).await, Message::Pong("are you there".into()));
    served.create("a", &json!({}));
    assert_eq!(event(&mut socket).await, "ADDED a");
    socket.close(Some(CloseFrame { code: CloseCode::Normal, reason: "enough".into() })).await.expect("a close frame");
    assert!(matches!(next(&mut socket).await, Message::Close(Some(CloseFrame { code: CloseCode::Normal, .. }))));
    served.stop().await;
}

#[rstest]
#[case::not_masked(b"\x81\x05hello".to_vec(), CloseCode::Protocol)]
#[case::http(b"GET / HTTP/1.1\r\n\r\n".to_vec(), CloseCode::Protocol)]
#[case::terabytes([b"\x82\xff\x00\x00\x0f\xff\xff\xff\xff\xff".as_slice(), &[0; 1000]].concat(), CloseCode::Normal)]
#[tokio::test]
async fn rest_075_invalid_frames_close_the_socket(#[case] sent: Vec<u8>, #[case] expected: CloseCode) {
    let served = Served::with_defaults().await;
    let mut socket = served.watch("").await;
    socket.get_mut().write_all(&sent).await.expect("a write");
    assert_eq!(closed(&mut socket).await, expected);
    served.stop().await;
}

#[tokio::test]
async fn a_client_that_disconnects_ends_its_watch() {
    let mut served = Served::with_defaults().await;
    let mut socket = served.watch("").await;
    let begins = "GET /apis/example.com/v1/namespaces/default/things?watch=1 101 watch begins 0 B ";
    let line = served.next_line().await;
    assert!(line.starts_with(begins), "{line}");
    served.create("a", &json!({}));
    assert_eq!(event(&mut socket).await, "ADDED a");
    drop(socket);
    let ends = "GET /apis/example.com/v1/namespaces/default/things?watch=1 101 watch ends ";
    let line = served.next_line().await;
    assert!(line.starts_with(ends) && !line.contains(" 0 B"), "{line}");
    served.stop().await;
}

/// A slow client costs no memory, because it misses events, and does not delay others.
#[tokio::test]
async fn rest_065_a_client_that_does_not_read_gets_an_error() {
    const OBJECTS: usize = 200;
    let options = Options { history: 2, ..Options::default() };
    let served = Served::with_options(options, |endpoint| endpoint).await;
    let mut slow = served.watch("").await;
    let much = "x".repeat(200_000);
    for number in 0..OBJECTS {
        served.create(&format!("o{number}"), &json!({"a": much}));
        tokio::task::yield_now().await;
    }
    let mut quick = served.watch("&fieldSelector=metadata.name%3Do7").await;
    assert_eq!(event(&mut quick).await, "ADDED o7");
    let mut added = 0;
    let last = loop {
        match event(&mut slow).await {
            event if event.starts_with("ADDED ") => added += 1,
            event => break event,
        }
    };
    assert_eq!(last, "ERROR");
    assert!(added < OBJECTS, "no buffers hold all events");
    assert_eq!(closed(&mut slow).await, CloseCode::Normal);
    served.stop().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_prevent_shutdown() {
    let served = Served::with_defaults().await;
    let _slow = served.watch("").await;
    let much = "x".repeat(1_000_000);
    for number in 0..30 {
        served.create(&format!("o{number}"), &json!({"a": much}));
        tokio::task::yield_now().await;
    }
    served.stop().await;
}

/// Browsers cannot send an `Authorization` header.
#[tokio::test]
async fn rest_076_a_token_among_the_subprotocols_is_accepted() {
    let served = Served::start(|endpoint| endpoint.authenticate(Authentication::Token)).await;
    let kubeconfig: Value = serde_saphyr::from_str(&served.running.kubeconfig().to_yaml()).expect("YAML");
    let token = kubeconfig["users"][0]["user"]["token"].as_str().expect("a token");
    let protocol = format!("base64url.bearer.authorization.k8s.io.{}", BASE64_URL_SAFE_NO_PAD.encode(token));
    let path = format!("{DEFINITIONS}?watch=1");
    let (_stream, head) = served.head(&path, &format!("{UPGRADE}Sec-WebSocket-Protocol: {protocol}, x.io\r\n")).await;
    assert!(head.starts_with("HTTP/1.1 101 ") && head.contains("sec-websocket-protocol: x.io\r\n"), "{head}");
    for protocols in ["x.io".to_owned(), protocol.clone(), format!("{protocol}x, x.io")] {
        let (_stream, head) = served.head(&path, &format!("{UPGRADE}Sec-WebSocket-Protocol: {protocols}\r\n")).await;
        assert!(head.starts_with("HTTP/1.1 401 "), "{protocols}: {head}");
    }
    served.stop().await;
}
