//! REST-001..004: which paths are routes.

use crdible_scenario::Scope;

use super::thing::schema;
use crate::prelude::*;
use crate::shared::{definitions::refused_as, read_back};

pub(super) const PROPERTY: Property = Property::new("rest-001-routes", plan)
    .title("a resource is served only at the paths of its scope, its served versions and its plural")
    .asserts(&["REST-001", "REST-002", "REST-003", "REST-004", "REST-013", "REST-021", "REST-022"])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_namespaced = choices.draw(1) == 0;
    let scope = if is_namespaced { Scope::Namespaced } else { Scope::Cluster };
    let further = Map::from_iter([("subresources".to_owned(), json!({ "status": {} }))]);
    let version = Version { further, ..Version::only(schema()) };
    let definition = plan.define(Definition { scope, ..Definition::with_versions(vec![version]) });
    let created = plan.create(definition, json!({ "spec": { "o": {} } }));
    plan.assume(created, Expectation::Accepted);
    let shown = read_back(plan, created);
    let own = if is_namespaced { "namespaces/$namespace/" } else { "" };
    let other = if is_namespaced { "" } else { "namespaces/$namespace/" };
    plan.case_parts(choices, "path", |plan, choices| {
        let mut send = |method: Method, path: String| {
            let body = match method {
                Method::Get | Method::Delete => Body::None,
                _ => Body::json(json!({ "spec": { "o": {} } })),
            };
            plan.send(Request::new(method, Resource::Path { definition, path: format!("/apis/$group/{path}") }, body))
        };
        let any = *choices.pick(&[Method::Get, Method::Put, Method::Delete, Method::MergePatch, Method::JsonPatch]);
        match choices.draw(8) {
            0 => {
                let listed = send(Method::Get, format!("v1/{own}$plural"));
                plan.check("own-collection", &["REST-001"], listed, NamedCheck::Lists { objects: vec![0] });
                for (pointer, value) in [("/kind", "ThingList"), ("/apiVersion", "$group/v1")] {
                    plan.check("list-type", &["REST-021"], listed, at(pointer, value));
                }
            }
            1 => {
                let listed = send(Method::Get, "v1/$plural".to_owned());
                let all = NamedCheck::Listed.against(shown);
                plan.check("whole-collection", &["REST-001", "REST-022"], listed, all);
            }
            2 => {
                // Lists and watches of all namespaces are routes, and nothing else there is.
                let method = if is_namespaced { Method::Post } else { *choices.pick(&[Method::Get, Method::Post]) };
                let sent = send(method, format!("v1/{other}$plural"));
                plan.check("other-scope", &["REST-002"], sent, Expectation::Status(404));
                plan.clause("of the other scope");
            }
            3 => {
                // The object that exists must not be reached either.
                let name = *choices.pick(&["$object-0", "$object-0/status", "any"]);
                let sent = send(any, format!("v1/{other}$plural/{name}"));
                plan.check("object-of-other-scope", &["REST-002"], sent, Expectation::Status(404));
                plan.clause("of the other scope");
            }
            4 => {
                let name = *choices.pick(&["thing", "Thing", "ThingList", "thingss", "all"]);
                let sent = send(*choices.pick(&[Method::Get, Method::Post]), format!("v1/{own}{name}"));
                plan.check("other-name", &["REST-004"], sent, Expectation::Status(404));
                plan.clause("of a name that is not the plural");
            }
            5 => {
                let version = *choices.pick(&["v2", "v1beta1", "V1", "status"]);
                let sent = send(*choices.pick(&[Method::Get, Method::Post]), format!("{version}/{own}$plural"));
                plan.check("other-version", &["REST-001"], sent, Expectation::Status(404));
                plan.clause("of a version that is not served");
            }
            6 => {
                let name = *choices.pick(&["scale", "logs", "Status", "spec"]);
                let target = plan.object_of(created).subresource(name);
                let body = if any == Method::Get { Body::None } else { Body::json(json!({ "spec": { "o": {} } })) };
                let sent = plan.send(Request::new(any, target, body));
                plan.check("unknown-subresource", &["REST-003"], sent, refused_as(404, "NotFound"));
                plan.clause("of a subresource that does not exist");
            }
            7 => whole_life(plan, definition),
            _ => {
                let method = *choices.pick(&[Method::Post, Method::Delete]);
                let sent = send(method, format!("v1/{own}$plural/any/status"));
                plan.check("no-such-method", &["REST-003"], sent, refused_as(405, "MethodNotAllowed"));
                plan.clause("with a method that is not offered");
            }
        }
    });
}

/// Another object, which is gone in the end.
fn whole_life(plan: &mut Plan, definition: usize) {
    let created = plan.create(definition, json!({ "spec": { "o": {} } }));
    plan.assume(created, Expectation::Accepted);
    let patched = plan.patch(created, Method::MergePatch, json!({ "spec": { "t": "x" } }));
    plan.check("patched", &["REST-001"], patched, Expectation::Accepted);
    let written = plan.put_back(patched, vec![]);
    plan.check("written", &["REST-001"], written, Expectation::Accepted);
    let object = plan.object_of(created);
    let deleted = plan.send(Request::delete(object.clone()));
    plan.check("deleted", &["REST-001"], deleted, Expectation::Accepted);
    let read = plan.read(object);
    plan.check("gone", &["REST-001"], read, Expectation::Status(404));
}
