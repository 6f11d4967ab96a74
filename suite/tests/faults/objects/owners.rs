//! Faults in what is said of finalizers and owners.

use http::Method;
use serde_json::{Value, json};

use super::with_body;
use crate::{
    server::is_about_definitions,
    table::{Fault, fault, obvious_fault},
};

const OWNERS: &str = "/metadata/ownerReferences";

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("owners-are-repeated", "owner references that are equal are all kept")
        .breaks(&["REST-070"], &["rest-013-creates", "rest-040-writes"])
        .answers(|asked, answer| {
            let owners = asked.body.pointer(OWNERS).filter(|owners| owners.is_array());
            if let (Some(owners), true) = (owners, answer.head.status.is_success()) {
                answer.body["metadata"]["ownerReferences"] = owners.clone();
            }
        }),
    fault("owners-of-patches-are-repeated", "owner references that are equal are collapsed, except in a merge patch")
        .breaks(&["REST-070"], &["rest-040-writes"])
        .answers(|asked, answer| {
            let owners = asked.body.pointer(OWNERS).filter(|owners| owners.is_array());
            if let (Some(owners), &Method::PATCH, true) = (owners, &asked.method, answer.head.status.is_success()) {
                answer.body["metadata"]["ownerReferences"] = owners.clone();
            }
        }),
    fault("owners-have-one-name", "owner references count as equal if only their names differ")
        .breaks(&["REST-070"], &["rest-013-creates", "rest-040-writes"])
        .requests(|request| {
            if !is_about_definitions(request) {
                with_body(request, |body| {
                    let Some(owners) = body.pointer_mut(OWNERS).and_then(Value::as_array_mut) else { return };
                    let mut seen = Vec::new();
                    owners.retain(|owner| {
                        let mut but_the_name = owner.clone();
                        but_the_name["name"] = Value::Null;
                        let is_new = !seen.contains(&but_the_name);
                        seen.push(but_the_name);
                        is_new
                    });
                });
            }
        }),
    fault("finalizers-have-empty-parts", "a finalizer may be empty on one side of its slash")
        .breaks(&["REST-070"], &["rest-013-creates", "rest-029-refused-writes"])
        .requests(|request| accept_finalizers(request, |name| name.starts_with('/') || name.ends_with('/'))),
    obvious_fault("updates-take-any-finalizer", "a finalizer is validated in a create, and in nothing else")
        .breaks(&["REST-070"], &["rest-029-refused-writes"])
        .requests(|request| {
            if *request.method() != Method::POST {
                accept_finalizers(request, |_| true);
            }
        }),
];

/// Replaces these finalizers by one that is valid.
fn accept_finalizers(request: &mut crdible::connection::HttpRequest, is_accepted: fn(&str) -> bool) {
    if is_about_definitions(request) {
        return;
    }
    with_body(request, |body| {
        let finalizers = body.pointer_mut("/metadata/finalizers").and_then(Value::as_array_mut);
        for finalizer in finalizers.into_iter().flatten() {
            if finalizer.as_str().is_some_and(is_accepted) {
                *finalizer = json!("example.com/accepted");
            }
        }
    });
}
