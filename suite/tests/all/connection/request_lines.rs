//! What arrives in the first line of a request is what was sent, byte for byte: a server is also tested with paths that
//! other clients rewrite (ARCHITECTURE.md, "Why not reqwest").

use std::sync::Arc;

use bytes::Bytes;
use crdible::connection::{Environment, TargetOptions, Transport, connect, connect_in};
use http::Request;
use rstest::rstest;

use crate::support::{Fake, answer, serve};

/// Paths and queries that `http::Uri` accepts. Those of the first two groups are rewritten by `url::Url`.
const SENT: &[&str] = &[
    // Segments of dots.
    "/a/./b",
    "/a/../b",
    "/a/..",
    "/..",
    "/apis/x/v1/namespaces/../things",
    "/a/%2e/b",
    "/a/%2e%2e/b",
    "/a/.%2E/b",
    "/a/%2E%2E",
    // Characters that could be escaped, or be slashes.
    "/a\"b",
    "/a{b}",
    "/a\\b",
    "/a\\..\\b",
    "/a?b='",
    "/\u{e9}",
    "/a?b=\u{e9}",
    // The others.
    "/",
    "//x",
    "/a//b",
    "/a/",
    "/...",
    "/a/..%2fb",
    "/a%2Fb",
    "/a%2fb",
    "/a?",
    "/a?&",
    "/a?x=1&&y=2",
    "/a?b=../c",
    "/a?c=/../d",
    "/a?b=%00&c=|{}",
    "/a?b=^`[]\\",
    "/a|b",
    "/a^b",
    "/a'b",
    "/a[b]",
    "/a:b;c=d@e",
    "/%00",
    "/%",
    "/%zz",
    "/a?b=%zz",
    "/%C3%A9",
    "/%c3%a9",
    "/%FF",
    "/a%20b%09c",
    "/a?b=c+d%20e",
    "/a?labelSelector=a%20in%20(b,c)",
];

async fn echo() -> Fake {
    serve(|_| answer("200 OK", "text/plain", "", "")).await
}

async fn send_all(transport: &Arc<dyn Transport>) {
    for sent in SENT {
        let request = Request::get(*sent).body(Bytes::new()).unwrap();
        assert_eq!(transport.send(request).await.unwrap().status(), 200, "{sent}");
    }
}

#[rstest]
#[case::at_the_root("")]
#[case::behind_a_prefix("/a/../%2e%2e//b")]
#[tokio::test]
async fn paths_and_queries_arrive_as_they_are(#[case] prefix: &str) {
    let fake = echo().await;
    let options = TargetOptions { server: Some(format!("{}{prefix}", fake.url())), ..TargetOptions::default() };
    send_all(&connect(&options).await.unwrap().transport).await;
    for (sent, seen) in SENT.iter().zip(fake.requests()) {
        // The prefix alone need not end in a slash.
        let sent = if !prefix.is_empty() && *sent == "/" { "" } else { sent };
        assert_eq!(seen.path, format!("{prefix}{sent}"));
    }
    assert_eq!(fake.requests().len(), SENT.len());
}

#[tokio::test]
async fn a_proxy_gets_them_as_they_are_too() {
    let (proxy, folder) = (echo().await, tempfile::TempDir::new().unwrap());
    let file = folder.path().join("config");
    let cluster = format!("server: 'http://no-such-host.invalid', proxy-url: 'http://{}'", proxy.address);
    let text = format!(
        "current-context: a\nclusters: [{{name: c, cluster: {{{cluster}}}}}]\ncontexts: [{{name: a, context: {{cluster: c}}}}]\n"
    );
    std::fs::write(&file, text).unwrap();
    let options = TargetOptions { kubeconfig: Some(file), ..TargetOptions::default() };
    send_all(&connect_in(&options, &Environment::default()).await.unwrap().transport).await;
    let seen: Vec<_> = proxy.requests().into_iter().map(|seen| seen.path).collect();
    assert_eq!(seen, SENT.iter().map(|sent| format!("http://no-such-host.invalid{sent}")).collect::<Vec<_>>());
}
