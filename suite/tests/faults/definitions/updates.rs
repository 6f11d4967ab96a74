//! Faults in updates of definitions, and what the server keeps of them: CRDVAL-009..011, CRDVAL-018..022, CRDVAL-056.

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use crdible_reference::Controllers;
use crdible_semantics::{Reason, Upstream, Violation, definition::Spec};
use http::Method;
use serde_json::Value;

use super::{controlled, fault, violation};
use crate::{
    servers::{behind, is_about_definitions},
    structural::but,
    table::Fault,
};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "keeps-the-status-of-clients",
        "a new definition is shown with the conditions that it was sent with",
        || behind(KeepingStatus),
        &["CRDVAL-018"],
        &["crdval-018-client-status"],
        false,
    ),
    fault(
        "counts-metadata-as-content",
        "generation grows with every update that changes nothing of the spec",
        || controlled(Counting),
        &["CRDVAL-021", "CRDVAL-020", "CRDVAL-060"],
        &["crdval-021-generation", "crdval-022-resource-version"],
        true,
    ),
    fault(
        "lets-scopes-change",
        "the scope of an established definition can be changed",
        wrong!(DefinitionRules {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_unchanged(spec, before, established, found), |violation| violation.field == "spec.scope");
            }
        }),
        &["CRDVAL-009", "CRDVAL-010"],
        &["crdval-009-immutable-fields"],
        false,
    ),
    fault(
        "lets-one-field-change-only",
        "of several fields that must not change only the first is told",
        wrong!(DefinitionRules {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Upstream.check_unchanged(spec, before, established, &mut all);
                found.extend(all.into_iter().take(1));
            }
        }),
        &["CRDVAL-009", "CRDVAL-010"],
        &["crdval-009-immutable-fields"],
        true,
    ),
    fault(
        "keeps-list-kinds",
        "listKind of an established definition cannot be changed",
        wrong!(DefinitionRules {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                Upstream.check_unchanged(spec, before, established, found);
                if established && spec.names.list_kind != before.names.list_kind {
                    found.push(violation("spec.names.listKind".to_owned(), Reason::Invalid));
                }
            }
        }),
        &["CRDVAL-011", "CRDVAL-007"],
        &["crdval-011-mutable-names"],
        true,
    ),
    fault(
        "replaces-without-a-revision",
        "a PUT of a definition needs no resourceVersion",
        || behind(Unconditional),
        &["CRDVAL-022"],
        &["crdval-022-resource-version"],
        false,
    ),
    fault(
        "creates-what-has-a-revision",
        "a PUT of an unknown definition that names a resourceVersion creates it",
        || behind(Restoring),
        &["CRDVAL-022"],
        &["crdval-022-resource-version"],
        true,
    ),
    fault(
        "judges-names-once",
        "names are judged when a definition is created, not when it is updated",
        wrong!(DefinitionRules {
            fn definition_update_violations(&self, definition: &Value, old: &Value) -> Vec<Violation> {
                let mut found = Upstream.definition_update_violations(definition, old);
                found.retain(|violation| violation.requirement != "CRDVAL-005");
                found
            }
        }),
        &["CRDVAL-056"],
        &["crdval-056-updates-in-full"],
        true,
    ),
    fault(
        "preserves-unknown-fields-later",
        "preserveUnknownFields may become true on update",
        wrong!(DefinitionRules {
            fn definition_update_violations(&self, definition: &Value, old: &Value) -> Vec<Violation> {
                let mut found = Upstream.definition_update_violations(definition, old);
                found.retain(|violation| violation.field != "spec.preserveUnknownFields");
                found
            }
        }),
        &["CRDVAL-056", "CRDVAL-028"],
        &["crdval-056-updates-in-full"],
        true,
    ),
    fault(
        "takes-any-authorities",
        "the certificates of a webhook are not looked at when a definition is updated",
        wrong!(DefinitionRules {
            fn check_authorities(&self, _: &Spec, _: &Spec, _: bool, _: &mut Vec<Violation>) {}
        }),
        &["CRDVAL-048"],
        &["crdval-048-authorities"],
        false,
    ),
    fault(
        "takes-anything-for-certificates",
        "any text is a bundle of certificates, so that definitions with such are established",
        wrong!(DefinitionRules {
            fn is_certificate_bundle(&self, _: &str) -> bool {
                true
            }
        }),
        &["CRDVAL-048"],
        &["crdval-048-authorities", "crdval-048-not-established"],
        false,
    ),
    fault(
        "judges-authorities-from-the-start",
        "a new definition is refused for certificates that are none",
        wrong!(DefinitionRules {
            fn definition_violations(&self, definition: &Value) -> Vec<Violation> {
                let mut found = Upstream.definition_violations(definition);
                let bundle = definition.pointer("/spec/conversion/webhook/clientConfig/caBundle").and_then(Value::as_str);
                if bundle.is_some_and(|bundle| !bundle.is_empty() && !Upstream.is_certificate_bundle(bundle)) {
                    found.push(violation("spec.conversion.webhook.clientConfig.caBundle".to_owned(), Reason::Invalid));
                }
                found
            }
        }),
        &["CRDVAL-048"],
        &["crdval-048-not-established"],
        false,
    ),
    fault(
        "wants-sound-authorities-once-looked-at",
        "certificates that are none can only be replaced by sound ones, also before a definition is established",
        wrong!(DefinitionRules {
            fn check_authorities(&self, spec: &Spec, before: &Spec, _: bool, found: &mut Vec<Violation>) {
                let without = Spec { conversion: None, ..before.clone() };
                Upstream.check_authorities(spec, &without, true, found);
            }
        }),
        &["CRDVAL-048"],
        &["crdval-048-not-established"],
        true,
    ),
    fault(
        "fixes-kinds-from-the-start",
        "scope and kind of a definition can never be changed",
        wrong!(DefinitionRules {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, _: bool, found: &mut Vec<Violation>) {
                Upstream.check_unchanged(spec, before, true, found);
            }
        }),
        &["CRDVAL-009", "CRDVAL-010"],
        &["crdval-010-before-established"],
        true,
    ),
    fault(
        "frees-plurals-until-established",
        "before a definition is established all of its names can be changed",
        wrong!(DefinitionRules {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_unchanged(spec, before, established, found), |violation| {
                    !established && violation.field == "spec.names.plural"
                });
            }
        }),
        &["CRDVAL-009", "CRDVAL-010"],
        &["crdval-010-before-established"],
        true,
    ),
    fault(
        "asks-for-approvals-once",
        "the approval of a definition in a protected group is looked at when it is created, not when it is updated",
        wrong!(DefinitionRules {
            fn check_approval(&self, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) {
                if old.is_none() {
                    Upstream.check_approval(definition, old, found);
                }
            }
        }),
        &["CRDVAL-055"],
        &["crdval-055-approval-updates"],
        false,
    ),
    fault(
        "lets-approvals-go",
        "an update may take the approval of a protected group away",
        wrong!(DefinitionRules {
            fn check_approval(&self, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) {
                let is_update = old.is_some();
                but(found, |found| Upstream.check_approval(definition, old, found), |violation| {
                    is_update && violation.reason == Reason::Required
                });
            }
        }),
        &["CRDVAL-055"],
        &["crdval-055-approval-updates"],
        true,
    ),
    fault(
        "takes-other-blocks-for-certificates",
        "any text that holds a PEM block is a bundle of certificates",
        wrong!(DefinitionRules {
            fn is_certificate_bundle(&self, encoded: &str) -> bool {
                // `-----BEGIN`, as base64 has it at the beginning of a text.
                Upstream.is_certificate_bundle(encoded) || encoded.starts_with("LS0tLS1CRUdJT")
            }
        }),
        &["CRDVAL-048"],
        &["crdval-048-authorities"],
        true,
    ),
    fault(
        "judges-columns-once",
        "printer columns are judged when a definition is created, not when it is updated",
        wrong!(DefinitionRules {
            fn definition_update_violations(&self, definition: &Value, old: &Value) -> Vec<Violation> {
                let mut found = Upstream.definition_update_violations(definition, old);
                found.retain(|violation| violation.requirement != "CRDVAL-042");
                found
            }
        }),
        &["CRDVAL-056"],
        &["crdval-056-updates-in-full"],
        true,
    ),
];

/// Counts every update.
struct Counting;

impl Controllers for Counting {
    fn next_generation(&self, present: i64, _: bool) -> i64 {
        present + 1
    }
}

/// Shows the conditions that a new definition was sent with.
#[derive(Debug)]
struct KeepingStatus(InProcess);

impl Transport for KeepingStatus {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let sent: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let is_new = request.method() == Method::POST && is_about_definitions(&request);
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            let Some(conditions) = sent.pointer("/status/conditions").filter(|_| is_new && answer.status() == 201)
            else {
                return Ok(answer);
            };
            let (head, body) = answer.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            shown["status"]["conditions"] = conditions.clone();
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

/// Puts the present `resourceVersion` into a PUT that has none.
#[derive(Debug)]
struct Unconditional(InProcess);

impl Transport for Unconditional {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        if request.method() != Method::PUT || !is_about_definitions(&request) {
            return self.0.send(request);
        }
        Box::pin(async move {
            let mut read = HttpRequest::new(Bytes::new());
            *read.uri_mut() = request.uri().path().parse().unwrap_or_default();
            let current = self.0.send(read).await?;
            let current: Value = serde_json::from_slice(current.body()).unwrap_or_default();
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            if body.pointer("/metadata/resourceVersion").is_none() {
                body["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
            }
            *request.body_mut() = Bytes::from(body.to_string());
            self.0.send(request).await
        })
    }
}

/// Creates what a PUT with a `resourceVersion` does not find, as a tool that restores a backup would wish.
#[derive(Debug)]
struct Restoring(InProcess);

impl Transport for Restoring {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let names_a_revision = body["metadata"]["resourceVersion"].as_str().is_some_and(|text| !text.is_empty());
        if request.method() != Method::PUT || !is_about_definitions(&request) || !names_a_revision {
            return self.0.send(request);
        }
        Box::pin(async move {
            let collection = request.uri().path().rsplit_once('/').map(|(collection, _)| collection.to_owned());
            let answer = self.0.send(request).await?;
            if answer.status() != http::StatusCode::NOT_FOUND {
                return Ok(answer);
            }
            let metadata = body["metadata"].as_object_mut();
            metadata.and_then(|metadata| metadata.remove("resourceVersion"));
            let mut create = HttpRequest::new(Bytes::from(body.to_string()));
            *create.method_mut() = Method::POST;
            *create.uri_mut() = collection.unwrap_or_default().parse().unwrap_or_default();
            create.headers_mut().insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
            self.0.send(create).await
        })
    }
}
