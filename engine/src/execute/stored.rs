//! What a scenario stored, as far as requests and answers show. It is removed after the scenario.

use std::collections::{BTreeMap, BTreeSet};

use crdible_scenario::{Body, Method, Request};
use serde_json::Value;

use super::{
    names::object_name,
    wire::{Incoming, Outgoing},
};
use crate::{created::has_finalizers, marks::escaped};

/// The objects that a scenario may have stored.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// By definition, and by the path without the version: an object has the same name at all versions.
    objects: BTreeMap<(usize, String), StoredObject>,
    /// The definitions with an object whose name is not known, or that may be stored later.
    unnamed: BTreeSet<usize>,
}

/// An object that may be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredObject {
    /// Its path at the version at which it was written first.
    pub(super) path: String,
    /// Whether it has, or had, finalizers.
    pub(super) is_held: bool,
}

impl Stored {
    /// Remembers what a request may have stored. An update is as good as a
    /// creation: on a server that creates what is updated.
    pub(super) fn note(
        &mut self,
        definition: usize,
        request: &Request,
        outgoing: &Outgoing,
        incoming: &Incoming,
        execution: u64,
    ) {
        let writes = !matches!(request.method, Method::Get | Method::Delete);
        let may_be_stored = incoming.is_accepted() || incoming.status >= 500;
        if !writes || !may_be_stored {
            return;
        }
        // A gateway or a server that gave up: the write may still happen.
        if incoming.status > 500 {
            self.unnamed.insert(definition);
            return;
        }
        let path = outgoing.path.split('?').next().unwrap_or_default();
        let of_object = path_of_object(path);
        let paths = if request.method == Method::Post && of_object.is_none() {
            let names = names_of_created(request, outgoing, incoming, execution);
            if names.is_empty() {
                self.unnamed.insert(definition);
            }
            names.iter().map(|name| format!("{path}/{}", escaped(name))).collect()
        } else {
            Vec::from_iter(of_object)
        };
        let is_held =
            has_finalizers(&incoming.body) || outgoing.body.as_ref().is_some_and(|body| body.contains("finalizers"));
        for path in paths {
            let key = (definition, at_version(&path, ""));
            self.objects.entry(key).or_insert(StoredObject { path, is_held }).is_held |= is_held;
        }
    }

    /// The objects, each with its definition; and the definitions that may have others.
    pub(super) fn into_parts(self) -> (Vec<(usize, StoredObject)>, BTreeSet<usize>) {
        (self.objects.into_iter().map(|((definition, _), object)| (definition, object)).collect(), self.unnamed)
    }
}

/// The path of the same object at another version: `/apis/<group>/<version>/…`.
pub(super) fn at_version(path: &str, version: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    if let Some(segment) = segments.get_mut(3) {
        *segment = version;
    }
    segments.join("/")
}

/// The names that the object of a creation may have: what was sent, and what the answer says. A table need not show the
/// name in its first cell, so it counts only if no name was sent.
fn names_of_created(request: &Request, outgoing: &Outgoing, incoming: &Incoming, execution: u64) -> BTreeSet<String> {
    let answered = |places: &[&str]| {
        let name = places.iter().find_map(|place| incoming.body.pointer(place)).and_then(Value::as_str);
        name.filter(|_| incoming.is_accepted()).map(str::to_owned)
    };
    let sent = sent_name(request, outgoing, execution);
    let of_object = answered(&["/metadata/name"]);
    let of_table = || answered(&["/rows/0/object/metadata/name", "/rows/0/cells/0"]);
    let mut names: BTreeSet<String> = sent.into_iter().chain(of_object).filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        names.extend(of_table());
    }
    names
}

/// The path of the object that a path of it or of a subresource is about.
fn path_of_object(path: &str) -> Option<String> {
    let segments: Vec<&str> = path.split('/').collect();
    let length = if segments.get(4) == Some(&"namespaces") { 8 } else { 6 };
    segments.get(..length).filter(|segments| segments.last() != Some(&"")).map(|segments| segments.join("/"))
}

fn sent_name(request: &Request, outgoing: &Outgoing, execution: u64) -> Option<String> {
    if let Body::Text { head: Some(head), .. } = &request.body {
        return Some(object_name(execution, head.object));
    }
    let sent: Value = serde_json::from_str(outgoing.body.as_deref()?).ok()?;
    sent.pointer("/metadata/name").and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use crdible_scenario::{Body, Method, Request, Resource};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Stored, StoredObject, at_version, path_of_object};
    use crate::execute::wire::{Incoming, Outgoing};

    const THINGS: &str = "/apis/g.example.com/v1/namespaces/default/things";

    /// The paths of the objects that may be stored after one request, and whether there may be others.
    fn noted(method: Method, path: &str, sent: Value, status: u16, answered: Value) -> (Vec<StoredObject>, bool) {
        let mut stored = Stored::default();
        let request = Request::new(method, Resource::Definitions, Body::None);
        let outgoing = Outgoing::new(method, path).with_body(&sent);
        stored.note(0, &request, &outgoing, &Incoming { status, body: answered, ..Incoming::default() }, 7);
        let (objects, unnamed) = stored.into_parts();
        (objects.into_iter().map(|(_, object)| object).collect(), !unnamed.is_empty())
    }

    fn named(name: &str) -> Value {
        json!({ "metadata": { "name": name } })
    }

    #[rstest]
    #[case::a_create(Method::Post, "", named("a"), 201, named("a"), &["/a"], false)]
    #[case::a_generated_name(
        Method::Post, "", json!({ "metadata": { "generateName": "a" } }), 201, named("ab"), &["/ab"], false
    )]
    #[case::an_unreadable_answer(Method::Post, "", named("a"), 201, json!("?"), &["/a"], false)]
    #[case::an_unreadable_answer_with_a_generated_name(Method::Post, "", json!({}), 201, json!("?"), &[], true)]
    #[case::another_name(Method::Post, "", named("a"), 201, named("b"), &["/a", "/b"], false)]
    #[case::a_failure_with_a_generated_name(Method::Post, "", json!({}), 500, json!({}), &[], true)]
    #[case::a_table(Method::Post, "", json!({}), 201, json!({ "rows": [{ "cells": ["a"] }] }), &["/a"], false)]
    #[case::a_table_of_something_else(
        Method::Post, "", named("a"), 201, json!({ "rows": [{ "cells": ["1d"] }] }), &["/a"], false
    )]
    #[case::an_odd_name(Method::Post, "", named("a /b"), 201, json!({}), &["/a%20%2Fb"], false)]
    #[case::a_refusal(Method::Post, "", named("a"), 422, json!({}), &[], false)]
    #[case::a_failure(Method::Post, "", named("a"), 500, json!({}), &["/a"], false)]
    #[case::a_gateway(Method::Post, "", named("a"), 504, json!({}), &[], true)]
    #[case::an_update(Method::Put, "/a?fieldManager=b", named("a"), 200, named("a"), &["/a"], false)]
    #[case::a_patch_of_a_status(Method::MergePatch, "/a/status", json!({}), 200, named("a"), &["/a"], false)]
    #[case::a_deletion(Method::Delete, "/a", json!({}), 200, named("a"), &[], false)]
    #[case::a_patch_of_a_collection(Method::MergePatch, "", json!({}), 200, json!({}), &[], false)]
    fn what_may_be_stored(
        #[case] method: Method,
        #[case] rest: &str,
        #[case] sent: Value,
        #[case] status: u16,
        #[case] answered: Value,
        #[case] expected: &[&str],
        #[case] has_others: bool,
    ) {
        let (objects, others) = noted(method, &format!("{THINGS}{rest}"), sent, status, answered);
        let paths: Vec<String> = objects.into_iter().map(|object| object.path).collect();
        let expected: Vec<String> = expected.iter().map(|rest| format!("{THINGS}{rest}")).collect();
        assert_eq!((paths, others), (expected, has_others));
    }

    #[rstest]
    #[case::sent(json!({ "metadata": { "name": "a", "finalizers": ["b.example.com/c"] } }), named("a"), true)]
    #[case::answered(named("a"), json!({ "metadata": { "name": "a", "finalizers": ["b.example.com/c"] } }), true)]
    #[case::none(named("a"), json!({ "metadata": { "name": "a", "finalizers": [] } }), false)]
    fn what_is_held(#[case] sent: Value, #[case] answered: Value, #[case] expected: bool) {
        let (objects, _) = noted(Method::Post, THINGS, sent, 201, answered);
        assert_eq!(objects, [StoredObject { path: format!("{THINGS}/a"), is_held: expected }]);
    }

    #[test]
    fn an_object_is_one_at_all_versions() {
        let mut stored = Stored::default();
        for version in ["v1", "v2"] {
            let request = Request::new(Method::Put, Resource::Definitions, Body::None);
            let outgoing = Outgoing::new(Method::Put, at_version(&format!("{THINGS}/a"), version));
            stored.note(0, &request, &outgoing, &Incoming { status: 200, ..Incoming::default() }, 7);
        }
        let (objects, _) = stored.into_parts();
        assert_eq!(objects, [(0, StoredObject { path: format!("{THINGS}/a"), is_held: false })]);
    }

    #[rstest]
    #[case::of_a_cluster("/apis/g.example.com/v1/things/a/scale", Some("/apis/g.example.com/v1/things/a"))]
    #[case::of_a_namespace("/apis/g/v1/namespaces/b/things/a", Some("/apis/g/v1/namespaces/b/things/a"))]
    #[case::a_collection("/apis/g/v1/namespaces/b/things", None)]
    fn paths_of_objects(#[case] path: &str, #[case] expected: Option<&str>) {
        assert_eq!(path_of_object(path).as_deref(), expected);
    }
}
