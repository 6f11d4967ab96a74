//! A proxy on loopback that opens tunnels.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{Seen, read_request};

/// A running proxy. It ends with the runtime of the test.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Proxy {
    /// Starts a proxy that answers every request with `response`, and opens a tunnel if that is a success. With an
    /// acceptor it uses TLS.
    pub(crate) async fn start(response: &'static str, tls: Option<tokio_rustls::TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, tls) = (Arc::clone(&log), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => tunnel(stream, response, &log).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                tunnel(stream, response, &log).await;
                            }
                        }
                    }
                });
            }
        });
        Self { address, seen }
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn tunnel(mut client: impl AsyncRead + AsyncWrite + Unpin, response: &str, log: &Mutex<Vec<Seen>>) {
    let Some(seen) = read_request(&mut client, &mut Vec::new()).await else {
        return;
    };
    let target = seen.path.clone();
    log.lock().unwrap().push(seen);
    let _ = client.write_all(response.as_bytes()).await;
    let _ = client.flush().await;
    if response.starts_with("HTTP/1.1 200")
        && let Ok(mut server) = TcpStream::connect(target).await
    {
        let _ = copy_bidirectional(&mut client, &mut server).await;
    }
}
