//! An object with a scale: where its numbers are, and what a Scale must show of it.

use crate::prelude::*;
use crate::shared::has;

/// The paths of a scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paths {
    pub(super) wanted: &'static str,
    pub(super) present: &'static str,
    pub(super) selector: Option<&'static str>,
}

/// The most replicas that the schema admits.
pub(super) const MOST: i64 = 50;

/// The keys of a path: the first dot is dropped, and all other dots separate keys.
pub(super) fn keys(path: &str) -> Vec<&str> {
    path.trim_start_matches('.').split('.').collect()
}

/// Sets or removes what is at a path. Parents are added, and stay if they become empty.
pub(super) fn set(object: &mut Value, path: &str, value: Option<Value>) {
    let keys = keys(path);
    let Some((last, parents)) = keys.split_last() else { return };
    let mut at = object;
    for key in parents {
        if at.get(key).is_none() {
            if value.is_none() {
                return;
            }
            at[*key] = json!({});
        }
        at = &mut at[*key];
    }
    match value {
        Some(value) => at[*last] = value,
        None => drop(at.as_object_mut().and_then(|fields| fields.remove(*last))),
    }
}

/// Declares a node at a path of a schema.
fn declare(schema: &mut Value, path: &str, leaf: Value) {
    let keys = keys(path);
    let mut node = schema;
    for (number, key) in keys.iter().enumerate() {
        let is_last = number + 1 == keys.len();
        let child = &mut node["properties"][*key];
        if is_last {
            *child = leaf;
            return;
        }
        if child.is_null() {
            *child = object_of(json!({}));
        }
        node = child;
    }
}

/// A version whose objects have a scale at these paths, and other fields beside the number at each level.
pub(super) fn version(paths: Paths, has_status: bool) -> Version {
    let mut schema = object_of(json!({ "spec": object_of(json!({})), "status": object_of(json!({})) }));
    declare(&mut schema, ".spec.other", json!({ "type": "integer" }));
    declare(&mut schema, paths.wanted, json!({ "type": "integer", "maximum": MOST }));
    let beside = beside(paths.wanted);
    declare(&mut schema, &beside, json!({ "type": "integer" }));
    declare(&mut schema, paths.present, json!({ "type": "integer" }));
    if let Some(selector) = paths.selector {
        declare(&mut schema, selector, json!({ "type": "string" }));
    }
    Version { further: subresources(paths, has_status), ..Version::only(schema) }
}

/// The subresources of a version, as further fields.
pub(super) fn subresources(paths: Paths, has_status: bool) -> Map<String, Value> {
    let mut scale = json!({ "specReplicasPath": paths.wanted, "statusReplicasPath": paths.present });
    if let Some(selector) = paths.selector {
        scale["labelSelectorPath"] = json!(selector);
    }
    let mut subresources = json!({ "scale": scale });
    if has_status {
        subresources["status"] = json!({});
    }
    Map::from_iter([("subresources".to_owned(), subresources)])
}

/// A path beside another one.
pub(super) fn beside(path: &str) -> String {
    format!("{}.beside", path.rsplit_once('.').map_or("", |(parent, _)| parent))
}

/// The `/scale` of an object at a version.
pub(super) fn scale_of(plan: &Plan, created: StepId, version: &str) -> Resource {
    plan.object_at(created, version).subresource("scale")
}

/// What a Scale shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<'a> {
    pub(super) wanted: i64,
    pub(super) present: i64,
    pub(super) selector: Option<&'a str>,
}

/// Checks that an answer is the Scale of an object.
pub(super) fn check_scale(plan: &mut Plan, asserts: &[&str], scale: StepId, created: StepId, shown: Shown<'_>) {
    // Whether a 0 is left out is a quirk (SUB-021).
    if shown.wanted != 0 {
        plan.check("replicas", asserts, scale, at("/spec/replicas", shown.wanted));
    }
    plan.check("present", &["SUB-021"], scale, at("/status/replicas", shown.present));
    let selector = match shown.selector {
        Some(selector) => at("/status/selector", selector),
        None => absent("/status/selector"),
    };
    plan.check("selector", &["SUB-021"], scale, selector);
    for field in ["name", "uid", "creationTimestamp"] {
        plan.check("identity", &["SUB-021"], scale, same_at(format!("/metadata/{field}"), created));
    }
    plan.check("has-revision", &["SUB-027"], scale, has("/metadata/resourceVersion"));
    for field in ["labels", "annotations"] {
        plan.check("no-metadata", &["SUB-021/e1"], scale, absent(format!("/metadata/{field}")));
    }
    plan.check("kind", &["SUB-019"], scale, at("/kind", "Scale"));
    plan.check("api-version", &["SUB-019"], scale, at("/apiVersion", "autoscaling/v1"));
}
