//! Faults in what is said of finalizers and owners.

use crdible::connection::HttpRequest;
use http::Method;
use serde_json::{Value, json};

use crate::{
    json::{elements, list},
    sent::{is_about_definitions, with_body},
    server::{Answer, Asked},
    table::{Fault, fault, obvious_fault},
};

const OWNERS: &str = "/metadata/ownerReferences";

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("owners-are-repeated", "owner references that are equal are all kept")
        .breaks(&["REST-070"], &["rest-013-creates", "rest-040-writes"])
        .answers(show_sent_owners),
    fault("owners-of-patches-are-repeated", "owner references that are equal are collapsed, except in a merge patch")
        .breaks(&["REST-070"], &["rest-040-writes"])
        .answers(|asked, answer| {
            if asked.method == Method::PATCH {
                show_sent_owners(asked, answer);
            }
        }),
    fault("owners-have-one-name", "owner references count as equal if only their names differ")
        .breaks(&["REST-070"], &["rest-013-creates", "rest-040-writes"])
        .requests(|request| {
            if !is_about_definitions(request) {
                with_body(request, |body| {
                    let Some(owners) = list(body, OWNERS) else { return };
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

fn show_sent_owners(asked: &Asked, answer: &mut Answer) {
    let owners = asked.body.pointer(OWNERS).filter(|owners| owners.is_array());
    if let (Some(owners), true) = (owners, answer.is_success()) {
        answer.body["metadata"]["ownerReferences"] = owners.clone();
    }
}

/// Replaces these finalizers by one that is valid.
fn accept_finalizers(request: &mut HttpRequest, is_accepted: fn(&str) -> bool) {
    if is_about_definitions(request) {
        return;
    }
    with_body(request, |body| {
        for finalizer in elements(body, "/metadata/finalizers") {
            if finalizer.as_str().is_some_and(is_accepted) {
                *finalizer = json!("example.com/accepted");
            }
        }
    });
}
