//! Faults in the field validation of updates and patches.

use http::Method;

use crate::{
    sent::{is_object, is_patch, query_contains, set_parameter},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("strict-patches-only-warn", "a JSON patch with Strict is one with Warn")
        .breaks(&["REST-052", "REST-055"], &["rest-051-modes-of-updates"])
        .requests(|request| {
            if is_patch(request, "json-patch") && query_contains(request, "fieldValidation=Strict") {
                set_parameter(request, "fieldValidation", Some("Warn"));
            }
        }),
    obvious_fault("merge-patches-are-strict", "a merge patch without a mode is one with Strict")
        .breaks(&["REST-050", "REST-051", "REST-054", "REST-055"], &["rest-051-modes-of-updates"])
        .blamed(&["REST-050", "REST-054"])
        .requests(|request| {
            if is_patch(request, "merge-patch") && !query_contains(request, "fieldValidation") {
                set_parameter(request, "fieldValidation", Some("Strict"));
            }
        }),
    fault("puts-warn-of-nothing", "an unknown field in a PUT is not reported")
        .breaks(&["REST-051", "REST-057"], &["rest-051-modes-of-updates"])
        .blamed(&["REST-051"])
        .answers(|asked, answer| {
            if asked.method == Method::PUT {
                answer.remove_warnings("unknown field");
            }
        }),
    fault("repeated-fields-of-patches-are-silent", "a repeated field in a patch is not reported")
        .breaks(&["REST-051", "REST-055", "REST-057"], &["rest-051-modes-of-updates"])
        .blamed(&["REST-051", "REST-055"])
        .answers(|asked, answer| {
            if asked.method == Method::PATCH {
                answer.remove_warnings("duplicate field");
            }
        }),
    fault("ignoring-puts-warn", "a PUT with Ignore reports unknown fields, too")
        .breaks(&["REST-053"], &["rest-051-modes-of-updates"])
        .requests(|request| {
            if *request.method() == Method::PUT
                && is_object(request)
                && query_contains(request, "fieldValidation=Ignore")
            {
                set_parameter(request, "fieldValidation", Some("Warn"));
            }
        }),
    fault("maps-have-unknown-fields", "a key in a map is reported as an unknown field")
        .breaks(&["REST-051", "REST-057"], &["rest-051-modes-of-updates"])
        .blamed(&["REST-051"])
        .answers(|asked, answer| {
            let is_sent = asked.method == Method::PUT && asked.body.pointer("/spec/m/k").is_some();
            if is_sent && !asked.has_parameter("fieldValidation=Ignore") {
                answer.warn("299 - \"unknown field \\\"spec.m.k\\\"\"");
            }
        }),
    fault("repeated-fields-are-kept-in-silence", "a repeated field is not reported where unknown fields are preserved")
        .breaks(&["REST-057"], &["rest-051-modes-of-updates"])
        .answers(|_, answer| answer.remove_warnings("duplicate field \\\"spec.p")),
    fault("puts-report-dropped-nulls", "a null of a declared field in a PUT is reported as an unknown field")
        .breaks(&["REST-057"], &["rest-051-modes-of-updates"])
        .answers(|asked, answer| {
            let is_null = asked.body.pointer("/spec/t").is_some_and(serde_json::Value::is_null);
            if asked.method == Method::PUT && is_null && !asked.has_parameter("fieldValidation=Ignore") {
                answer.warn("299 - \"unknown field \\\"spec.t\\\"\"");
            }
        }),
    fault("refused-patches-name-the-object", "the refusal of a strict patch names the object")
        .breaks(&["REST-055"], &["rest-051-modes-of-updates"])
        .answers(|asked, answer| {
            if asked.method == Method::PATCH
                && answer.head.status == 422
                && asked.has_parameter("fieldValidation=Strict")
            {
                answer.body["details"]["name"] = serde_json::json!("x");
            }
        }),
];
