//! What a server on a socket refuses: web pages of other sites, and clients that keep it waiting.

mod limits;
mod pages;

use crdible_reference::Authentication;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::served::{Served, rest};

/// A response.
#[derive(Debug)]
struct Answer {
    code: u16,
    /// In lower case.
    head: String,
    body: String,
}

impl Answer {
    /// The message of a `Status`.
    fn message(&self) -> String {
        let status: Value = serde_json::from_str(&self.body).unwrap_or_default();
        assert_eq!((&status["kind"], &status["code"]), (&"Status".into(), &self.code.into()), "{self:?}");
        status["message"].as_str().expect("a message").to_owned()
    }
}

impl Served {
    async fn with(authentication: Authentication) -> Self {
        Self::start(|endpoint| endpoint.authenticate(authentication)).await
    }

    /// Sends a request over a new connection, and reads the response.
    async fn send(&self, request: &str, body: &str) -> Answer {
        let mut stream = self.connect().await;
        let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let text = format!("{request}\r\nConnection: close\r\n{length}\r\n{body}");
        stream.write_all(text.as_bytes()).await.expect("a write");
        answer(&mut stream).await
    }
}

/// Reads a response until the server closes the connection.
async fn answer(stream: &mut TcpStream) -> Answer {
    let text = rest(stream).await;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Answer { code: code.expect("a code"), head: head.to_ascii_lowercase(), body: body.to_owned() }
}
