//! Faults in subresources, columns, selectable fields and conversion: CRDVAL-025, CRDVAL-041..049.

use crdible_semantics::{Reason, Violation, definition::model::SelectableField, with};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    // Its counterexample has nine selectable fields, each of them a declared property; so have the others of 90 lines.
    obvious_fault(
        "reports-the-first-area-only",
        "of several invalid parts of a new definition only the first is reported",
    )
    .breaks(&["CRDVAL-025", "INV-095", "CRDVAL-014", "CRDVAL-013"], &["crdval-025-all-areas-at-once"])
    .within_lines(90)
    .semantics(with::definition_violations(|_, definition| {
        correct().definition_violations(definition).into_iter().take(1).collect()
    })),
    fault("checks-no-columns-after-an-invalid-conversion", "columns are not checked if the conversion is invalid")
        .breaks(&["CRDVAL-025"], &["crdval-025-all-areas-at-once"])
        .semantics(with::check_definition(|_, spec, status, found| {
            let mut all = Vec::new();
            correct().check_definition(spec, status, &mut all);
            let is_wrong = all.iter().any(|violation| violation.field.starts_with("spec.conversion"));
            found.extend(all.into_iter().filter(|violation| !(is_wrong && violation.requirement == "CRDVAL-042")));
        })),
    fault("accepts-any-scale-path-after-spec", "the path of a scale need only begin with .spec")
        .breaks(&["CRDVAL-041"], &["crdval-041-scale-paths"])
        .semantics(with::check_scale(|_, scale, field, found| {
            let all = reported(|all| correct().check_scale(scale, field, all));
            add_except(found, all, |violation| {
                violation.field.ends_with("specReplicasPath") && scale.spec_replicas_path.starts_with(".spec")
            });
        })),
    obvious_fault("accepts-columns-of-any-type", "the type of a printer column is not checked")
        .breaks(&["CRDVAL-042", "INV-095"], &["crdval-042-printer-columns", "inv-095-one-broken-rule"])
        .semantics(with::check_column(|_, column, field, found| {
            let all = reported(|all| correct().check_column(column, field, all));
            add_except(found, all, |violation| {
                violation.field.rsplit('.').next() == Some("type") && violation.reason == Reason::Invalid
            });
        })),
    fault("accepts-nine-selectable-fields", "nine selectable fields are accepted, where eight are the limit")
        .breaks(&["CRDVAL-043"], &["crdval-043-selectable-fields"])
        .within_lines(90)
        .semantics(with::check_selectable_fields(|_, wanted, schema, field, found| {
            let all = reported(|all| correct().check_selectable_fields(wanted, schema, field, all));
            add_except(found, all, |violation| violation.reason == Reason::TooMany && wanted.len() == 9);
        })),
    fault("counts-repeated-selectable-fields", "a repeated selectable field counts twice towards the limit")
        .breaks(&["CRDVAL-043"], &["crdval-043-selectable-fields"])
        .within_lines(90)
        .semantics(with::check_selectable_fields(|_, wanted, schema, field, found| {
            let all = reported(|all| correct().check_selectable_fields(wanted, schema, field, all));
            add_except(found, all, |violation| violation.reason == Reason::TooMany);
            if wanted.len() > 8 {
                found.push(violation(field.to_owned(), Reason::TooMany));
            }
        })),
    fault("accepts-names-as-selectable-fields", "metadata.name is accepted as a selectable field")
        .breaks(&["CRDVAL-043"], &["crdval-043-selectable-fields"])
        .within_lines(90)
        .semantics(with::check_selectable_fields(|_, wanted, schema, field, found| {
            let is_name = |field: &SelectableField| field.json_path == ".metadata.name";
            let others: Vec<SelectableField> = wanted.iter().filter(|field| !is_name(field)).cloned().collect();
            correct().check_selectable_fields(&others, schema, field, found);
        })),
    obvious_fault("accepts-a-missing-strategy", "a conversion without a strategy is accepted")
        .breaks(&["CRDVAL-044", "CRDVAL-008", "INV-095"], &["crdval-044-strategy"])
        .semantics(with::check_conversion(|_, spec, found| {
            let all = reported(|all| correct().check_conversion(spec, all));
            add_except(found, all, |violation| is_of(violation, "CRDVAL-044", Reason::Required));
        })),
    fault("accepts-url-and-service", "a webhook may have both a URL and a service")
        .breaks(&["CRDVAL-045"], &["crdval-045-webhook-block"])
        .semantics(with::check_webhook(|_, conversion, found| {
            let client = conversion.webhook.as_ref().and_then(|webhook| webhook.client_config.as_ref());
            let has_both = client.is_some_and(|client| client.url.is_some() && client.service.is_some());
            let all = reported(|all| correct().check_webhook(conversion, all));
            add_except(found, all, |violation| violation.requirement == "CRDVAL-045" && has_both);
        })),
    fault("converts-what-preserves-unknown-fields", "a webhook may convert though preserveUnknownFields is true")
        .breaks(&["CRDVAL-045", "CRDVAL-028"], &["crdval-026-schema-required"])
        .semantics(with::check_conversion(|_, spec, found| {
            let all = reported(|all| correct().check_conversion(spec, all));
            add_except(found, all, |violation| is_of(violation, "CRDVAL-045", Reason::Invalid));
        })),
    obvious_fault("accepts-urls-with-a-query", "the URL of a webhook may have a query")
        .breaks(&["CRDVAL-046"], &["crdval-045-webhook-block"])
        .semantics(with::check_webhook_url(|_, url, field, found| {
            let all = reported(|all| correct().check_webhook_url(url, field, all));
            add_except(found, all, |_| url.contains("?q"));
        })),
    fault("reports-one-rule-of-a-url", "only the first rule that the URL of a webhook breaks is reported")
        .breaks(&["CRDVAL-046"], &["crdval-045-webhook-block"])
        .semantics(with::check_webhook_url(|_, url, field, found| {
            found.extend(reported(|all| correct().check_webhook_url(url, field, all)).into_iter().take(1));
        })),
    fault("accepts-port-65536", "port 65536 of a webhook's service is accepted")
        .breaks(&["CRDVAL-047"], &["crdval-045-webhook-block"])
        .semantics(with::check_webhook_service(|_, service, field, found| {
            let all = reported(|all| correct().check_webhook_service(service, field, all));
            add_except(found, all, |_| service.port == Some(65_536));
        })),
    fault("accepts-repeated-review-versions", "a repeated review version is accepted")
        .breaks(&["CRDVAL-049"], &["crdval-045-webhook-block"])
        .semantics(with::check_webhook(|_, conversion, found| {
            let versions = conversion.webhook.as_ref().map_or(&[][..], |webhook| &webhook.conversion_review_versions);
            let is_repeated = |at: usize| versions[..at].contains(&versions[at]);
            let all = reported(|all| correct().check_webhook(conversion, all));
            add_except(found, all, |violation| {
                (0..versions.len()).any(|at| is_repeated(at) && violation.field.ends_with(&format!("[{at}]")))
            });
        })),
];

fn is_of(violation: &Violation, requirement: &str, reason: Reason) -> bool {
    violation.requirement == requirement && violation.reason == reason
}
