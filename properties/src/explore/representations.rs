//! Chapter 13, REST-006, REST-069: the same objects as tables, as metadata only, as YAML.

use crdible_scenario::Exploration;

use super::{definitions, options, requests, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-representations",
    title: "objects as tables with any columns, as metadata only, as YAML",
    needs: &[Capability::Serving],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 10;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut columns = Vec::new();
    choices.many("column", 0, 5, |choices, number| columns.push(column(choices, number)));
    let further = if columns.is_empty() { json!({}) } else { json!({ "additionalPrinterColumns": columns }) };
    let mut sequence = Sequence::of(plan, definitions::of(choices, further));
    requests::populate(choices, &mut sequence);
    choices.many("request", 4, REQUESTS, |choices, _| {
        let (version, object) = (sequence.version(choices), Sequence::object(choices));
        let mut query = Vec::new();
        if choices.chance(1, 3) {
            query.push(options::one(choices, "includeObject", &["None", "Object", "Metadata", "", "none", "Bogus"]));
        }
        let mut accept = *choices.pick(ACCEPT);
        let request = match choices.draw(3) {
            0 => {
                query.extend(options::of_get(choices));
                Request::get(sequence.at(&version, object))
            }
            1 | 2 => {
                query.extend(options::of_list(choices));
                query.extend(options::selectors(choices));
                Request::get(sequence.collection(&version))
            }
            _ => {
                let patch = json!({ "spec": { "number": choices.between(0, 9) } });
                Request::merge_patch(sequence.at(&version, object), patch)
            }
        };
        // kube-apiserver returns 500 for a request for one object as a list (REST-069).
        if accept.contains("PartialObjectMetadataList") && !matches!(request.resource, Resource::Objects { .. }) {
            accept = "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io";
        }
        sequence.send(Request { query, accept: Some(accept.to_owned()), ..request });
    });
}

fn column(choices: &mut Choices, number: usize) -> Value {
    let mut column = json!({
        "name": format!("C{number}"),
        "type": *choices.pick(&["string", "integer", "number", "boolean", "date"]),
        "jsonPath": *choices.pick(PATHS),
    });
    if choices.chance(1, 4) {
        column["priority"] = json!(*choices.pick(&[0, 1, -1]));
    }
    if choices.chance(1, 4) {
        column["description"] = json!("what it is");
    }
    if choices.chance(1, 6) {
        column["format"] = json!(*choices.pick(&["int32", "date-time", "password"]));
    }
    column
}

/// Wildcards only in lists: the matches in the fields of an object have no order on kube-apiserver (TABLE-009).
const PATHS: &[&str] = &[
    ".spec.text",
    ".spec.number",
    ".spec.float",
    ".spec.flag",
    ".spec.moment",
    ".spec.nothing",
    ".spec.words",
    ".spec.words[0]",
    ".spec.words[-1]",
    ".spec.words[*]",
    ".spec.words[0:1]",
    ".spec.entries[*].name",
    ".spec.entries[?(@.name==\"b\")].name",
    ".spec.entries[?(@.value>0)].value",
    ".spec.map",
    ".spec.map.k",
    ".spec.map['a\\.b/c']",
    ".spec.free",
    ".spec.free.x[1].y",
    ".spec.free..y",
    ".spec['text','moment']",
    ".spec.words.*",
    ".metadata.name",
    ".metadata.labels.tier",
    ".metadata.generation",
    ".metadata.creationTimestamp",
    ".status.phase",
    ".spec.none",
    ".",
];

/// Without protobuf, because rejections would use it too.
const ACCEPT: &[&str] = &[
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
    "application/json;as=Table;v=v2;g=meta.k8s.io",
    "application/json;as=Table;v=v2;g=meta.k8s.io,application/json",
    "application/json;as=Table;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/yaml",
    "application/yaml;as=Table;v=v1;g=meta.k8s.io",
    "application/json;q=0.5,application/yaml;q=0.9",
    "*/*",
    "application/*",
    "text/html",
    "text/html,application/json;q=0.1",
    "application/json;pretty=1",
    "application/json;stream=watch",
    "application/json;charset=utf-8",
    "",
];
