//! Prints how fast the embedded server is, over loopback with the clients on the same machine. It asserts nothing:
//! machines differ.
//!
//! ```sh
//! cargo bench -p crdible-cli --bench serving                # everything
//! cargo bench -p crdible-cli --bench serving -- converted   # only what a webhook converts
//! ```

#![expect(clippy::print_stdout, reason = "its purpose is to print figures")]

mod bare;
mod client;
mod converted;
mod watchers;

use std::{
    env,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use client::Client;
use crdible_reference::Server;
use crdible_semantics::Semantics;
use http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::{net::TcpListener, runtime::Runtime, task::JoinSet};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OBJECTS: &str = "/apis/bench.example.com/v1/things";
/// Requests in flight.
const CLIENTS: usize = 16;
/// How long a rate is measured, in each of several turns.
const TURN: Duration = Duration::from_secs(1);
const TURNS: usize = 3;

fn main() {
    // `cargo test --benches` and `cargo bench -- --list` run this program, too, but expect nothing of it.
    if env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let only_converted = env::args().any(|argument| argument == "converted");
    Runtime::new().expect("a runtime").block_on(async {
        println!("figure {:43} {:>14}   promised", "", "here");
        if only_converted {
            return converted::measure().await;
        }
        ready();
        reads().await;
        creates().await;
        lists().await;
        converted::measure().await;
        definitions().await;
        memory();
        watchers::measure().await;
    });
}

/// From the start of the command until it prints its URL.
fn ready() {
    let mut fastest = f64::INFINITY;
    for _ in 0..10 {
        let started = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_crdible"));
        let mut running = command.arg("serve").stdout(Stdio::piped()).spawn().expect("the command");
        let first_line = BufReader::new(running.stdout.take().expect("its output")).lines().next().expect("a line");
        assert!(first_line.expect("a text").starts_with("http://"), "it says where it serves");
        fastest = fastest.min(milliseconds(started.elapsed()));
        running.kill().and_then(|()| running.wait()).expect("it ends");
    }
    show("crdible serve is ready, ms", fastest, "under 50");
}

/// GET, compared with a server that does nothing but answer.
async fn reads() {
    let (url, _server) = serve().await;
    let client = Client::new(CLIENTS);
    post(&client, &url, OBJECTS, &object("a")).await;
    let read = format!("{url}{OBJECTS}/a");
    let body = client::body(client.send(client::get(&read)).await).await;
    let constant = bare::serve(body).await;
    let (mut here, mut bare) = (0.0, 0.0);
    for _ in 0..TURNS {
        bare += rate(&client, |_| client::get(&constant)).await;
        here += rate(&client, |_| client::get(&read)).await;
    }
    let turns = f64::from(u32::try_from(TURNS).unwrap_or(1));
    show("get, requests/s", here / turns, "");
    show("  a bare server with constant bytes, requests/s", bare / turns, "");
    show("  ratio", here / bare, "at least 0.5");
}

async fn creates() {
    let (url, _server) = serve().await;
    let target = format!("{url}{OBJECTS}");
    let client = Client::new(CLIENTS);
    let create = |number| client::post(&target, object(&format!("x{number}")).to_string());
    show("creates/s", rate(&client, create).await, "at least 10,000");
}

async fn lists() {
    let (url, server) = serve().await;
    for number in 0..10_000 {
        in_process(&server, Method::POST, OBJECTS, object(&format!("x{number}")).to_string());
    }
    let client = Client::new(CLIENTS);
    let target = format!("{url}{OBJECTS}");
    for (figure, accept) in [
        ("list of 10,000 objects, ms", "application/json"),
        ("  as a table, ms", "application/json;as=Table;v=v1;g=meta.k8s.io"),
        ("  their metadata only, ms", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"),
    ] {
        let mut fastest = f64::INFINITY;
        for _ in 0..5 {
            let started = Instant::now();
            let mut request = client::get(&target);
            request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static(accept));
            let length = client::body(client.send(request).await).await.len();
            assert!(length > 1_000_000, "{length} bytes are not 10,000 objects");
            fastest = fastest.min(milliseconds(started.elapsed()));
        }
        show(figure, fastest, if figure.starts_with("list") { "under 50" } else { "" });
    }
}

async fn definitions() {
    let (url, _server) = serve().await;
    let client = Client::new(CLIENTS);
    let started = Instant::now();
    for number in 0..1_000 {
        post(&client, &url, DEFINITIONS, &definition(&format!("g{number}.example.com"))).await;
    }
    show("1,000 definitions installed, s", started.elapsed().as_secs_f64(), "under 2");
}

/// The memory of 100,000 objects, and what further writes add.
fn memory() {
    let before = resident();
    let server = server();
    let filler = "x".repeat(700);
    let text = |name: &str| {
        let mut object = object(name);
        object["spec"]["text"] = Value::from(filler.as_str());
        object.to_string()
    };
    for number in 0..100_000 {
        in_process(&server, Method::POST, OBJECTS, text(&format!("x{number}")));
    }
    let kept = resident();
    show("memory of 100,000 objects of 1 KB, MB", kept - before, "under 400");
    for number in 0..100_000 {
        let patch = json!({ "spec": { "number": number } }).to_string();
        in_process(&server, Method::PATCH, &format!("{OBJECTS}/x{}", number % 100), patch);
    }
    show("  more after 100,000 writes, MB", resident() - kept, "");
}

/// Requests per second of many clients that each wait for an answer before the next request.
async fn rate(client: &Client, request: impl Fn(u64) -> Request<Full<Bytes>>) -> f64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    let answered = AtomicU64::new(0);
    let started = Instant::now();
    let asking = (0..CLIENTS).map(|_| async {
        while started.elapsed() < TURN {
            let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
            let answer = client.send(request(number)).await;
            assert!(answer.status().is_success(), "{}", answer.status());
            client::body(answer).await;
            answered.fetch_add(1, Ordering::Relaxed);
        }
    });
    futures_util::future::join_all(asking).await;
    f64::from(u32::try_from(answered.into_inner()).unwrap_or(u32::MAX)) / started.elapsed().as_secs_f64()
}

/// A server with one definition, and its URL. It ends when the returned value is dropped.
async fn serve() -> (String, Arc<Running>) {
    let server = server();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let mut tasks = JoinSet::new();
    tasks.spawn(crdible_reference::serve(listener, server.clone(), std::future::pending()));
    (url, Arc::new(Running { server, _tasks: tasks }))
}

/// A server that ends when this is dropped.
struct Running {
    server: Server,
    _tasks: JoinSet<std::io::Result<()>>,
}

impl std::ops::Deref for Running {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

fn server() -> Server {
    let server = Server::new(Semantics::UPSTREAM);
    in_process(&server, Method::POST, DEFINITIONS, definition("bench.example.com").to_string());
    server
}

fn in_process(server: &Server, method: Method, path: &str, body: String) {
    let content_type = if method == Method::PATCH { "application/merge-patch+json" } else { "application/json" };
    let request = Request::builder().method(method).uri(path).header("content-type", content_type);
    let answer = server.handle(request.body(Bytes::from(body)).expect("a request"));
    assert!(answer.status().is_success(), "{:?}", answer.body());
}

async fn post(client: &Client, url: &str, path: &str, body: &Value) {
    let answer = client.send(client::post(&format!("{url}{path}"), body.to_string())).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    client::body(answer).await;
}

fn definition(group: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": {
        "text": { "type": "string" }, "number": { "type": "integer" },
        "list": { "type": "array", "items": { "type": "string" } },
    } } } });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("things.{group}") },
        "spec": {
            "group": group, "scope": "Cluster", "names": { "plural": "things", "kind": "Thing" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    })
}

fn object(name: &str) -> Value {
    json!({
        "apiVersion": "bench.example.com/v1", "kind": "Thing",
        "metadata": { "name": name, "labels": { "app": "bench" } },
        "spec": { "text": "some text", "number": 42, "list": ["a", "b", "c"] },
    })
}

/// Current memory of this process, in MB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("");
    let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(f64::NAN);
    kilobytes / 1024.0
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn show(figure: &str, here: f64, promised: &str) {
    println!("{figure:50} {here:>14.1}   {promised}");
}
