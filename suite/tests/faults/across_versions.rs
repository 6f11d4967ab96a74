//! Faults in what one version shows of what was written at another.

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use http::{HeaderValue, Method, Uri, header, response};
use serde_json::Value;

use crate::{
    answers::Altered,
    servers::behind,
    stored_versions::{DEPRECATION, Lenient},
    table::{Fault, Finder},
};

const SHOWN: &[&str] = &["VER-008", "VER-019", "INV-036", "INV-041", "CONV-001", "CONV-003"];

const fn fault(
    name: &'static str,
    wrong: &'static str,
    target: fn() -> crdible::connection::Target,
    requirements: &'static [&'static str],
    properties: &'static [&'static str],
) -> Fault {
    Fault { name, wrong, target, requirements, properties, largest: 60, subtle: true, finder: Finder::Choices }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "shows-no-labels-at-other-versions",
        "labels and annotations are shown at the first version alone",
        || behind(|server| Altered { server, alter: without_labels }),
        SHOWN,
        &["ver-008-served", "inv-041-mixed-storage"],
    ),
    fault(
        "lists-as-stored",
        "the items of a list have the first version, whichever is asked for",
        || behind(|server| Altered { server, alter: with_items_of_the_first }),
        SHOWN,
        &["inv-041-mixed-storage", "conv-001-strategy-none"],
    ),
    fault(
        "lists-keys-of-other-versions",
        "the items of a list show a key that the version does not know",
        || behind(|server| Altered { server, alter: with_a_key_in_items }),
        SHOWN,
        &["inv-041-mixed-storage", "conv-001-strategy-none"],
    ),
    fault(
        "lists-one-object-too-few",
        "lists at versions other than the first leave out the last of two or more objects",
        || behind(|server| Altered { server, alter: without_the_last }),
        SHOWN,
        &["inv-041-mixed-storage"],
    ),
    fault(
        "creates-from-bodies-of-any-version",
        "the body of a create may name another version than the URL",
        || behind(|server| Lenient { server, methods: &[Method::POST] }),
        &["VER-008"],
        &["ver-008-served"],
    ),
    fault(
        "warns-of-nothing-on-updates",
        "answers to PUT and PATCH carry no warning of deprecation",
        || behind(SilentOnUpdates),
        DEPRECATION,
        &["ver-011-deprecation"],
    ),
    fault(
        "warns-in-discovery",
        "discovery documents carry a warning of deprecation",
        || behind(|server| Altered { server, alter: with_a_warning_in_discovery }),
        DEPRECATION,
        &["ver-011-deprecation"],
    ),
];

fn is_first(uri: &Uri) -> bool {
    uri.path().split('/').nth(3) == Some("v1")
}

fn without_labels(uri: &Uri, _: &mut response::Parts, body: &mut Value) {
    let strip = |object: &mut Value| {
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("labels");
            metadata.remove("annotations");
        }
    };
    if !is_first(uri) {
        strip(body);
        items(body).for_each(strip);
    }
}

fn with_items_of_the_first(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    for item in items(body) {
        let group =
            item["apiVersion"].as_str().and_then(|text| text.split_once('/')).map(|(group, _)| group.to_owned());
        if let Some(group) = group {
            item["apiVersion"] = Value::String(format!("{group}/v1"));
        }
    }
}

fn with_a_key_in_items(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    items(body).for_each(|item| item["left-over"] = Value::Bool(true));
}

fn without_the_last(uri: &Uri, _: &mut response::Parts, body: &mut Value) {
    let items = body.get_mut("items").and_then(Value::as_array_mut).filter(|items| !is_first(uri) && items.len() > 1);
    if let Some(items) = items {
        items.pop();
    }
}

fn with_a_warning_in_discovery(_: &Uri, head: &mut response::Parts, body: &mut Value) {
    if ["APIGroup", "APIResourceList"].iter().any(|kind| body["kind"] == *kind) {
        head.headers.append(header::WARNING, HeaderValue::from_static("299 - \"g/v1 Thing is deprecated\""));
    }
}

/// The objects of a list; discovery has items, too, in one of its forms.
fn items(body: &mut Value) -> impl Iterator<Item = &mut Value> {
    let is_list = body["kind"] == "ThingList";
    body.get_mut("items").and_then(Value::as_array_mut).filter(|_| is_list).into_iter().flatten()
}

/// Says nothing about deprecation where something is updated.
#[derive(Debug)]
struct SilentOnUpdates(InProcess);

impl Transport for SilentOnUpdates {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_update = matches!(*request.method(), Method::PUT | Method::PATCH);
        Box::pin(async move {
            let mut answer: http::Response<Bytes> = self.0.send(request).await?;
            if is_update {
                answer.headers_mut().remove(header::WARNING);
            }
            Ok(answer)
        })
    }
}
