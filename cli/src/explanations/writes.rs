//! The writes of objects among recorded requests: each with the object as its rules see it, and the one before.

use std::collections::BTreeMap;

use crdible::scenario::merged;
use crdible_reference::yaml;
use crdible_reports::journal::{Body, Request};
use crdible_semantics::definition::{Spec, Version};
use json_patch::Patch;
use serde::Deserialize as _;
use serde_json::Value;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Codes that say nothing about an object: its path, its version or the server was not ready for it.
const NOT_ABOUT_OBJECTS: [u16; 10] = [401, 403, 404, 405, 406, 409, 410, 415, 429, 503];

/// A write of an object.
#[derive(Debug)]
pub(super) struct Write<'r> {
    pub(super) request: &'r Request,
    /// The version of its path.
    pub(super) version: String,
    /// The schema of this version.
    pub(super) schema: Value,
    /// The object that is wanted.
    pub(super) object: Value,
    /// The object that it replaces.
    pub(super) old: Option<Value>,
}

impl Write<'_> {
    /// Whether the target accepted it; nothing if it did not answer.
    pub(super) fn is_accepted(&self) -> Option<bool> {
        self.request.status.map(is_success)
    }

    /// The causes of its answer.
    pub(super) fn causes(&self) -> Vec<Value> {
        let answer = json_of(self.request.response.as_ref());
        answer.and_then(|answer| answer.pointer("/details/causes")?.as_array().cloned()).unwrap_or_default()
    }
}

/// Whether any of these requests is about a definition that has rules.
pub(super) fn have_rules(requests: &[Request]) -> bool {
    let mentions = |body: &Body| matches!(body, Body::Text(text) if text.contains("x-kubernetes-validations"));
    requests.iter().any(|request| request.path.starts_with(DEFINITIONS) && request.body.as_ref().is_some_and(mentions))
}

/// The writes whose object follows from what was sent and answered. Others are left out: a server-side apply, a write of
/// an object that was read at another version or not at all, one that was refused for another reason.
pub(super) fn of(requests: &[Request]) -> Vec<Write<'_>> {
    let mut known = Known::default();
    requests.iter().filter_map(|request| known.follow(request)).collect()
}

/// What the requests so far have shown.
#[derive(Default)]
struct Known {
    /// The definitions, by their names.
    definitions: BTreeMap<String, Value>,
    /// The stored objects, by definition, namespace and name.
    objects: BTreeMap<String, Value>,
}

/// What the path of an object leads to.
struct Place<'r> {
    group: &'r str,
    version: &'r str,
    /// Definition and namespace.
    collection: String,
    definition: String,
    name: Option<&'r str>,
    subresource: Option<&'r str>,
}

impl<'r> Place<'r> {
    fn of(path: &'r str) -> Option<Self> {
        let mut parts = path.strip_prefix("/apis/")?.split('/');
        let (group, version, mut plural) = (parts.next()?, parts.next()?, parts.next()?);
        let mut namespace = "";
        if plural == "namespaces" {
            (namespace, plural) = (parts.next()?, parts.next()?);
        }
        let (name, subresource) = (parts.next(), parts.next());
        let definition = format!("{plural}.{group}");
        let collection = format!("{definition}/{namespace}");
        parts.next().is_none().then_some(Self { group, version, collection, definition, name, subresource })
    }
}

impl Known {
    /// Takes notice of a request and its answer. Returns the write, if it is one.
    fn follow<'r>(&mut self, request: &'r Request) -> Option<Write<'r>> {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        if let Some(name) = path.strip_prefix(DEFINITIONS) {
            if !query.contains("dryRun") && request.status.is_none_or(is_success) {
                self.follow_definition(request, name.trim_start_matches('/'));
            }
            return None;
        }
        let place = Place::of(path)?;
        let spec = Spec::of(self.definitions.get(&place.definition)?);
        let version = spec.versions.iter().find(|version| version.name == place.version)?;
        let write = self.write(request, &place, version);
        if !query.contains("dryRun") && request.status.is_some_and(is_success) {
            self.follow_object(request, &place, &spec.names.kind);
        }
        write
    }

    fn follow_definition(&mut self, request: &Request, name: &str) {
        let body = json_of(request.body.as_ref());
        match (request.method.as_str(), body) {
            ("POST", Some(body)) => {
                let name = body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
                self.definitions.insert(name, body);
            }
            ("PUT", Some(body)) if !name.contains('/') => {
                self.definitions.insert(name.to_owned(), body);
            }
            ("PATCH", Some(patch)) if is_merge_patch(request) && !name.contains('/') => {
                if let Some(known) = self.definitions.get_mut(name) {
                    merged(known, &patch);
                }
            }
            // What it is from now on is not known.
            ("PUT" | "PATCH" | "DELETE", _) if !name.contains('/') => {
                self.definitions.remove(name);
            }
            _ => {}
        }
    }

    fn follow_object(&mut self, request: &Request, place: &Place<'_>, kind: &str) {
        let answer = json_of(request.response.as_ref()).filter(|answer| {
            let group = answer["apiVersion"].as_str().and_then(|known| known.split_once('/')).map(|(group, _)| group);
            answer["kind"] == kind && group == Some(place.group)
        });
        let own = answer.as_ref().and_then(|answer| answer.pointer("/metadata/name")).and_then(Value::as_str);
        let Some(name) = place.name.or(own) else { return };
        let key = format!("{}/{name}", place.collection);
        match (request.method.as_str(), answer) {
            ("DELETE", answer) => {
                let waits = answer.filter(|answer| !answer["metadata"]["finalizers"].is_null());
                match waits {
                    Some(object) => self.objects.insert(key, object),
                    None => self.objects.remove(&key),
                };
            }
            (_, Some(object)) => {
                self.objects.insert(key, object);
            }
            _ => {}
        }
    }

    fn write<'r>(&self, request: &'r Request, place: &Place<'_>, version: &Version) -> Option<Write<'r>> {
        if request.status.is_some_and(|status| NOT_ABOUT_OBJECTS.contains(&status)) {
            return None;
        }
        let body = json_of(request.body.as_ref())?;
        let (object, old) = match (request.method.as_str(), place.name, place.subresource) {
            ("POST", None, None) => (created(body, request, version), None),
            ("PUT" | "PATCH", Some(name), subresource @ (None | Some("status"))) => {
                let old = self.objects.get(&format!("{}/{name}", place.collection))?;
                // Others are converted, and it is not known how.
                let is_same_version = old["apiVersion"] == format!("{}/{}", place.group, place.version);
                let wanted = if request.method == "PUT" { body } else { patched(request, old, &body)? };
                let wanted = match subresource {
                    None if version.has_status() => with_status_of(wanted, old),
                    Some(_) if version.has_status() => with_status_of(old.clone(), &wanted),
                    None => wanted,
                    Some(_) => return None,
                };
                (wanted, is_same_version.then(|| Some(old.clone()))?)
            }
            _ => return None,
        };
        let schema = version.schema_json()?.clone();
        Some(Write { request, version: version.name.clone(), schema, object, old })
    }
}

/// The object of a create: without a status, if that is written by itself, and with the name that it gets.
fn created(mut object: Value, request: &Request, version: &Version) -> Value {
    if let Some(fields) = object.as_object_mut().filter(|_| version.has_status()) {
        fields.remove("status");
    }
    let answer = json_of(request.response.as_ref());
    let generated = answer.as_ref().and_then(|answer| answer.pointer("/metadata/name")).filter(|name| name.is_string());
    if let (Some(metadata), Some(name)) = (object.get_mut("metadata").and_then(Value::as_object_mut), generated) {
        metadata.entry("name").or_insert_with(|| name.clone());
    }
    object
}

/// The object with the status of another one.
fn with_status_of(mut object: Value, other: &Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.remove("status");
        if let Some(status) = other.get("status") {
            fields.insert("status".to_owned(), status.clone());
        }
    }
    object
}

fn patched(request: &Request, old: &Value, patch: &Value) -> Option<Value> {
    let mut object = old.clone();
    if is_merge_patch(request) {
        merged(&mut object, patch);
        return Some(object);
    }
    let is_json_patch = content_type(request).starts_with("application/json-patch+json");
    let patch = Patch::deserialize(patch).ok().filter(|_| is_json_patch)?;
    json_patch::patch(&mut object, &patch).ok()?;
    Some(object)
}

fn is_merge_patch(request: &Request) -> bool {
    content_type(request).starts_with("application/merge-patch+json")
}

fn content_type(request: &Request) -> &str {
    let header = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-type"));
    header.map_or("", |header| &header.value)
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// A body as JSON, if it is JSON or YAML.
fn json_of(body: Option<&Body>) -> Option<Value> {
    let Body::Text(text) = body? else { return None };
    serde_json::from_str(text).ok().or_else(|| yaml::read(text.as_bytes()).ok())
}
