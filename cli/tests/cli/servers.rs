//! Servers on loopback: correct, correct except for one thing, and others.

use std::sync::LazyLock;

use bytes::Bytes;
use crdible::connection::{InProcess, Transport as _};
use crdible_reference::Server;
use crdible_semantics::Semantics;
use http::{Request, Response};
use serde_json::{Value, json};
use tokio::{
    runtime::{Handle, Runtime},
    task,
};

use crate::target_support::{self, Fake, Reply, Seen};

pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Servers run here while tests wait for processes.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// Starts a server; it ends with the test binary.
pub(crate) fn start(handler: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Fake {
    RUNTIME.block_on(target_support::serve(handler))
}

/// The embedded server, whose answers can be changed before they are sent.
#[derive(Clone)]
pub(crate) struct Right(InProcess);

impl Right {
    pub(crate) fn new() -> Self {
        Self::with(Semantics::UPSTREAM)
    }

    /// The embedded server with other functions.
    pub(crate) fn with(semantics: Semantics) -> Self {
        Self(InProcess::over(Server::new(semantics)))
    }

    /// Serves it as it is.
    pub(crate) fn serve(&self) -> Fake {
        self.serve_except(|_| None)
    }

    /// Serves it, except for requests that are answered otherwise.
    pub(crate) fn serve_except(&self, other: impl Fn(&Seen) -> Option<Reply> + Send + Sync + 'static) -> Fake {
        let right = self.clone();
        start(move |seen| other(seen).unwrap_or_else(|| right.answer(seen).send()))
    }

    /// Status and body of its answer to a request.
    pub(crate) fn answer(&self, seen: &Seen) -> Answer {
        let mut request = Request::builder().method(seen.method.as_str()).uri(seen.path.as_str());
        for (name, value) in &seen.headers {
            request = request.header(name, value);
        }
        let response = self.respond(request.body(Bytes::from(seen.body.clone())).unwrap());
        let (head, body) = response.into_parts();
        let mut headers = String::new();
        for (name, value) in &head.headers {
            if name != "content-length" {
                // Warnings may name fields with any characters.
                headers.push_str(&format!("{name}: {}\r\n", String::from_utf8_lossy(value.as_bytes())));
            }
        }
        Answer { status: head.status.as_u16(), headers, body: body.to_vec() }
    }

    /// A watch lasts as long as it says.
    fn respond(&self, request: Request<Bytes>) -> Response<Bytes> {
        let answer = self.0.send(request);
        let answered = match Handle::try_current() {
            Ok(handle) => task::block_in_place(|| handle.block_on(answer)),
            Err(_) => RUNTIME.block_on(answer),
        };
        answered.unwrap()
    }

    /// The number of its definitions.
    pub(crate) fn definitions(&self) -> usize {
        let list = Request::get(DEFINITIONS).body(Bytes::new()).unwrap();
        let list: Value = serde_json::from_slice(self.respond(list).body()).unwrap();
        list["items"].as_array().unwrap().len()
    }
}

/// An answer that is about to be sent.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn send(self) -> Reply {
        let length = self.body.len();
        let mut bytes = format!("HTTP/1.1 {} .\r\n{}content-length: {length}\r\n\r\n", self.status, self.headers);
        bytes.reserve(length);
        let mut bytes = bytes.into_bytes();
        bytes.extend(self.body);
        Reply::Raw(bytes)
    }
}

/// Whether a request is about definitions.
pub(crate) fn is_about_definitions(seen: &Seen) -> bool {
    seen.path.starts_with(DEFINITIONS)
}

/// Whether a request is about objects under some definition of a run.
pub(crate) fn is_about_objects(seen: &Seen) -> bool {
    seen.path.starts_with("/apis/") && !seen.path.starts_with("/apis/apiextensions.k8s.io") && is_deep(&seen.path)
}

/// Longer than `/apis/GROUP/VERSION`, which is discovery.
fn is_deep(path: &str) -> bool {
    path.split('/').count() > 4
}

/// The embedded server, but each returned object has an extra key.
pub(crate) fn adds_a_key() -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    adds_a_key_if(|_, _| true)
}

/// A correct server that adds a key to an object from which it removed something.
pub(crate) fn adds_a_key_to_what_it_pruned() -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    adds_a_key_if(|sent, answer| {
        let without_metadata = |object: &Value| {
            let mut object = object.clone();
            object.as_object_mut().map(|fields| fields.remove("metadata"));
            object
        };
        sent.is_object() && without_metadata(sent) != without_metadata(answer)
    })
}

/// A correct server that adds a key to some objects, which it decides by what was sent and by its right answer.
fn adds_a_key_if(
    is_wrong: impl Fn(&Value, &Value) -> bool + Send + Sync + 'static,
) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    let right = Right::new();
    move |seen| {
        let mut answer = right.answer(seen);
        let sent = serde_json::from_slice(&seen.body).unwrap_or_default();
        if is_about_objects(seen)
            && answer.status < 300
            && let Ok(right) = serde_json::from_slice::<Value>(&answer.body)
            && is_wrong(&sent, &right)
            && let Value::Object(mut body) = right
        {
            body.insert("planted".to_owned(), json!("by the test"));
            answer.body = Value::Object(body).to_string().into_bytes();
        }
        answer.send()
    }
}
