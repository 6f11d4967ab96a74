//! `check-webhook` over HTTPS: servers that API servers accept, and some that none accepts.

use std::sync::Arc;

use crdible::{
    connection::{TargetOptions, connect},
    converter::{Asker, ConverterTransport, Reached},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

use super::{check_with, subject};
use crate::connection::authority::Authority;

/// A right converter that speaks HTTP/1.0, ends each response by closing the connection without the alert of TLS, and
/// may not know a path with a query.
async fn serve(acceptor: TlsAcceptor, knows_queries: bool) -> String {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("https://{}/convert", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, right) = (acceptor.clone(), right.clone());
            tokio::spawn(async move {
                let mut stream = acceptor.accept(stream).await.ok()?;
                let (head, body) = request(&mut stream).await?;
                let (status, answer) = match head.split(' ').nth(1) {
                    Some("/convert?timeout=30s") if !knows_queries => ("404 Not Found", Vec::new()),
                    _ => ("200 OK", right(&body).body),
                };
                let answer = [format!("HTTP/1.0 {status}\r\n\r\n").as_bytes(), &answer].concat();
                stream.write_all(&answer).await.ok()?;
                stream.flush().await.ok()?;
                stream.into_inner().0.shutdown().await.ok()
            });
        }
    });
    url
}

/// The head and the body of a request.
async fn request(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> Option<(String, Vec<u8>)> {
    let mut read = Vec::new();
    loop {
        if stream.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&read);
        let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
        let lower = head.to_ascii_lowercase();
        let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
        let (head, begin) = (head.to_owned(), head.len() + 4);
        if read.len() >= begin + length.unwrap_or(0) {
            return Some((head, read.split_off(begin)));
        }
    }
}

async fn asker(url: String, authority: &Authority) -> Arc<Asker> {
    let options = TargetOptions { server: Some(url), ca: Some(authority.ca()), ..TargetOptions::default() };
    let target = connect(&options).await.expect("a target");
    Arc::new(Asker::new(ConverterTransport::Http(Arc::clone(&target.transport))))
}

#[tokio::test]
async fn a_right_server_of_http_1_0_is_right() {
    let authority = Authority::new();
    let asker = asker(serve(authority.acceptor(&["127.0.0.1"], false), true).await, &authority).await;
    assert!(matches!(asker.reach().await, Ok(Reached::After(_))));
    let found = check_with(&asker, subject::different_shapes().0, &["conv-030-protocol"], 1, 10).await;
    assert!(found.signatures.is_empty() && found.flaky.is_empty(), "{found:?}");
}

#[tokio::test]
async fn a_server_that_does_not_know_the_query_is_wrong() {
    let authority = Authority::new();
    let asker = asker(serve(authority.acceptor(&["127.0.0.1"], false), false).await, &authority).await;
    match asker.reach().await {
        Ok(Reached::Unusable(why)) => assert!(why.contains("because of the query ?timeout=30s"), "{why}"),
        other => panic!("{other:?}"),
    }
    let found = check_with(&asker, subject::different_shapes().0, &["conv-030-protocol"], 1, 10).await;
    assert!(found.signatures.contains("conv-030-protocol:v1::status-404"), "{found:?}");
}

#[tokio::test]
async fn a_certificate_without_names_is_wrong() {
    let authority = Authority::new();
    let asker = asker(serve(authority.acceptor(&[], false), true).await, &authority).await;
    match asker.reach().await {
        Ok(Reached::Unusable(why)) => assert!(why.contains("names no host as subject alternative name"), "{why}"),
        other => panic!("{other:?}"),
    }
    let found = check_with(&asker, subject::different_shapes().0, &["conv-030-protocol"], 1, 10).await;
    assert!(found.signatures.contains("conv-030-protocol:v1::certificate"), "{found:?}");
}

/// The user may have named another address than that of the certificate.
#[tokio::test]
async fn a_certificate_with_another_name_says_nothing_of_the_converter() {
    let authority = Authority::new();
    let asker = asker(serve(authority.acceptor(&["hook.ns.svc"], false), true).await, &authority).await;
    let error = asker.reach().await.expect_err("it cannot be reached").to_string();
    assert!(error.contains("is for another name"), "{error}");
}
