//! Faults in which paths are routes.

use http::Method;

use super::namespaces::without_namespace;
use crate::{
    json::list,
    sent::{is_object, replace_path},
    server::error,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("singulars-are-routes", "objects are also at the singular of their resource")
        .breaks(&["REST-004"], &["rest-001-routes"])
        .requests(|request| {
            replace_path(request, |path| path.strip_suffix("/thing").map(|path| format!("{path}/things")))
        }),
    fault("scopes-do-not-matter", "an object without a namespace is also found in one")
        .breaks(&["REST-002", "REST-003"], &["rest-001-routes"])
        .blamed(&["REST-002"])
        .around(act!(|server, request| {
            let mut elsewhere = request.clone();
            let answered = server.pass(request).await?;
            if answered.status() != 404 || *elsewhere.method() != Method::GET {
                return Ok(answered);
            }
            replace_path(&mut elsewhere, without_namespace);
            server.pass(elsewhere).await
        })),
    fault("namespaces-reach-objects-of-the-cluster", "GET in a namespace finds an object that has none, by its name")
        .breaks(&["REST-002"], &["rest-001-routes"])
        .around(act!(|server, request| {
            let mut elsewhere = request.clone();
            let answered = server.pass(request).await?;
            if answered.status() != 404 || *elsewhere.method() != Method::GET || !is_object(&elsewhere) {
                return Ok(answered);
            }
            replace_path(&mut elsewhere, without_namespace);
            server.pass(elsewhere).await
        })),
    fault("unknown-subresources-are-the-object", "GET of an unknown subresource is one of the object")
        .breaks(&["REST-003"], &["rest-001-routes"])
        .requests(|request| {
            if *request.method() == Method::GET {
                replace_path(request, |path| {
                    let object = path.strip_suffix("/logs").or_else(|| path.strip_suffix("/spec"))?;
                    Some(object.to_owned())
                });
            }
        }),
    fault("namespaces-keep-their-objects", "no object in a namespace can be deleted")
        .breaks(&["REST-001"], &["rest-001-routes"])
        .around(act!(|server, request| {
            let is_within = request.uri().path().contains("/namespaces/");
            if is_within && *request.method() == Method::DELETE && is_object(&request) {
                let mut read = request.clone();
                *read.method_mut() = Method::GET;
                if server.pass(read).await?.status() == 200 {
                    return Ok(error(405, "MethodNotAllowed"));
                }
            }
            server.pass(request).await
        })),
    obvious_fault("lists-of-all-namespaces-are-empty", "a list of all namespaces has no items")
        .breaks(&["REST-001", "REST-022"], &["rest-001-routes"])
        .answers(|asked, answer| {
            let path = asked.uri.path();
            let is_whole = path.ends_with("/things") && !path.contains("/namespaces/");
            if is_whole
                && asked.method == Method::GET
                && let Some(items) = list(&mut answer.body, "/items")
            {
                items.retain(|item| item["metadata"].get("namespace").is_none());
            }
        }),
];
