//! Requests and definitions that the plan has no words for.

use crdible_semantics::Schema;
use serde_json::{Map, Value};

use super::segment;
use crate::scenario::{Body, Content, Definition, Expectation, Method, Plan, Request, Resource, StepId, Version};

/// POST of an object at a version. The number must be one that the plan does not give by itself, so far above all others.
pub(in super::super) fn post(definition: usize, version: &str, object: usize, fields: impl Into<Content>) -> Request {
    let version = version.to_owned();
    let body = Body::Object { definition, version: version.clone(), object: 1_000 + object, fields: fields.into() };
    Request::new(Method::Post, Resource::Objects { definition, version }, body)
}

/// The same request as a dry run, with `fieldValidation` if there is a mode.
pub(in super::super) fn dry_run(request: Request, mode: Option<&str>) -> Request {
    let query = mode.map(|mode| ("fieldValidation".to_owned(), mode.to_owned())).into_iter().collect();
    Request { dry_run: true, query, ..request }
}

/// Two served versions on the pool: `v1` is stored, `v2` is not.
pub(in super::super) fn versions(v1: &Schema, v2: &Schema) -> Definition {
    let version = |name: &str, storage: bool, schema: &Schema| Version {
        name: name.to_owned(),
        storage,
        ..Version::only(schema.to_json())
    };
    Definition { versions: vec![version("v1", true, v1), version("v2", false, v2)], ..Definition::default() }
}

/// DELETE of an object that the plan created, with options that bear the group of the definition.
pub(in super::super) fn delete(definition: usize, object: usize, options: impl Into<Content>) -> Request {
    let version = "v1".to_owned();
    let resource = Resource::Object { definition, version: version.clone(), object };
    Request::new(Method::Delete, resource, Body::Object { definition, version, object, fields: options.into() })
}

/// LIST of all objects at a version.
pub(in super::super) fn list(definition: usize, version: &str) -> Request {
    Request::get(Resource::Objects { definition, version: version.to_owned() })
}

/// Demands of a list that its only item has this content, of which an object was stored with the keys of that: an item as a
/// whole, but for metadata and for keys that were never sent.
pub(in super::super) fn check_only_item(plan: &mut Plan, asserts: &[&str], list: StepId, sent: &Value, left: &Value) {
    for key in sent.as_object().into_iter().flat_map(Map::keys) {
        let pointer = format!("/items/0/{}", segment(key));
        plan.check("listed", asserts, list, Expectation::At { pointer, value: left.get(key).cloned() });
    }
}
