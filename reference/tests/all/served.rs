//! A server on a socket, and requests to it byte by byte.

use crdible_reference::{Endpoint, Options, Running, Server};
use crdible_semantics::Semantics;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::support::{LONG, Target, things};

/// The headers of a valid upgrade request, one per line.
pub(crate) const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://localhost\r\n\
    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A server on a socket that also answers in process.
pub(crate) struct Served {
    pub target: Target,
    pub running: Running,
    /// The lines of the request log.
    log: UnboundedReceiver<String>,
}

impl Served {
    /// A server with `things()`.
    pub(crate) async fn start(change: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        Self::with_options(Options::default(), change).await
    }

    pub(crate) async fn with_options(options: Options, change: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        let server = Server::with_options(Semantics::UPSTREAM, options);
        let (sender, log) = unbounded_channel();
        let endpoint = change(Endpoint::new(server.clone()));
        let endpoint = endpoint.log(move |entry| sender.send(entry.to_string()).unwrap_or_default());
        let running = endpoint.listen("127.0.0.1:0").await.expect("an address").start();
        Self { target: Target(server).having(&things()), running, log }
    }

    /// The address and the port.
    pub(crate) fn address(&self) -> &str {
        self.running.url().split_once("://").expect("a URL").1
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address()).await.expect("a connection")
    }

    /// Sends the head of a `GET` with these headers over a new connection.
    pub(crate) async fn ask(&self, path: &str, headers: &str) -> TcpStream {
        let mut stream = self.connect().await;
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.expect("a write");
        stream
    }

    /// The next line of the log.
    pub(crate) async fn next_line(&mut self) -> String {
        timeout(LONG, self.log.recv()).await.expect("a line in time").expect("a server that runs")
    }

    /// The next line of the log that contains a text.
    pub(crate) async fn logged(&mut self, text: &str) -> String {
        loop {
            let line = self.next_line().await;
            if line.contains(text) {
                return line;
            }
        }
    }

    pub(crate) async fn stop(self) {
        timeout(LONG, self.running.stop()).await.expect("an end in time").expect("a clean end");
    }
}

/// Reads until a text was received.
pub(crate) async fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains(text) {
        read.push(timeout(LONG, stream.read_u8()).await.expect("a byte in time").expect("a byte"));
    }
    String::from_utf8_lossy(&read).into_owned()
}

/// What the server sends before it closes the connection.
pub(crate) async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // The server may close it while the client is still sending.
    timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("an end in time").unwrap_or_default();
    String::from_utf8(bytes).expect("a text")
}
