//! Faults in which paths are routes.

use http::Method;

use crate::{
    hooked::is_watch,
    server::is_about_definitions,
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
            let answered = server.server.send(request.clone()).await?;
            let path = request.uri().path().to_owned();
            let Some((group, rest)) = path.split_once("/namespaces/") else { return Ok(answered) };
            let Some((_, rest)) = rest.split_once('/') else { return Ok(answered) };
            if answered.status() != 404 || *request.method() != Method::GET {
                return Ok(answered);
            }
            let mut elsewhere = request;
            replace_path(&mut elsewhere, |_| Some(format!("{group}/{rest}")));
            server.server.send(elsewhere).await
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
    obvious_fault("lists-of-all-namespaces-are-empty", "a list of all namespaces has no items")
        .breaks(&["REST-001", "REST-022"], &["rest-001-routes"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let is_whole = path.ends_with("/things") && !path.contains("/namespaces/");
            if !is_whole || *request.method() != Method::GET || is_watch(&request) {
                return server.server.send(request).await;
            }
            let answered = server.server.send(request).await?;
            let mut list = super::body_in(&answered);
            if let Some(items) = list["items"].as_array_mut() {
                items.retain(|item| item["metadata"].get("namespace").is_none());
            }
            Ok(super::answer(answered.status().as_u16(), &list))
        })),
];

pub(super) fn replace_path(request: &mut crdible::connection::HttpRequest, change: impl Fn(&str) -> Option<String>) {
    if is_about_definitions(request) {
        return;
    }
    if let Some(path) = change(request.uri().path()) {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        *request.uri_mut() = format!("{path}{query}").parse().unwrap_or_default();
    }
}
