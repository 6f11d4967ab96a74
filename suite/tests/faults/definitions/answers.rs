//! Faults in answers about definitions: the fields of causes, reasons, warnings, what is shown of a
//! definition, discovery.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, InProcess, ResponseFuture, Transport},
    webhook::Registry,
};
use http::{HeaderValue, Method, header};
use serde_json::{Value, json};

use crate::{
    server::{behind, is_about_definitions},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("reports-the-first-version-always", "causes in schemas and columns name the first version")
        .breaks(
            &["CRDVAL-026", "CRDVAL-042", "CRDVAL-040"],
            &["crdval-026-schema-required", "crdval-042-printer-columns"],
        )
        .within_lines(50)
        .definition_answers(|_, answer| {
            for cause in answer.causes().into_iter().flatten() {
                let field = cause["field"].as_str().unwrap_or_default();
                let Some((_, below)) = field.strip_prefix("spec.versions[").and_then(|rest| rest.split_once("]."))
                else {
                    continue;
                };
                if ["schema", "additionalPrinterColumns"].iter().any(|part| below.starts_with(part)) {
                    cause["field"] = json!(format!("spec.versions[0].{below}"));
                }
            }
        }),
    fault("reports-a-removed-field", "an invalid scope is reported at spec.version as well")
        .breaks(&["CRDVAL-003"], &["crdval-003-scope"])
        .definition_answers(|_, answer| {
            let Some(causes) = answer.causes() else { return };
            if causes.iter().any(|cause| cause["field"] == "spec.scope") {
                causes.push(
                    json!({ "field": "spec.version", "reason": "FieldValueForbidden", "message": "was removed" }),
                );
            }
        }),
    obvious_fault("warns-of-every-definition", "every accepted definition has a warning")
        .breaks(&["CRDVAL-057"], &["crdval-057-unrecognized-formats"])
        .definition_answers(|_, answer| {
            if answer.head.status == 201 {
                answer.warn("299 - \"something may be wrong\"");
            }
        }),
    fault("reports-conflicts-as-already-exists", "an outdated resourceVersion has the reason AlreadyExists")
        .breaks(&["CRDVAL-022"], &["crdval-022-resource-version"])
        .definition_answers(|_, answer| {
            if answer.body["reason"] == "Conflict" {
                answer.body["reason"] = json!("AlreadyExists");
            }
        }),
    fault("adds-a-label-on-put", "the answer to a PUT has a label that was not sent")
        .breaks(&["CRDVAL-060"], &["crdval-022-resource-version"])
        .definition_answers(|asked, answer| {
            if answer.head.status.is_success()
                && asked.method == Method::PUT
                && asked.uri.query().is_none_or(str::is_empty)
            {
                answer.body["metadata"]["labels"]["put"] = json!("back");
            }
        }),
    fault("adds-conditions-of-the-client", "an update adds the condition that the client sent")
        .breaks(&["CRDVAL-020"], &["crdval-021-generation"])
        .definition_answers(|asked, answer| {
            if answer.head.status.is_success()
                && [Method::PUT, Method::PATCH].contains(&asked.method)
                && asked.body.to_string().contains("MadeUp")
                && let Some(conditions) = answer.body.pointer_mut("/status/conditions").and_then(Value::as_array_mut)
            {
                conditions.push(json!({ "type": "MadeUp", "status": "True" }));
            }
        }),
    fault("keeps-omitted-names", "a PUT without singular and listKind keeps their old values")
        .breaks(&["CRDVAL-007"], &["crdval-011-mutable-names"])
        .definition_answers(|asked, answer| {
            for name in ["singular", "listKind"] {
                let is_omitted = asked.body["spec"]["names"].get(name).is_none();
                if answer.head.status.is_success() && asked.method == Method::PUT && is_omitted {
                    answer.body["spec"]["names"][name] = answer.body["status"]["acceptedNames"][name].clone();
                }
            }
        }),
    fault("ignores-conversion-in-patches", "an accepted patch does not change the conversion")
        .breaks(&["CRDVAL-056"], &["crdval-056-updates-in-full"])
        .definition_answers(|asked, answer| {
            if answer.head.status.is_success() && asked.method == Method::PATCH {
                answer.body["spec"]["conversion"] = json!({ "strategy": "None" });
            }
        }),
    fault("keeps-unknown-keywords-under-ignore", "fieldValidation=Ignore keeps unknown keywords of schemas")
        .breaks(&["CRDVAL-031"], &["crdval-031-unmodelled-keywords"])
        .definition_answers(|asked, answer| {
            if !answer.head.status.is_success() || !asked.has("fieldValidation=Ignore") {
                return;
            }
            for (index, version) in answer.body["spec"]["versions"].as_array_mut().into_iter().flatten().enumerate() {
                version["schema"] = asked.body["spec"]["versions"][index]["schema"].clone();
            }
        }),
    fault("accepts-duplicate-fields-under-strict", "a duplicate field is accepted under fieldValidation=Strict")
        .breaks(&["CRDVAL-058"], &["crdval-058-field-validation"])
        .server(|| behind(AcceptsDuplicates)),
    fault("warns-of-duplicates-at-the-parent", "the warning about a duplicate field names its parent")
        .breaks(&["CRDVAL-058"], &["crdval-058-field-validation"])
        .definition_answers(|_, answer| {
            for (name, warning) in &mut answer.head.headers {
                if name == header::WARNING {
                    let text = String::from_utf8_lossy(warning.as_bytes())
                        .replace("duplicate field \\\"spec.scope", "duplicate field \\\"spec");
                    *warning = HeaderValue::from_str(&text).unwrap_or_else(|_| warning.clone());
                }
            }
        }),
    fault("reads-the-old-spelling-of-columns", "JSONPath of a column is read as jsonPath")
        .breaks(&["CRDVAL-058"], &["crdval-058-field-validation"])
        .within_lines(50)
        .definition_answers(|asked, answer| {
            let pointer = "/spec/versions/0/additionalPrinterColumns/0";
            let path = asked.body.pointer(pointer).and_then(|column| column.get("JSONPath"));
            if answer.head.status.is_success()
                && let (Some(path), Some(column)) = (path, answer.body.pointer_mut(pointer))
            {
                column["jsonPath"] = path.clone();
            }
        }),
    fault("lists-groups-without-versions", "/apis lists the groups of all definitions, served or not")
        .breaks(&["CRDVAL-015"], &["crdval-015-nothing-served"])
        .server(|| behind(|server| ChangedDiscovery { server, known: Mutex::default(), change: list_all_groups })),
    fault("shows-the-first-singular-name", "discovery shows the singular name that the definition was created with")
        .breaks(&["CRDVAL-011"], &["crdval-011-mutable-names"])
        .server(|| behind(|server| ChangedDiscovery { server, known: Mutex::default(), change: show_first_singular })),
];

/// Sends a definition again without `Strict` if it was rejected for a duplicate field.
#[derive(Debug)]
struct AcceptsDuplicates(InProcess);

impl Transport for AcceptsDuplicates {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_about_definitions(&request) {
            return self.0.send(request);
        }
        let mut again = HttpRequest::new(request.body().clone());
        *again.method_mut() = request.method().clone();
        *again.headers_mut() = request.headers().clone();
        *again.uri_mut() = request
            .uri()
            .to_string()
            .replace("fieldValidation=Strict", "fieldValidation=Warn")
            .parse()
            .unwrap_or_default();
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            if answer.status() == 400 && String::from_utf8_lossy(answer.body()).contains("duplicate field") {
                return self.0.send(again).await;
            }
            Ok(answer)
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

/// The groups of all definitions that were created, with their first singular names.
type Known = BTreeMap<String, String>;

/// Changes discovery by the definitions that were created.
struct ChangedDiscovery {
    server: InProcess,
    known: Mutex<Known>,
    change: fn(&str, &Known, &mut Value),
}

impl std::fmt::Debug for ChangedDiscovery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ChangedDiscovery").finish_non_exhaustive()
    }
}

impl Transport for ChangedDiscovery {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let (path, is_read) = (request.uri().path().to_owned(), request.method() == Method::GET);
        let is_new = request.method() == Method::POST && is_about_definitions(&request);
        Box::pin(async move {
            let (head, body) = self.server.send(request).await?.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            if is_new && head.status.is_success() {
                let text = |pointer| shown.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
                self.known.lock().unwrap().insert(text("/spec/group"), text("/spec/names/singular"));
            }
            if !is_read || !head.status.is_success() || path.starts_with("/apis/apiextensions.k8s.io") {
                return Ok(http::Response::from_parts(head, body));
            }
            (self.change)(&path, &self.known.lock().unwrap(), &mut shown);
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

fn list_all_groups(path: &str, known: &Known, shown: &mut Value) {
    let Some(groups) = shown.get_mut("groups").and_then(Value::as_array_mut).filter(|_| path == "/apis") else {
        return;
    };
    for group in known.keys() {
        if !groups.iter().any(|listed| listed["name"] == group.as_str()) {
            groups.push(json!({ "name": group, "versions": [] }));
        }
    }
}

fn show_first_singular(path: &str, known: &Known, shown: &mut Value) {
    let group = path.split('/').nth(2).unwrap_or_default();
    if let (Some(singular), Some(resource)) = (known.get(group), shown.pointer_mut("/resources/0")) {
        resource["singularName"] = json!(singular);
    }
}
