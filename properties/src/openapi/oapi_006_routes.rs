//! OAPI-006, OAPI-009: the paths and operations that are published.

use crdible_scenario::RoutePart;

use super::{
    model::{self, Dialect},
    published::{read_current_v3, read_v2},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("oapi-006-routes", plan)
    .title("the OpenAPI documents list the operations of each served version")
    .asserts(&["OAPI-006", "OAPI-006/e1", "OAPI-006/e2", "OAPI-006/e3", "OAPI-009"])
    .needs(&[Capability::Serving, Capability::DefinitionUpdates, Capability::OpenApiV3]);

/// The model of the answer to a deletion.
const STATUS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
/// The model of a patch.
const PATCH: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
/// The model of the options of a deletion.
const DELETE_OPTIONS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
/// The model of a scale.
const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

/// The parameters of a list.
const LIST: [&str; 10] = [
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
];
/// The parameters of a create and an update.
const WRITE: [&str; 3] = ["dryRun", "fieldManager", "fieldValidation"];

/// A version with its subresources.
struct Served {
    name: &'static str,
    has_status: bool,
    has_scale: bool,
}

impl Served {
    fn draw(choices: &mut Choices, name: &'static str) -> Self {
        Self { name, has_status: choices.chance(1, 2), has_scale: choices.chance(1, 2) }
    }

    fn version(&self) -> Version {
        let schema = spec_of(json!({ "replicas": { "type": "integer" } }));
        let mut subresources = json!({});
        if self.has_status {
            subresources["status"] = json!({});
        }
        if self.has_scale {
            subresources["scale"] =
                json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
        }
        let further = Map::from_iter([("subresources".to_owned(), subresources)]);
        Version { further, ..Version::named(self.name, schema).stored_if(self.name == "v1") }
    }

    /// The paths of this version with their operations.
    fn routes(&self, is_namespaced: bool) -> Map<String, Value> {
        let root = format!("/apis/$group/{}", self.name);
        let (scope, word) = if is_namespaced { ("/namespaces/{namespace}", "Namespaced") } else { ("", "") };
        let in_scope: &[&str] = if is_namespaced { &["namespace"] } else { &[] };
        let (collection, kind, list) =
            (format!("{root}{scope}/$plural"), model::name(self.name), model::list_name(self.name));
        let of_list = |id: &str| self.operation("list", "list", id, &LIST, &Value::Null, &list);
        let mut paths = Map::new();
        let all = format!("{word}$kind");
        let deleted =
            self.operation("deletecollection", "delete", &format!("Collection{all}"), &LIST, &Value::Null, STATUS);
        let created = self.operation("post", "create", &all, &WRITE, &body(&kind), &kind);
        let shared = [in_scope, &["pretty"]].concat();
        let item = json!({ "parameters": shared, "get": of_list(&all), "post": created, "delete": deleted });
        paths.insert(collection.clone(), item);
        if is_namespaced {
            let shared = [&LIST[..], &["pretty"]].concat();
            let item = json!({ "parameters": shared, "get": of_list("$kindForAllNamespaces") });
            paths.insert(format!("{root}/$plural"), item);
        }
        let shared = [in_scope, &["name", "pretty"]].concat();
        let mut item = self.of_one(&all, &kind);
        item["parameters"] = json!(shared);
        let options = body(DELETE_OPTIONS);
        let parameters = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];
        item["delete"] = self.operation("delete", "delete", &all, &parameters, &options, STATUS);
        paths.insert(format!("{collection}/{{name}}"), item);
        let parts = [("status", "Status", kind.as_str(), self.has_status), ("scale", "Scale", SCALE, self.has_scale)];
        for (part, word, model, _) in parts.into_iter().filter(|(.., is_enabled)| *is_enabled) {
            let mut item = self.of_one(&format!("{all}{word}"), model);
            item["parameters"] = json!(shared);
            paths.insert(format!("{collection}/{{name}}/{part}"), item);
        }
        paths
    }

    /// What an object and its subresources have in common.
    fn of_one(&self, id: &str, model: &str) -> Value {
        let mut patch = body(PATCH);
        patch["types"] =
            json!(["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"]);
        let with_force = [&WRITE[..], &["force"]].concat();
        json!({
            "get": self.operation("get", "read", id, &["resourceVersion"], &Value::Null, model),
            "put": self.operation("put", "replace", id, &WRITE, &body(model), model),
            "patch": self.operation("patch", "patch", id, &with_force, &patch, model),
        })
    }

    fn operation(&self, action: &str, verb: &str, id: &str, parameters: &[&str], body: &Value, answer: &str) -> Value {
        let version = self.name.to_uppercase();
        json!({
            "action": action,
            "kind": { "group": "$group", "version": self.name, "kind": "$kind" },
            "id": format!("{verb}$group{version}{id}"),
            "tag": format!("$group_{}", self.name),
            "parameters": parameters,
            "body": body,
            "answer": Dialect::V3.reference(answer)["$ref"],
        })
    }

    fn has(&self, part: RoutePart, is_namespaced: bool) -> NamedCheck {
        NamedCheck::PublishedRoutes { version: self.name.to_owned(), part, routes: self.routes(is_namespaced) }
    }
}

/// A body that is at least accepted as JSON.
fn body(model: &str) -> Value {
    json!({ "model": Dialect::V3.reference(model)["$ref"], "types": ["application/json"] })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_namespaced = choices.chance(1, 2);
    let draw = |choices: &mut Choices| {
        let mut served = vec![Served::draw(choices, "v1")];
        if choices.chance(1, 3) {
            served.push(Served::draw(choices, "v2"));
        }
        served
    };
    let first = choices.span("first", draw);
    let changed = choices.chance(1, 2).then(|| choices.span("changed", draw));
    let definition = Definition::with_versions(first.iter().map(Served::version).collect());
    let definition = plan.define(if is_namespaced { definition.namespaced() } else { definition });
    check(plan, definition, &first, is_namespaced);
    if let Some(changed) = &changed {
        plan.install_versions(definition, changed.iter().map(Served::version).collect());
        check(plan, definition, changed, is_namespaced);
    }
    if choices.chance(1, 4) {
        let last = changed.as_ref().unwrap_or(&first);
        let versions = last.iter().map(|version| version.name.to_owned()).collect();
        let read = read_v2(plan, definition, NamedCheck::PublishedCurrent { versions, fields: None });
        for version in last {
            plan.check("in-version-2", &["OAPI-009"], read, version.has(RoutePart::Actions, is_namespaced));
        }
    }
}

fn check(plan: &mut Plan, definition: usize, versions: &[Served], is_namespaced: bool) {
    for version in versions {
        let read = read_current_v3(plan, definition, version.name);
        for (name, part, asserts) in [
            ("actions", RoutePart::Actions, &["OAPI-006"][..]),
            ("bodies", RoutePart::Bodies, &["OAPI-006/e1", "OAPI-006/e2"]),
            ("parameters", RoutePart::Parameters, &["OAPI-006/e1", "OAPI-006/e2"]),
            ("ids", RoutePart::Ids, &["OAPI-006/e3"]),
        ] {
            plan.check(name, asserts, read, version.has(part, is_namespaced));
        }
        plan.count_case();
    }
}
