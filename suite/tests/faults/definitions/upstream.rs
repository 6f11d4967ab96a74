//! Faults in the rules of definitions that kube-apiserver has: the properties of its defects find them.

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use crdible_semantics::{
    FieldPath, Reason, Upstream, Violation,
    definition::{Spec, Status, model::Service},
    structural::{DefaultNode, Node},
};
use http::Method;
use serde_json::Value;

use super::{fault, violation};
use crate::{
    servers::{behind, is_about_definitions},
    structural::but,
    table::Fault,
};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "breaks-at-revisions-that-are-no-number",
        "a PUT of a definition with a resourceVersion of letters ends in 500",
        || behind(Breaking),
        &["CRDVAL-022"],
        &["crdval-022-defect-revision"],
        false,
    ),
    fault(
        "knows-no-scripts-of-two-words",
        "a pattern that names the script Old_Italic does not compile",
        wrong!(SchemaRules {
            fn rule_pattern(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Upstream.rule_pattern(node, found);
                if node.schema.values.pattern.as_str().contains("Old_Italic") {
                    found.push(violation("openAPIV3Schema.properties[p].pattern".to_owned(), Reason::Invalid));
                }
            }
        }),
        &["CRDVAL-034"],
        &["crdval-034-defect-scripts"],
        true,
    ),
    fault(
        "moves-shared-fields-alone",
        "selectable fields that all versions share are judged by the schema that all share",
        wrong!(DefinitionRules {
            fn check_definition(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
                Upstream.check_definition(spec, status, found);
                let [first, others @ ..] = spec.versions.as_slice() else { return };
                let share_fields = others.iter().all(|version| version.selectable_fields == first.selectable_fields);
                let share_schema = others.iter().all(|version| version.schema == first.schema);
                if share_fields && !share_schema && !first.selectable_fields.is_empty() {
                    found.push(violation("spec.selectableFields".to_owned(), Reason::Invalid));
                }
            }
        }),
        &["CRDVAL-043", "INV-095"],
        &["crdval-043-defect-shared-parts"],
        true,
    ),
    fault(
        "swaps-the-names-of-services",
        "a missing name of a webhook's service is told at its namespace, and the other way round",
        wrong!(DefinitionRules {
            fn check_webhook_service(&self, service: &Service, field: &str, found: &mut Vec<Violation>) {
                let swapped = Service {
                    name: service.namespace.clone(),
                    namespace: service.name.clone(),
                    ..service.clone()
                };
                Upstream.check_webhook_service(&swapped, field, found);
            }
        }),
        &["CRDVAL-047"],
        &["crdval-047-defect-swapped"],
        true,
    ),
    fault(
        "takes-defaults-with-repeats",
        "a default of a set may hold an element twice",
        wrong!(SchemaRules {
            fn default_value_violations(&self, at: &DefaultNode<'_>, default: &Value, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.default_value_violations(at, default, path, found), |violation| violation.reason == Reason::Duplicate);
            }
        }),
        &["CRDVAL-053"],
        &["crdval-053-defect-unchecked"],
        true,
    ),
];

/// Answers 500 to a PUT of a definition whose `resourceVersion` is no number.
#[derive(Debug)]
struct Breaking(InProcess);

impl Transport for Breaking {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if request.method() != Method::PUT || !is_about_definitions(&request) {
            return self.0.send(request);
        }
        Box::pin(async move {
            let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let revision = body.pointer("/metadata/resourceVersion").and_then(Value::as_str).unwrap_or_default();
            if !revision.is_empty() && revision.parse::<u64>().is_err() {
                return Ok(http::Response::builder().status(500).body(Bytes::from_static(b"{}")).unwrap_or_default());
            }
            self.0.send(request).await
        })
    }
}
