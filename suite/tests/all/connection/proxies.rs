//! Proxies that a kubeconfig names.

use std::sync::Arc;

use base64::Engine;
use bytes::Bytes;
use crdible::connection::{Environment, Target, TargetError, TargetOptions, TransportError, connect_in};
use crdible::doctor::preflight;
use http::Request;
use rstest::rstest;

use crate::connection::authority::Authority;
use crate::connection::proxy::Proxy;
use crate::support::{Fake, good, serve, serve_over};

const OPEN: &str = "HTTP/1.1 200 Connection established\r\n\r\n";

/// A target whose kubeconfig has these fields in its cluster, and trusts `authority`.
async fn open(authority: &Authority, cluster: &str) -> Result<Target, TargetError> {
    let file = authority.folder.path().join("config");
    let text = format!(
        "current-context: a\nclusters: [{{name: c, cluster: {{certificate-authority: ca.pem, {cluster}}}}}]\ncontexts: [{{name: a, context: {{cluster: c}}}}]\n"
    );
    std::fs::write(&file, text).unwrap();
    let options = TargetOptions { kubeconfig: Some(file), ..TargetOptions::default() };
    connect_in(&options, &Environment::default()).await
}

async fn get(target: &Target) -> Result<u16, TransportError> {
    let request = Request::get("/version").body(Bytes::new()).unwrap();
    target.transport.send(request).await.map(|answer| answer.status().as_u16())
}

fn basic(text: &str) -> String {
    base64::engine::general_purpose::STANDARD.encode(text)
}

#[rstest]
#[case::no_credentials("", None)]
#[case::credentials("joe:hunter2@", Some("joe:hunter2"))]
#[case::encoded_credentials("j%40e:hunter%3a2@", Some("j@e:hunter:2"))]
#[case::no_password("joe@", Some("joe:"))]
#[tokio::test]
async fn requests_over_plain_http_go_to_the_proxy(#[case] user: &str, #[case] sent: Option<&str>) {
    let proxy = serve(good).await;
    let authority = Authority::new();
    let cluster = format!("server: 'http://no-such-host.invalid/prefix/', proxy-url: 'http://{user}{}'", proxy.address);
    let target = open(&authority, &cluster).await.unwrap();
    // The whole URL is in the first line, which this server does not know.
    assert_eq!(get(&target).await.unwrap(), 404);
    let seen = &proxy.requests()[0];
    assert_eq!(seen.path, "http://no-such-host.invalid/prefix/version");
    assert_eq!(seen.header("host"), Some("no-such-host.invalid"));
    let expected = sent.map(|sent| format!("Basic {}", basic(sent)));
    assert_eq!(seen.header("proxy-authorization"), expected.as_deref());
    for secret in sent.iter().flat_map(|sent| [sent.split_once(':').unwrap().1.to_owned(), basic(sent)]) {
        assert!(secret.is_empty() || target.secrets().all().contains(&secret), "{secret}");
    }
    assert!(!format!("{target:?}").contains("hunter"), "{target:?}");
}

async fn server_and_proxy(authority: &Authority, secure_proxy: bool) -> (Fake, Proxy, String) {
    let server = authority.serve(&["127.0.0.1"], false).await;
    let tls = secure_proxy.then(|| authority.acceptor(&["127.0.0.1"], false));
    let proxy = Proxy::start(OPEN, tls).await;
    let scheme = if secure_proxy { "https" } else { "http" };
    let cluster =
        format!("server: 'https://{}', proxy-url: '{scheme}://joe:hunter2@{}'", server.address, proxy.address);
    (server, proxy, cluster)
}

#[rstest]
#[case::plain(false)]
#[case::secure(true)]
#[tokio::test]
async fn requests_over_tls_go_through_one_tunnel(#[case] secure_proxy: bool) {
    let authority = Authority::new();
    let (server, proxy, cluster) = server_and_proxy(&authority, secure_proxy).await;
    preflight(&open(&authority, &cluster).await.unwrap()).await.unwrap();

    let [seen] = &proxy.requests()[..] else { panic!("{:?}", proxy.requests()) };
    assert_eq!((seen.method.as_str(), seen.path.as_str()), ("CONNECT", server.address.to_string().as_str()));
    assert_eq!(seen.header("host"), Some(server.address.to_string().as_str()));
    assert_eq!(seen.header("proxy-authorization"), Some(format!("Basic {}", basic("joe:hunter2")).as_str()));
    let requests = server.requests();
    assert!(requests.len() > 1 && requests[0].path == "/version", "{requests:?}");
    assert!(requests.iter().all(|seen| seen.header("proxy-authorization").is_none()), "{requests:?}");
}

#[tokio::test]
async fn a_secure_proxy_for_plain_http() {
    let authority = Authority::new();
    let proxy = serve_over(good, Some(authority.acceptor(&["127.0.0.1"], false))).await;
    let cluster = format!("server: 'http://no-such-host.invalid', proxy-url: 'https://{}'", proxy.address);
    assert_eq!(get(&open(&authority, &cluster).await.unwrap()).await.unwrap(), 404);
    assert_eq!(proxy.requests()[0].path, "http://no-such-host.invalid/version");
}

#[tokio::test]
async fn the_server_name_counts_behind_a_proxy() {
    let authority = Authority::new();
    let server = authority.serve(&["kubernetes.example"], false).await;
    let proxy = Proxy::start(OPEN, None).await;
    let cluster = format!("server: 'https://{}', proxy-url: 'http://{}'", server.address, proxy.address);
    let error = get(&open(&authority, &cluster).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("the certificate of the server is for another name"), "{error}");
    let cluster = format!("{cluster}, tls-server-name: kubernetes.example");
    assert_eq!(get(&open(&authority, &cluster).await.unwrap()).await.unwrap(), 200);
}

#[rstest]
#[case::credentials("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "requires a user name and password (407)")]
#[case::refused("HTTP/1.1 403 Forbidden\r\nx: y\r\n\r\n", "refuses to connect to the server (403)")]
#[case::other_protocol("220 mail.example ESMTP\r\n\r\n", "does not speak HTTP")]
#[case::closed("HTTP/1.1 200 Con", "closed the connection")]
#[tokio::test]
async fn a_proxy_that_opens_no_tunnel(#[case] response: &'static str, #[case] why: &str) {
    let authority = Authority::new();
    let proxy = Proxy::start(response, None).await;
    let cluster = format!("server: 'https://127.0.0.1:1', proxy-url: 'http://joe:hunter2@{}'", proxy.address);
    let error = get(&open(&authority, &cluster).await.unwrap()).await.unwrap_err();
    let text = error.to_string();
    assert_eq!(error.code(), "unreachable", "{text}");
    assert!(text.contains(why) && text.contains(&format!("the proxy http://{}", proxy.address)), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    assert_eq!(proxy.requests().len(), 3, "no request has left, so it is tried again");
}

#[tokio::test]
async fn a_proxy_that_does_not_run() {
    let authority = Authority::new();
    let cluster = "server: 'https://127.0.0.1:2', proxy-url: 'http://joe:hunter2@127.0.0.1:1'";
    let error = get(&open(&authority, cluster).await.unwrap()).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("the proxy http://127.0.0.1:1 cannot be used") && !text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn a_proxy_that_is_not_trusted() {
    let (authority, other) = (Authority::new(), Arc::new(Authority::new()));
    let proxy = Proxy::start(OPEN, Some(other.acceptor(&["127.0.0.1"], false))).await;
    let cluster = format!("server: 'https://127.0.0.1:1', proxy-url: 'https://{}'", proxy.address);
    let error = get(&open(&authority, &cluster).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("the certificate of the proxy is signed by an authority"), "{error}");
    assert!(proxy.requests().is_empty());
}
