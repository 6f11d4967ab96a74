//! Measures how many requests per second one thread can handle in process:
//! `cargo run --release -p crdible-reference --example throughput`.

use std::time::{Duration, Instant};

use bytes::Bytes;
use crdible_reference::Server;
use crdible_semantics::Semantics;
use http::Request;

const DEFINITION: &str = r#"{"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"},
"d":{"type":"string","default":"x"},"l":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"}}}}}}}}}}]}}"#;
const THINGS: &str = "/apis/example.com/v1/namespaces/default/things";

fn main() {
    let server = Server::new(Semantics::UPSTREAM);
    send(&server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "", DEFINITION.to_owned());
    let body = |name: &str| {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"{name}"}},"spec":{{"a":"text","n":5,"l":[{{"k":"x"}},{{"k":"y"}}]}}}}"#
        )
    };
    send(&server, "POST", THINGS, "", body("o"));
    let path = format!("{THINGS}/o");
    measure("get", |_| send(&server, "GET", &path, "", String::new()));
    measure("dry-run create", |_| send(&server, "POST", &format!("{THINGS}?dryRun=All"), "", body("p")));
    measure("create", |number| send(&server, "POST", THINGS, "", body(&format!("t{number}"))));
    let merge = "application/merge-patch+json";
    measure("merge patch", |number| send(&server, "PATCH", &path, merge, format!(r#"{{"spec":{{"n":{number}}}}}"#)));
    measure("list of 10", |_| send(&server, "GET", &format!("{THINGS}?limit=10&resourceVersion=0"), "", String::new()));
}

fn send(server: &Server, method: &str, path: &str, media_type: &str, body: String) -> u16 {
    let mut request = Request::builder().method(method).uri(path);
    if !media_type.is_empty() {
        request = request.header("content-type", media_type);
    }
    request.body(Bytes::from(body)).map_or(0, |request| server.handle(request).status().as_u16())
}

#[allow(clippy::print_stdout, reason = "printing is the purpose of the example")]
fn measure(what: &str, request: impl Fn(usize) -> u16) {
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(1) {
        for _ in 0..100 {
            let code = request(count);
            assert!(code < 300, "{what} was answered with {code}");
            count += 1;
        }
    }
    let each = start.elapsed() / u32::try_from(count).unwrap_or(u32::MAX);
    println!("{what}: {:.0}/s, {each:?} each", 1.0 / each.as_secs_f64());
}
