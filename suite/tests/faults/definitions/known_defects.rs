//! Faults in the rules of definitions that kube-apiserver has itself: the properties of its known defects find them.

use crdible::connection::{HttpRequest, ResponseFuture};
use crdible_semantics::{Reason, definition::model::Service, with};
use http::Method;

use crate::{
    json::text,
    layer::Layered,
    sent::{body_of, is_about_definitions},
    server::{correct, error},
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault(
        "fails-on-non-numeric-revisions",
        "a PUT with a resourceVersion that is no number is answered with 500",
    )
    .breaks(&["CRDVAL-022"], &["crdval-022-defect-revision"])
    .around_everything(fail_on_revisions),
    fault("knows-no-scripts-of-two-words", "a pattern with the script Old_Italic is rejected")
        .breaks(&["CRDVAL-034"], &["crdval-034-defect-scripts"])
        .semantics(with::rule_pattern(|_, node, found| {
            correct().rule_pattern(node, found);
            if node.schema.values.pattern.as_str().contains("Old_Italic") {
                found.push(violation("openAPIV3Schema.properties[p].pattern".to_owned(), Reason::Invalid));
            }
        })),
    fault("checks-shared-fields-at-the-top", "selectable fields that all versions share need a shared schema")
        .breaks(&["CRDVAL-043", "INV-095"], &["crdval-043-defect-shared-parts"])
        .within_lines(45)
        .semantics(with::check_definition(|_, spec, status, found| {
            correct().check_definition(spec, status, found);
            let [first, others @ ..] = spec.versions.as_slice() else { return };
            let share_fields = others.iter().all(|version| version.selectable_fields == first.selectable_fields);
            let share_schema = others.iter().all(|version| version.schema == first.schema);
            if share_fields && !share_schema && !first.selectable_fields.is_empty() {
                found.push(violation("spec.selectableFields".to_owned(), Reason::Invalid));
            }
        })),
    fault("swaps-the-names-of-services", "a missing name of a webhook's service is reported at its namespace")
        .breaks(&["CRDVAL-047"], &["crdval-047-defect-swapped"])
        .semantics(with::check_webhook_service(|_, service, field, found| {
            let swapped =
                Service { name: service.namespace.clone(), namespace: service.name.clone(), ..service.clone() };
            correct().check_webhook_service(&swapped, field, found);
        })),
    fault("accepts-defaults-with-duplicates", "a default of a set may have duplicate elements")
        .breaks(&["CRDVAL-053"], &["crdval-053-defect-unchecked"])
        .semantics(with::default_value_violations(|_, at, default, path, found| {
            let all = reported(|all| correct().default_value_violations(at, default, path, all));
            add_except(found, all, |violation| violation.reason == Reason::Duplicate);
        })),
];

/// Answers 500 to a PUT of a definition whose `resourceVersion` is no number.
fn fail_on_revisions(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let body = body_of(&request);
        let revision = text(&body, "/metadata/resourceVersion");
        let is_put = *request.method() == Method::PUT && is_about_definitions(&request);
        if is_put && !revision.is_empty() && revision.parse::<u64>().is_err() {
            return Ok(error(500, "InternalError"));
        }
        server.pass(request).await
    })
}
