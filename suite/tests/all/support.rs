//! Servers on loopback that misbehave as a test needs.
#![allow(dead_code, clippy::unwrap_used)]

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// What a server does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Writes these bytes and keeps the connection.
    Raw(Vec<u8>),
    /// Writes these bytes and closes.
    RawThenClose(Vec<u8>),
    /// Closes without a word.
    Close,
    /// Never answers.
    Hang,
    /// A well-formed answer whose body never ends.
    Endless,
}

/// An answer with a body and its length.
pub(crate) fn answer(status: &str, content_type: &str, extra: &str, body: &str) -> Reply {
    Reply::Raw(
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n{extra}\r\n{body}",
            body.len()
        )
        .into_bytes(),
    )
}

pub(crate) fn json(status: &str, body: &serde_json::Value) -> Reply {
    answer(status, "application/json", "", &body.to_string())
}

/// An error as REST-005 wants it.
pub(crate) fn status(code: u16, reason: &str, message: &str) -> Reply {
    json(
        &format!("{code} {reason}"),
        &serde_json::json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message, "reason": reason, "code": code,
        }),
    )
}

/// What a good server answers to the first look.
pub(crate) fn good(seen: &Seen) -> Reply {
    match seen.path.as_str() {
        "/version" => json(
            "200 OK",
            &serde_json::json!({"major": "1", "minor": "36+", "gitVersion": "v1.36.3", "platform": "linux/amd64"}),
        ),
        "/apis/apiextensions.k8s.io/v1" => json(
            "200 OK",
            &serde_json::json!({"kind": "APIResourceList", "groupVersion": "apiextensions.k8s.io/v1", "resources": [
                {"name": "customresourcedefinitions", "verbs": ["create", "get"]},
            ]}),
        ),
        path if path.starts_with("/apis/apiextensions.k8s.io/v1/customresourcedefinitions") => {
            json("200 OK", &serde_json::json!({"kind": "CustomResourceDefinitionList", "items": []}))
        }
        _ => answer("404 Not Found", "text/plain", "", "404 page not found"),
    }
}

/// A running server; it ends with the test's runtime.
pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
}

impl Fake {
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

/// Serves plain HTTP.
pub(crate) async fn serve(handler: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Fake {
    serve_over(handler, None).await
}

/// Serves HTTP, over TLS if there is an acceptor.
pub(crate) async fn serve_over(
    handler: impl Fn(&Seen) -> Reply + Send + Sync + 'static,
    tls: Option<tokio_rustls::TlsAcceptor>,
) -> Fake {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (handler, log) = (Arc::new(handler), Arc::clone(&seen));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (handler, log, tls) = (Arc::clone(&handler), Arc::clone(&log), tls.clone());
            tokio::spawn(async move {
                match tls {
                    None => converse(stream, &*handler, &log).await,
                    Some(tls) => {
                        if let Ok(stream) = tls.accept(stream).await {
                            converse(stream, &*handler, &log).await;
                        }
                    }
                }
            });
        }
    });
    Fake { address, seen }
}

async fn converse(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    handler: &(impl Fn(&Seen) -> Reply + ?Sized),
    log: &Mutex<Vec<Seen>>,
) {
    let mut buffer = Vec::new();
    while let Some(seen) = read_request(&mut stream, &mut buffer).await {
        log.lock().unwrap().push(seen.clone());
        match handler(&seen) {
            Reply::Raw(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
                let _ = stream.flush().await;
            }
            Reply::RawThenClose(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
                return;
            }
            Reply::Close => return,
            Reply::Hang => tokio::time::sleep(Duration::from_secs(3600)).await,
            Reply::Endless => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n").await;
                let chunk = vec![b' '; 1 << 20];
                while stream.write_all(&chunk).await.is_ok() {}
                return;
            }
        }
    }
}

pub(crate) async fn read_request(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    buffer: &mut Vec<u8>,
) -> Option<Seen> {
    let head_end = loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        // As real servers do with a TLS greeting: they do not wait for a head.
        if buffer.first() == Some(&0x16) {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
            return None;
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(length @ 1..) => buffer.extend_from_slice(&chunk[..length]),
            _ => return None,
        }
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(key, _)| key == "content-length")
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0_usize);
    let body_start = head_end + 4;
    while buffer.len() < body_start + length {
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(read @ 1..) => buffer.extend_from_slice(&chunk[..read]),
            _ => return None,
        }
    }
    let body = buffer[body_start..body_start + length].to_vec();
    buffer.drain(..body_start + length);
    Some(Seen { method, path, headers, body })
}
