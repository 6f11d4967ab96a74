//! Faults in updates of definitions and in their status: CRDVAL-009..011, CRDVAL-018..022, CRDVAL-056.

use crdible::connection::{HttpRequest, ResponseFuture};
use crdible_reference::Controllers;
use crdible_semantics::{Reason, definition::Spec, with};
use http::Method;
use serde_json::Value;

use crate::{
    json::{remove, text},
    layer::Layered,
    sent::{body_of, create_instead, is_about_definitions, with_body},
    server::{controlled, correct},
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("keeps-the-status-of-the-client", "a new definition has the conditions that the client sent")
        .breaks(&["CRDVAL-018"], &["crdval-018-client-status"])
        .within_lines(45)
        .definition_answers(|asked, answer| {
            let conditions = asked.body.pointer("/status/conditions");
            if let (true, Some(conditions)) = (asked.method == Method::POST && answer.head.status == 201, conditions) {
                answer.body["status"]["conditions"] = conditions.clone();
            }
        }),
    fault("bumps-generation-for-metadata", "generation grows with every update, even when the spec is unchanged")
        .breaks(&["CRDVAL-021", "CRDVAL-020", "CRDVAL-060"], &["crdval-021-generation", "crdval-022-resource-version"])
        .server(|| controlled(CountsEveryUpdate)),
    obvious_fault("accepts-changed-scopes", "the scope of an established definition can be changed")
        .breaks(&["CRDVAL-009", "CRDVAL-010"], &["crdval-009-immutable-fields"])
        .semantics(with::check_unchanged(|_, spec, before, established, found| {
            let all = reported(|all| correct().check_unchanged(spec, before, established, all));
            add_except(found, all, |violation| violation.field == "spec.scope");
        })),
    fault("reports-the-first-immutable-field-only", "of several changed immutable fields only the first is reported")
        .breaks(&["CRDVAL-009", "CRDVAL-010"], &["crdval-009-immutable-fields"])
        .semantics(with::check_unchanged(|_, spec, before, established, found| {
            let mut all = Vec::new();
            correct().check_unchanged(spec, before, established, &mut all);
            found.extend(all.into_iter().take(1));
        })),
    fault("rejects-changed-list-kinds", "the listKind of an established definition cannot be changed")
        .breaks(&["CRDVAL-011", "CRDVAL-007"], &["crdval-011-mutable-names"])
        .semantics(with::check_unchanged(|_, spec, before, established, found| {
            correct().check_unchanged(spec, before, established, found);
            if established && spec.names.list_kind != before.names.list_kind {
                found.push(violation("spec.names.listKind".to_owned(), Reason::Invalid));
            }
        })),
    obvious_fault("replaces-without-a-revision", "a PUT of a definition needs no resourceVersion")
        .breaks(&["CRDVAL-022"], &["crdval-022-resource-version"])
        .around_everything(add_revisions),
    fault("creates-on-put-with-a-revision", "a PUT with a resourceVersion creates a definition that does not exist")
        .breaks(&["CRDVAL-022"], &["crdval-022-resource-version"])
        .around_everything(create_on_put),
    fault("checks-names-on-create-only", "the names of a definition are checked on create, not on update")
        .breaks(&["CRDVAL-056"], &["crdval-056-updates-in-full"])
        .semantics(with::definition_update_violations(|_, definition, old| {
            let mut found = correct().definition_update_violations(definition, old);
            found.retain(|violation| violation.requirement != "CRDVAL-005");
            found
        })),
    fault("accepts-preserve-unknown-fields-on-update", "an update may set preserveUnknownFields to true")
        .breaks(&["CRDVAL-056", "CRDVAL-028"], &["crdval-056-updates-in-full"])
        .semantics(with::definition_update_violations(|_, definition, old| {
            let mut found = correct().definition_update_violations(definition, old);
            found.retain(|violation| violation.field != "spec.preserveUnknownFields");
            found
        })),
    fault("refuses-a-nullable-spec", "an update must not make spec nullable")
        // A schema that cannot be installed is blamed on LIFE-002.
        .breaks(&["STRUCT-034", "INV-094", "LIFE-002"], &["struct-034-closure"])
        .blamed(&["STRUCT-034", "INV-094"])
        .within_lines(60)
        .semantics(with::definition_update_violations(|_, definition, old| {
            let mut found = correct().definition_update_violations(definition, old);
            let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/nullable";
            let [now, before] =
                [definition, old].map(|definition| definition.pointer(spec) == Some(&Value::Bool(true)));
            if now && !before {
                found.push(violation("spec.versions".to_owned(), Reason::Forbidden));
            }
            found
        })),
    obvious_fault("checks-no-ca-bundles-on-update", "the caBundle of a webhook is not checked on update")
        .breaks(&["CRDVAL-048"], &["crdval-048-authorities"])
        .semantics(with::check_authorities(|_, _, _, _, _| {})),
    obvious_fault("accepts-any-text-as-ca-bundle", "a definition with an invalid caBundle is accepted and established")
        .breaks(&["CRDVAL-048"], &["crdval-048-authorities", "crdval-048-not-established"])
        .semantics(with::is_certificate_bundle(|_, _| true)),
    obvious_fault("checks-ca-bundles-on-create", "a new definition with an invalid caBundle is rejected")
        .breaks(&["CRDVAL-048"], &["crdval-048-not-established"])
        .semantics(with::definition_violations(|_, definition| {
            let mut found = correct().definition_violations(definition);
            let bundle = definition.pointer("/spec/conversion/webhook/clientConfig/caBundle").and_then(Value::as_str);
            if bundle.is_some_and(|bundle| !bundle.is_empty() && !correct().is_certificate_bundle(bundle)) {
                found.push(violation("spec.conversion.webhook.clientConfig.caBundle".to_owned(), Reason::Invalid));
            }
            found
        })),
    fault("checks-ca-bundles-before-established", "an invalid caBundle cannot be replaced by another invalid one")
        .breaks(&["CRDVAL-048"], &["crdval-048-not-established"])
        .semantics(with::check_authorities(|_, spec, before, _, found| {
            let without = Spec { conversion: None, ..before.clone() };
            correct().check_authorities(spec, &without, true, found);
        })),
    fault("fixes-scope-and-kind-from-the-start", "scope and kind are immutable before a definition is established")
        .breaks(&["CRDVAL-009", "CRDVAL-010"], &["crdval-010-before-established"])
        .semantics(with::check_unchanged(|_, spec, before, _, found| {
            correct().check_unchanged(spec, before, true, found)
        })),
    fault("accepts-changed-plurals", "the plural can be changed before a definition is established")
        .breaks(&["CRDVAL-009", "CRDVAL-010"], &["crdval-010-before-established"])
        .semantics(with::check_unchanged(|_, spec, before, established, found| {
            let all = reported(|all| correct().check_unchanged(spec, before, established, all));
            add_except(found, all, |violation| !established && violation.field == "spec.names.plural");
        })),
    obvious_fault(
        "checks-approvals-on-create-only",
        "the approval of a protected group is checked on create, not on update",
    )
    .breaks(&["CRDVAL-055"], &["crdval-055-approval-updates"])
    .semantics(with::check_approval(|_, definition, old, found| {
        if old.is_none() {
            correct().check_approval(definition, old, found);
        }
    })),
    fault("accepts-removed-approvals", "an update may remove the approval of a protected group")
        .breaks(&["CRDVAL-055"], &["crdval-055-approval-updates"])
        .semantics(with::check_approval(|_, definition, old, found| {
            let is_update = old.is_some();
            let all = reported(|all| correct().check_approval(definition, old, all));
            add_except(found, all, |violation| is_update && violation.reason == Reason::Required);
        })),
    fault("accepts-any-pem-block-as-ca-bundle", "any text with a PEM block is a valid caBundle")
        .breaks(&["CRDVAL-048"], &["crdval-048-authorities"])
        .semantics(with::is_certificate_bundle(|_, encoded| {
            // `-----BEGIN` in base64.
            correct().is_certificate_bundle(encoded) || encoded.starts_with("LS0tLS1CRUdJT")
        })),
    fault("checks-columns-on-create-only", "printer columns are checked on create, not on update")
        .breaks(&["CRDVAL-056"], &["crdval-056-updates-in-full"])
        .semantics(with::definition_update_violations(|_, definition, old| {
            let mut found = correct().definition_update_violations(definition, old);
            found.retain(|violation| violation.requirement != "CRDVAL-042");
            found
        })),
];

struct CountsEveryUpdate;

impl Controllers for CountsEveryUpdate {
    fn next_generation(&self, present: i64, _: bool) -> i64 {
        present + 1
    }
}

/// Adds the current `resourceVersion` to a PUT of a definition that has none.
fn add_revisions(server: &Layered, mut request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        if *request.method() == Method::PUT && is_about_definitions(&request) {
            let current = server.object(&request).await?;
            with_body(&mut request, |body| {
                if body.pointer("/metadata/resourceVersion").is_none() {
                    body["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
                }
            });
        }
        server.pass(request).await
    })
}

/// Creates the definition of a PUT with a `resourceVersion` that is answered with 404.
fn create_on_put(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let mut body = body_of(&request);
        let names_a_revision = !text(&body, "/metadata/resourceVersion").is_empty();
        let is_meant = *request.method() == Method::PUT && is_about_definitions(&request) && names_a_revision;
        let answered = server.pass(request.clone()).await?;
        if !is_meant || answered.status() != http::StatusCode::NOT_FOUND {
            return Ok(answered);
        }
        remove(&mut body, "/metadata/resourceVersion");
        server.pass(create_instead(&request, &body)).await
    })
}
