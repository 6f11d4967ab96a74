//! Faults around the functions: in what a server reads, stores and sends.

use std::sync::Arc;

use bytes::Bytes;
use crdible::target::{Exchange, InProcess, Kind, Sending, Target, TargetDescription, Transport};
use crdible_generators::json::Json;
use crdible_semantics::{DecodeError, Decoded, Schema, Semantics, Upstream};
use http::Method;
use serde_json::Value;

use crate::{
    coercion::was_stored,
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "reads-keys-in-order",
        wrong: "a key of a body that stands behind a key which sorts after it is overlooked",
        target: || behind(InOrder),
        requirements: &["INV-004"],
        properties: &["inv-004-key-order"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "stores-what-it-reads",
        wrong: "what a read shows is stored",
        target: || behind(WritingReads),
        requirements: &["INV-016", "INV-017", "DEFAULT-011", "DEFAULT-014", "DEFAULT-015", "PRUNE-022", "LIFE-024"],
        properties: &["inv-017-tighten-and-loosen", "default-014-reading-persists-nothing", "inv-016-read-defaults-need-no-write"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-no-reads",
        wrong: "what was stored is shown whatever the schema says now",
        target: wrong! {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                self.repair_metadata(stored);
                self.default(stored, stored_schema);
                if !same_version {
                    self.convert(stored, requested_schema);
                }
            }
        },
        requirements: &["INV-017", "PRUNE-022", "LIFE-024"],
        properties: &["inv-017-tighten-and-loosen"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "drops-what-an-update-empties",
        wrong: "an update drops empty objects, a create does not",
        target: wrong! {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let decoded = Upstream.decode(object, schema)?;
                if was_stored(object) {
                    for (name, value) in object.as_object_mut().into_iter().flatten() {
                        if name != "metadata"
                            && let Value::Object(fields) = value
                        {
                            fields.retain(|_, value| !value.as_object().is_some_and(serde_json::Map::is_empty));
                        }
                    }
                }
                Ok(decoded)
            }
        },
        requirements: &["INV-013", "DEFAULT-021", "REST-034", "INV-001", "DEFAULT-020"],
        properties: &["inv-013-delete-equals-never-set", "inv-001-prune-is-idempotent", "default-020-idempotence"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// A right server behind a transport that is not.
fn behind<T: Transport + 'static>(wrong: impl FnOnce(InProcess) -> T) -> Target {
    let transport = Arc::new(wrong(InProcess::new(Arc::new(Upstream))));
    Target::over(transport, TargetDescription { kind: Kind::Embedded, address: None, version: None })
}

fn is_about_definitions(request: &Exchange) -> bool {
    request.uri().path().starts_with("/apis/apiextensions.k8s.io")
}

/// Overlooks keys that are not in order, below the fields of the root.
#[derive(Debug)]
struct InOrder(InProcess);

impl Transport for InOrder {
    fn send(&self, request: Exchange) -> Sending<'_> {
        let (head, body) = request.into_parts();
        let request = Exchange::from_parts(head, body.clone());
        let text = std::str::from_utf8(&body).ok().filter(|_| !is_about_definitions(&request));
        let Some(Json::Object(mut fields)) = text.and_then(|text| Json::parse(text).ok()) else { return self.0.send(request) };
        for (name, value) in &mut fields {
            if name != "metadata" {
                overlook(value);
            }
        }
        let (head, _) = request.into_parts();
        self.0.send(Exchange::from_parts(head, Bytes::from(Json::Object(fields).to_text())))
    }
}

fn overlook(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            let mut last = String::new();
            fields.retain(|(key, _)| {
                let in_order = *key >= last;
                if in_order {
                    last.clone_from(key);
                }
                in_order
            });
            fields.iter_mut().for_each(|(_, value)| overlook(value));
        }
        Json::Array(elements) => elements.iter_mut().for_each(overlook),
        _ => {}
    }
}

/// Writes every object back that it reads.
#[derive(Debug)]
struct WritingReads(InProcess);

impl Transport for WritingReads {
    fn send(&self, request: Exchange) -> Sending<'_> {
        let reads = request.method() == Method::GET && !is_about_definitions(&request);
        let (uri, headers) = (request.uri().clone(), request.headers().clone());
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            let is_object = serde_json::from_slice::<Value>(answer.body()).is_ok_and(|body| was_stored(&body) && body.get("items").is_none());
            if reads && is_object {
                let mut written = http::Request::new(answer.body().clone());
                *written.method_mut() = Method::PUT;
                *written.uri_mut() = uri;
                *written.headers_mut() = headers;
                self.0.send(written).await?;
            }
            Ok(answer)
        })
    }
}
