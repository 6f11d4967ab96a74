//! Web pages of other sites.

use bytes::Bytes;
use crdible_reference::{Authentication, Host};
use http::Request;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rstest::rstest;
use tokio::time::timeout;

use crate::served::{Served, UPGRADE, read_until};
use crate::support::{DEFINITIONS, LONG, NAMESPACES, THINGS, THINGS_DEFINITION};

const NAMESPACE: &str = r#"{"metadata":{"name":"made"}}"#;

impl Served {
    fn has_namespace(&self) -> bool {
        self.target.get(&format!("{NAMESPACES}/made")).code == 200
    }
}

#[rstest]
#[case::localhost("localhost", 201)]
#[case::address("127.0.0.1:PORT", 201)]
#[case::another_port("localhost:1", 201)]
#[case::version_6("[::1]:PORT", 201)]
#[case::named("crdible.internal:PORT", 201)]
#[case::rebound("evil.example:PORT", 403)]
#[case::another_address("192.0.2.1:PORT", 403)]
#[tokio::test]
async fn only_own_hosts_are_served(#[case] host: &str, #[case] code: u16) {
    let served = Served::start(|endpoint| endpoint.accept_host("crdible.internal".parse().expect("a host"))).await;
    let host = host.replace("PORT", served.address().rsplit(':').next().expect("a port"));
    let answer = served.send(&format!("POST {NAMESPACES} HTTP/1.1\r\nHost: {host}"), NAMESPACE).await;
    assert_eq!((answer.code, served.has_namespace()), (code, code == 201), "{answer:?}");
    if code == 403 {
        let message = answer.message();
        assert!(message.contains(&format!("{host:?}")) && message.contains("--accept-host"), "{message}");
        assert!(answer.head.contains("content-type: application/json"), "{answer:?}");
    }
    served.stop().await;
}

#[rstest]
#[case::own("localhost:1", 201)]
#[case::rebound("evil.example:1", 403)]
#[tokio::test]
async fn only_own_hosts_are_served_over_http_2(#[case] authority: &str, #[case] code: u16) {
    let served = Served::with(Authentication::None).await;
    let io = TokioIo::new(served.connect().await);
    let (mut client, connection) = http2::handshake(TokioExecutor::new(), io).await.expect("a handshake");
    tokio::spawn(connection);
    let request = Request::post(format!("http://{authority}{NAMESPACES}")).body(Full::<Bytes>::from(NAMESPACE));
    let answer = client.send_request(request.expect("a request"));
    let answer = timeout(LONG, answer).await.expect("an answer in time").expect("an answer");
    assert_eq!((answer.status().as_u16(), served.has_namespace()), (code, code == 201));
    answer.into_body().collect().await.expect("a body");
    served.stop().await;
}

#[rstest]
#[case::none("", 400, "400 Bad Request: missing required Host header")]
#[case::two("Host: localhost\r\nHost: localhost", 400, "400 Bad Request: too many Host headers")]
#[case::malformed("Host: a b", 400, "400 Bad Request: malformed Host header")]
#[tokio::test]
async fn a_request_without_one_host_is_400(#[case] hosts: &str, #[case] code: u16, #[case] text: &str) {
    for authentication in [Authentication::None, Authentication::Token] {
        let served = Served::with(authentication).await;
        let request = format!("GET /version HTTP/1.1\r\n{hosts}").trim_end().to_owned();
        let answer = served.send(&request, "").await;
        assert_eq!((answer.code, &*answer.body), (code, text), "{answer:?}");
        assert!(answer.head.contains("connection: close") && answer.head.contains("text/plain"), "{answer:?}");
        served.stop().await;
    }
}

#[rstest]
#[case::script("Origin: http://evil.example", 403)]
#[case::page_of_another_server("Origin: http://localhost:3000", 403)]
#[case::file("Origin: null", 403)]
#[case::old_form("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate", 403)]
#[case::own_page("Origin: http://ADDRESS", 201)]
#[case::page_of_a_named_host("Origin: http://crdible.internal:3000", 201)]
#[case::no_page("User-Agent: kubectl", 201)]
#[tokio::test]
async fn pages_of_other_sites_write_nothing(#[case] header: &str, #[case] code: u16) {
    let served = Served::start(|endpoint| endpoint.accept_host("crdible.internal".parse().expect("a host"))).await;
    let (address, header) = (served.address(), header.replace("ADDRESS", served.address()));
    // As `fetch` with a `Blob` sends it, without a preflight.
    let answer = served.send(&format!("POST {NAMESPACES} HTTP/1.1\r\nHost: {address}\r\n{header}"), NAMESPACE).await;
    assert_eq!((answer.code, served.has_namespace()), (code, code == 201), "{answer:?}");
    assert!(!answer.head.contains("access-control-"), "{answer:?}");
    served.stop().await;
}

#[rstest]
#[case("GET")]
#[case("HEAD")]
#[case("OPTIONS")]
#[case("DELETE")]
#[case("PATCH")]
#[tokio::test]
async fn pages_of_other_sites_get_no_permission_and_no_answer(#[case] method: &str) {
    let served = Served::with(Authentication::None).await;
    let request = format!(
        "{method} /version HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\
         Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Private-Network: true"
    );
    let answer = served.send(&request, "").await;
    assert_eq!(answer.code, 403, "{answer:?}");
    assert!(!answer.head.contains("access-control-") && !answer.body.contains("gitVersion"), "{answer:?}");
    assert_eq!(answer.body.is_empty(), method == "HEAD");
    served.stop().await;
}

#[rstest]
#[case::own("http://localhost", "101")]
#[case::evil("http://evil.example", "403")]
#[case::any("*", "403")]
#[tokio::test]
async fn pages_of_other_sites_open_no_websocket(#[case] origin: &str, #[case] code: &str) {
    let served = Served::with(Authentication::None).await;
    let headers = UPGRADE.replace("http://localhost", origin);
    let mut stream = served.ask(&format!("{THINGS}?watch=1&timeoutSeconds=1"), &headers).await;
    let head = read_until(&mut stream, "\r\n").await;
    assert!(head.starts_with(&format!("HTTP/1.1 {code} ")), "{head}");
    served.stop().await;
}

/// A page does not know the token, so other clients are not restricted.
#[tokio::test]
async fn with_a_token_every_host_and_origin_is_accepted() {
    let served = Served::with(Authentication::Token).await;
    let kubeconfig = served.running.kubeconfig().to_yaml();
    let token = kubeconfig.lines().find_map(|line| line.trim().strip_prefix("token: ")).expect("a token");
    let request = format!(
        "POST {NAMESPACES} HTTP/1.1\r\nHost: crdible.svc\r\nOrigin: http://console.example\r\nAuthorization: Bearer {}",
        token.trim_matches('"')
    );
    assert_eq!(served.send(&request, NAMESPACE).await.code, 201);
    served.stop().await;
}

/// Browsers send a form of these types to any site, older ones without an `Origin`; upstream refuses them as well.
#[rstest]
#[case("text/plain")]
#[case("text/plain;charset=UTF-8")]
#[case("application/x-www-form-urlencoded")]
#[case("multipart/form-data; boundary=x")]
#[tokio::test]
async fn forms_write_nothing(#[case] content_type: &str) {
    let served = Served::with(Authentication::None).await;
    let before = served.target.get(NAMESPACES).text;
    let paths = [NAMESPACES, DEFINITIONS, THINGS, "/api/v1/namespaces/default/events"];
    let objects = ["/api/v1/namespaces/default", "/api/v1/namespaces/default/status"];
    let of_collections = paths.iter().map(|path| ("POST", *path));
    let of_objects =
        objects.iter().copied().chain([THINGS_DEFINITION]).flat_map(|path| [("PUT", path), ("PATCH", path)]);
    for (method, path) in
        of_collections.chain(of_objects).chain([("DELETE", NAMESPACES), ("DELETE", THINGS_DEFINITION)])
    {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}");
        let answer = served.send(&head, NAMESPACE).await;
        assert!(matches!(answer.code, 405 | 415), "{method} {path}: {answer:?}");
    }
    assert_eq!(served.target.get(NAMESPACES).text, before);
    assert_eq!(served.target.get(THINGS_DEFINITION).code, 200);
    served.stop().await;
}

#[rstest]
#[case::port("a:80")]
#[case::url("http://a")]
#[case::pattern("*.example.com")]
fn what_is_no_host_cannot_be_accepted(#[case] text: &str) {
    let refused = text.parse::<Host>().expect_err("a refusal");
    assert!(refused.to_string().contains(&format!("{text:?} is not")), "{refused}");
}
