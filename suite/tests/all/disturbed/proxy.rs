//! A misbehaving proxy in front of a server: one request at a time on each connection, over real TCP.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

use crate::{
    disturbed::mishap::{Mishap, Mishaps},
    support::{Seen, read_request},
};

/// How the way to the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Requests are passed on.
    Open,
    /// Requests wait.
    Held,
    /// All connections are closed, and new ones refused.
    Cut,
}

/// A running proxy. It ends with the runtime of the test.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    server: Mutex<SocketAddr>,
    mishaps: Mutex<Mishaps>,
    way: watch::Sender<Way>,
    /// Whether the first case is about to begin.
    is_opened: watch::Sender<bool>,
    /// How many requests have come.
    requests: AtomicU64,
    /// How many met each mishap.
    met: Mutex<BTreeMap<Mishap, u64>>,
}

impl Proxy {
    /// Starts a proxy that passes everything on.
    pub(crate) async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            server: Mutex::new(server),
            mishaps: Mutex::new(Mishaps::NONE),
            way: watch::Sender::new(Way::Open),
            is_opened: watch::Sender::new(false),
            requests: AtomicU64::new(0),
            met: Mutex::default(),
        });
        tokio::spawn(Arc::clone(&shared).accept(address, listener));
        Self { address, shared }
    }

    /// From now on requests meet these mishaps.
    pub(crate) fn misbehave(&self, mishaps: Mishaps) {
        *self.shared.mishaps.lock().unwrap() = mishaps;
    }

    /// From now on the way is like this.
    pub(crate) fn set(&self, way: Way) {
        self.shared.way.send_replace(way);
    }

    /// From now on requests go to this server.
    pub(crate) fn lead_to(&self, server: SocketAddr) {
        *self.shared.server.lock().unwrap() = server;
    }

    /// How many requests have come.
    pub(crate) fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::Relaxed)
    }

    /// Says that the first case is about to begin.
    pub(crate) fn say_opened(&self) {
        self.shared.is_opened.send_replace(true);
    }

    /// Waits until that was said.
    pub(crate) async fn until_opened(&self) {
        self.shared.is_opened.subscribe().wait_for(|is_opened| *is_opened).await.unwrap();
    }

    /// Waits until this number of requests has come.
    pub(crate) async fn until(&self, requests: u64) {
        while self.requests() < requests {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// How many requests met each mishap.
    pub(crate) fn met(&self) -> BTreeMap<Mishap, u64> {
        self.shared.met.lock().unwrap().clone()
    }
}

impl Shared {
    async fn accept(self: Arc<Self>, address: SocketAddr, first: TcpListener) {
        let mut listener = Some(first);
        let mut ways = self.way.subscribe();
        let mut connections = JoinSet::new();
        loop {
            if *ways.borrow_and_update() == Way::Cut {
                listener = None;
                connections.shutdown().await;
                ways.changed().await.unwrap();
                continue;
            }
            let here = match &listener {
                Some(here) => here,
                None => listener.insert(TcpListener::bind(address).await.unwrap()),
            };
            tokio::select! {
                accepted = here.accept() => {
                    if let Ok((client, _)) = accepted {
                        let shared = Arc::clone(&self);
                        connections.spawn(async move { shared.converse(client).await });
                    }
                }
                changed = ways.changed() => changed.unwrap(),
            }
        }
    }

    async fn converse(&self, mut client: TcpStream) {
        let _ = client.set_nodelay(true);
        let mut ways = self.way.subscribe();
        let mut buffer = Vec::new();
        while let Some(request) = read_request(&mut client, &mut buffer).await {
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            if ways.wait_for(|way| *way != Way::Held).await.is_err() {
                return;
            }
            let mishaps = *self.mishaps.lock().unwrap();
            let mishap = mishaps.of(number, &request);
            if let Some(mishap) = mishap {
                *self.met.lock().unwrap().entry(mishap).or_default() += 1;
            }
            if self.pass_on(&mut client, &request, mishap, mishaps.delay(number)).await.is_none() {
                return;
            }
        }
    }

    /// Passes a request on, or not; `None` if the connection is to be closed.
    async fn pass_on(
        &self,
        client: &mut TcpStream,
        request: &Seen,
        mishap: Option<Mishap>,
        delay: Duration,
    ) -> Option<()> {
        match mishap {
            Some(Mishap::ClosedBefore) => return None,
            Some(Mishap::ClosedAfter) => {
                self.ask(request).await?.end().await;
                return None;
            }
            Some(Mishap::Overtaken) => {
                client.shutdown().await.ok()?;
                tokio::time::sleep(delay / 4).await;
                self.ask(request).await?.end().await;
                return None;
            }
            Some(Mishap::BadGatewayAfter) => self.ask(request).await?.end().await,
            Some(Mishap::Delayed) => tokio::time::sleep(delay).await,
            _ => {}
        }
        if let Some(answer) = mishap.and_then(Mishap::answer) {
            return client.write_all(answer.as_bytes()).await.ok();
        }
        let mut answer = self.ask(request).await?;
        if mishap == Some(Mishap::AnsweredLate) {
            tokio::time::sleep(delay).await;
        }
        let head = answer.head().await?;
        client.write_all(&head).await.ok()?;
        let is_cut = matches!(mishap, Some(Mishap::Truncated | Mishap::Reset));
        while let Some(part) = answer.part().await {
            // The last byte of the whole answer is in it, too: a chunk may be whole without what says that it is
            // the last.
            let length = if is_cut { part.len() / 2 } else { part.len() };
            client.write_all(&part[..length]).await.ok()?;
            if is_cut {
                break;
            }
        }
        if mishap == Some(Mishap::Reset) {
            let _ = client.set_zero_linger();
        }
        (!is_cut).then_some(())
    }

    /// Sends a request to the server, over a connection of its own.
    async fn ask(&self, request: &Seen) -> Option<Answer> {
        let server = *self.server.lock().unwrap();
        let mut stream = TcpStream::connect(server).await.ok()?;
        let _ = stream.set_nodelay(true);
        let mut bytes = format!("{} {} HTTP/1.1\r\n", request.method, request.path).into_bytes();
        for (name, value) in request.headers.iter().filter(|(name, _)| name != "connection") {
            bytes.extend(format!("{name}: {value}\r\n").bytes());
        }
        bytes.extend(b"connection: close\r\n\r\n");
        bytes.extend(&request.body);
        stream.write_all(&bytes).await.ok()?;
        Some(Answer { stream, read: Vec::new() })
    }
}

/// An answer of the server, which ends with its connection.
struct Answer {
    stream: TcpStream,
    /// What was read and not yet taken.
    read: Vec<u8>,
}

impl Answer {
    async fn read_more(&mut self) -> Option<()> {
        let length = self.stream.read_buf(&mut self.read).await.ok()?;
        (length > 0).then_some(())
    }

    /// Its head, without what says that the connection ends with it.
    async fn head(&mut self) -> Option<Vec<u8>> {
        let end = loop {
            match self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.read_more().await?,
            }
        };
        let head: Vec<u8> = self.read.drain(..end).collect();
        let lines = head.split_inclusive(|byte| *byte == b'\n');
        Some(lines.filter(|line| !line.eq_ignore_ascii_case(b"connection: close\r\n")).flatten().copied().collect())
    }

    /// The next part of the rest; `None` at its end.
    async fn part(&mut self) -> Option<Vec<u8>> {
        if self.read.is_empty() {
            self.read_more().await?;
        }
        Some(std::mem::take(&mut self.read))
    }

    /// Waits until the server has answered.
    async fn end(mut self) {
        while self.read_more().await.is_some() {}
    }
}
