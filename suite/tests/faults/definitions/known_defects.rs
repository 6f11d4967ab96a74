//! Faults in the rules of definitions that kube-apiserver has itself: the properties of its known defects find them.

use std::sync::Arc;

use crdible::{
    connection::{HttpRequest, InProcess, ResponseFuture, Transport},
    webhook::Registry,
};
use crdible_semantics::{
    FieldPath, Reason, Violation,
    definition::{Spec, Status, model::Service},
    structural::{DefaultNode, Node},
};
use http::Method;
use serde_json::Value;

use crate::{
    server::{Correct, behind, error, is_about_definitions},
    table::{Fault, fault},
    violations::{report_except, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("fails-on-non-numeric-revisions", "a PUT with a resourceVersion that is no number is answered with 500")
        .breaks(&["CRDVAL-022"])
        .caught_by(&["crdval-022-defect-revision"])
        .obvious()
        .server(|| behind(FailsOnRevisions)),
    fault("knows-no-scripts-of-two-words", "a pattern with the script Old_Italic is rejected")
        .breaks(&["CRDVAL-034"])
        .caught_by(&["crdval-034-defect-scripts"])
        .server(wrong!(SchemaRules {
            fn rule_pattern(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Correct.rule_pattern(node, found);
                if node.schema.values.pattern.as_str().contains("Old_Italic") {
                    found.push(violation("openAPIV3Schema.properties[p].pattern".to_owned(), Reason::Invalid));
                }
            }
        })),
    fault("checks-shared-fields-at-the-top", "selectable fields that all versions share need a shared schema")
        .breaks(&["CRDVAL-043", "INV-095"])
        .caught_by(&["crdval-043-defect-shared-parts"])
        .within_lines(45)
        .server(wrong!(DefinitionRules {
            fn check_definition(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
                Correct.check_definition(spec, status, found);
                let [first, others @ ..] = spec.versions.as_slice() else { return };
                let share_fields = others.iter().all(|version| version.selectable_fields == first.selectable_fields);
                let share_schema = others.iter().all(|version| version.schema == first.schema);
                if share_fields && !share_schema && !first.selectable_fields.is_empty() {
                    found.push(violation("spec.selectableFields".to_owned(), Reason::Invalid));
                }
            }
        })),
    fault("swaps-the-names-of-services", "a missing name of a webhook's service is reported at its namespace")
        .breaks(&["CRDVAL-047"])
        .caught_by(&["crdval-047-defect-swapped"])
        .server(wrong!(DefinitionRules {
            fn check_webhook_service(&self, service: &Service, field: &str, found: &mut Vec<Violation>) {
                let swapped = Service { name: service.namespace.clone(), namespace: service.name.clone(), ..service.clone() };
                Correct.check_webhook_service(&swapped, field, found);
            }
        })),
    fault("accepts-defaults-with-duplicates", "a default of a set may have duplicate elements")
        .breaks(&["CRDVAL-053"])
        .caught_by(&["crdval-053-defect-unchecked"])
        .server(wrong!(SchemaRules {
            fn default_value_violations(&self, at: &DefaultNode<'_>, default: &Value, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                report_except(
                    found,
                    |found| Correct.default_value_violations(at, default, path, found),
                    |violation| violation.reason == Reason::Duplicate,
                );
            }
        })),
];

/// Answers 500 to a PUT of a definition whose `resourceVersion` is no number.
#[derive(Debug)]
struct FailsOnRevisions(InProcess);

impl Transport for FailsOnRevisions {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if request.method() != Method::PUT || !is_about_definitions(&request) {
            return self.0.send(request);
        }
        Box::pin(async move {
            let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let revision = body.pointer("/metadata/resourceVersion").and_then(Value::as_str).unwrap_or_default();
            if !revision.is_empty() && revision.parse::<u64>().is_err() {
                return Ok(error(500, "InternalError"));
            }
            self.0.send(request).await
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}
