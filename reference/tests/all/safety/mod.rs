//! What a server on a socket refuses: web pages of other sites, and clients that keep it waiting.

mod limits;
mod pages;
use std::time::Duration;

use crdible_reference::{Authentication, Endpoint, Running, Server};
use crdible_semantics::Semantics;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::support::{Target, things};

/// Longer than any step of these tests takes, on any machine.
const LONG: Duration = Duration::from_secs(20);

/// A server on a socket that also answers in process.
struct Served {
    target: Target,
    running: Running,
    /// The lines of the request log.
    log: UnboundedReceiver<String>,
}

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
    async fn start(change: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        let server = Server::new(Semantics::UPSTREAM);
        let target = Target(server.clone());
        target.install(&things());
        let (sender, log) = unbounded_channel();
        let endpoint = change(Endpoint::new(server));
        let endpoint = endpoint.log(move |entry| sender.send(entry.to_string()).unwrap_or_default());
        Self { target, running: endpoint.listen("127.0.0.1:0").await.expect("an address").start(), log }
    }

    async fn with(authentication: Authentication) -> Self {
        Self::start(|endpoint| endpoint.authenticate(authentication)).await
    }

    /// The address and the port.
    fn address(&self) -> &str {
        self.running.url().trim_start_matches("http://")
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address()).await.expect("a connection")
    }

    /// Sends a request over a new connection, and reads the response.
    async fn send(&self, request: &str, body: &str) -> Answer {
        let mut stream = self.connect().await;
        let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let text = format!("{request}\r\nConnection: close\r\n{length}\r\n{body}");
        stream.write_all(text.as_bytes()).await.expect("a write");
        answer(&mut stream).await
    }

    /// The next line of the log that contains a text.
    async fn logged(&mut self, text: &str) -> String {
        loop {
            let line = timeout(LONG, self.log.recv()).await.expect("a line in time").expect("a server that runs");
            if line.contains(text) {
                return line;
            }
        }
    }

    async fn stop(self) {
        timeout(LONG, self.running.stop()).await.expect("an end in time").expect("a clean end");
    }
}

/// Reads a response until the server closes the connection.
async fn answer(stream: &mut TcpStream) -> Answer {
    let text = rest(stream).await;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Answer { code: code.expect("a code"), head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// What the server sends before it closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // The server may close it while the client is still sending.
    timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("an end in time").unwrap_or_default();
    String::from_utf8(bytes).expect("a text")
}
