//! Faults in what is published: the models and paths of `OpenAPI`, and which documents there are.

use crdible::connection::{HttpRequest, ResponseFuture};
use serde_json::{Map, Value};

use crate::{
    json::{fields, parsed},
    layer::Layered,
    server::{Answer, Asked, changed},
};

pub(crate) mod documents;
pub(crate) mod models;
pub(crate) mod routes;
pub(crate) mod version2;

/// A node of a schema.
type Node = Map<String, Value>;

/// Where documents of either version have their models.
const MODELS: [&str; 2] = ["/components/schemas", "/definitions"];
const EMBEDDED: &str = "x-kubernetes-embedded-resource";

fn is_v3(asked: &Asked) -> bool {
    asked.uri.path().starts_with("/openapi/v3/apis/g")
}

fn is_v2(asked: &Asked) -> bool {
    asked.uri.path() == "/openapi/v2"
}

fn is(node: &Node, keyword: &str) -> bool {
    node.get(keyword) == Some(&Value::Bool(true))
}

/// The models of definitions whose names end like this: `Thing`, `ThingList`.
fn models<'a>(document: &'a mut Value, kind: &'a str) -> impl Iterator<Item = (&'a String, &'a mut Node)> {
    let at = MODELS.into_iter().find(|at| document.pointer(at).is_some()).unwrap_or_default();
    let models = fields(document, at).into_iter().flatten();
    let is_meant = move |name: &String| name.starts_with("dev.crdible.") && name.rsplit('.').next() == Some(kind);
    models.filter(move |(name, _)| is_meant(name)).filter_map(|(name, model)| Some((name, model.as_object_mut()?)))
}

/// Changes each node of the models of objects, in documents of version 3.
fn v3_nodes(asked: &Asked, answer: &mut Answer, change: fn(&mut Node)) {
    if is_v3(asked) {
        models(&mut answer.body, "Thing").for_each(|(_, model)| each_node(model, &mut |node, _| change(node)));
    }
}

/// The same in the document of version 2.
fn v2_nodes(asked: &Asked, answer: &mut Answer, change: fn(&mut Node)) {
    if is_v2(asked) {
        models(&mut answer.body, "Thing").for_each(|(_, model)| each_node(model, &mut |node, _| change(node)));
    }
}

/// A node and all below it, not counting quantifiers; with the keyword below which each is.
fn each_node(node: &mut Node, change: &mut dyn FnMut(&mut Node, &'static str)) {
    each_below(node, "", change);
}

fn each_below(node: &mut Node, place: &'static str, change: &mut dyn FnMut(&mut Node, &'static str)) {
    change(node, place);
    let properties = node.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, property) in properties {
        property.as_object_mut().into_iter().for_each(|property| each_below(property, "properties", change));
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(child) = node.get_mut(keyword).and_then(Value::as_object_mut) {
            each_below(child, keyword, change);
        }
    }
}

/// The answer to a request for the document of version 2, in which each node is changed by that of version 3.
fn with_v3(server: &Layered, request: HttpRequest, change: fn(&mut Node, &Node)) -> ResponseFuture<'_> {
    Box::pin(async move {
        let is_v2 = request.uri().path() == "/openapi/v2";
        let answered = server.pass(request).await?;
        if !is_v2 {
            return Ok(answered);
        }
        let mut document = parsed(answered.body());
        for (name, model) in models(&mut document, "Thing") {
            let mut parts: Vec<&str> = name.split('.').collect();
            let version = parts.len() - 2;
            let version = parts.drain(version..).next().unwrap_or_default();
            parts.reverse();
            let of_v3 = server.get(&format!("/openapi/v3/apis/{}/{version}", parts.join("."))).await?;
            if let Some(Value::Object(other)) = of_v3["components"]["schemas"].get(name) {
                beside(model, other, change);
            }
        }
        Ok(changed(answered, |answer| answer.body = document))
    })
}

fn beside(node: &mut Node, other: &Node, change: fn(&mut Node, &Node)) {
    if let (Some(Value::Object(properties)), Some(Value::Object(others))) =
        (node.get_mut("properties"), other.get("properties"))
    {
        for (name, property) in properties {
            if let (Value::Object(property), Some(Value::Object(other))) = (property, others.get(name)) {
                beside(property, other, change);
            }
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let (Some(Value::Object(child)), Some(Value::Object(other))) = (node.get_mut(keyword), other.get(keyword)) {
            beside(child, other, change);
        }
    }
    change(node, other);
}
