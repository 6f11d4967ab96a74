//! Faults in subresources, columns, selectable fields and conversion: CRDVAL-025, CRDVAL-041..049.

use crdible_semantics::{
    Reason, Schema, Upstream, Violation,
    definition::{
        Spec, Status,
        model::{Column, Conversion, Scale, SelectableField, Service},
    },
};
use serde_json::Value;

use super::{fault, violation};
use crate::{structural::but, table::Fault};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        // A ninth selectable field is wrong, and each of them is a property.
        largest: 90,
        ..fault(
            "tells-the-first-area-only",
            "of what is wrong with a new definition only the first cause is told",
            wrong!(DefinitionRules {
                fn definition_violations(&self, definition: &Value) -> Vec<Violation> {
                    Upstream.definition_violations(definition).into_iter().take(1).collect()
                }
            }),
            &["CRDVAL-025", "INV-095", "CRDVAL-014", "CRDVAL-013"],
            &["crdval-025-all-areas-at-once"],
            false,
        )
    },
    fault(
        "judges-no-columns-beside-a-wrong-conversion",
        "columns are not judged where the conversion is wrong",
        wrong!(DefinitionRules {
            fn check_definition(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Upstream.check_definition(spec, status, &mut all);
                let is_wrong = all.iter().any(|violation| violation.field.starts_with("spec.conversion"));
                found.extend(all.into_iter().filter(|violation| !(is_wrong && violation.requirement == "CRDVAL-042")));
            }
        }),
        &["CRDVAL-025"],
        &["crdval-025-all-areas-at-once"],
        true,
    ),
    fault(
        "takes-paths-of-longer-words",
        "the path of a scale need only begin with .spec",
        wrong!(DefinitionRules {
            fn check_scale(&self, scale: &Scale, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_scale(scale, field, found), |violation| {
                    violation.field.ends_with("specReplicasPath") && scale.spec_replicas_path.starts_with(".spec")
                });
            }
        }),
        &["CRDVAL-041"],
        &["crdval-041-scale-paths"],
        true,
    ),
    fault(
        "takes-columns-of-any-type",
        "the type of a printer column is not looked at",
        wrong!(DefinitionRules {
            fn check_column(&self, column: &Column, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_column(column, field, found), |violation| violation.field.rsplit('.').next() == Some("type") && violation.reason == Reason::Invalid);
            }
        }),
        &["CRDVAL-042", "INV-095"],
        &["crdval-042-printer-columns", "inv-095-one-broken-rule"],
        false,
    ),
    Fault {
        // All that may be selected is declared.
        largest: 90,
        ..fault(
            "takes-nine-selectable-fields",
            "one selectable field more than eight is accepted",
            wrong!(DefinitionRules {
                fn check_selectable_fields(&self, wanted: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) {
                    but(found, |found| Upstream.check_selectable_fields(wanted, schema, field, found), |violation| violation.reason == Reason::TooMany && wanted.len() == 9);
                }
            }),
            &["CRDVAL-043"],
            &["crdval-043-selectable-fields"],
            true,
        )
    },
    Fault {
        // All that may be selected is declared.
        largest: 90,
        ..fault(
            "counts-repeated-selectable-fields",
            "a selectable field that is there twice counts twice towards the limit",
            wrong!(DefinitionRules {
                fn check_selectable_fields(&self, wanted: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) {
                    but(found, |found| Upstream.check_selectable_fields(wanted, schema, field, found), |violation| violation.reason == Reason::TooMany);
                    if wanted.len() > 8 {
                        found.push(violation(field.to_owned(), Reason::TooMany));
                    }
                }
            }),
            &["CRDVAL-043"],
            &["crdval-043-selectable-fields"],
            true,
        )
    },
    Fault {
        // All that may be selected is declared.
        largest: 90,
        ..fault(
            "selects-names",
            "a selectable field may be the name of the object",
            wrong!(DefinitionRules {
                fn check_selectable_fields(&self, wanted: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) {
                    let is_name = |field: &SelectableField| field.json_path == ".metadata.name";
                    let others: Vec<SelectableField> = wanted.iter().filter(|field| !is_name(field)).cloned().collect();
                    Upstream.check_selectable_fields(&others, schema, field, found);
                }
            }),
            &["CRDVAL-043"],
            &["crdval-043-selectable-fields"],
            true,
        )
    },
    fault(
        "defaults-empty-strategies",
        "a conversion without a strategy is None",
        wrong!(DefinitionRules {
            fn check_conversion(&self, spec: &Spec, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_conversion(spec, found), |violation| is_of(violation, "CRDVAL-044", Reason::Required));
            }
        }),
        &["CRDVAL-044", "CRDVAL-008", "INV-095"],
        &["crdval-044-strategy"],
        false,
    ),
    fault(
        "takes-ports-one-too-large",
        "the port 65536 of a webhook's service is accepted",
        wrong!(DefinitionRules {
            fn check_webhook_service(&self, service: &Service, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_webhook_service(service, field, found), |_| service.port == Some(65_536));
            }
        }),
        &["CRDVAL-047"],
        &["crdval-045-webhook-block"],
        true,
    ),
    fault(
        "takes-review-versions-twice",
        "a review version may stand there twice",
        wrong!(DefinitionRules {
            fn check_webhook(&self, conversion: &Conversion, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_webhook(conversion, found), |violation| violation.detail.contains("is there before"));
            }
        }),
        &["CRDVAL-049"],
        &["crdval-045-webhook-block"],
        true,
    ),
];

fn is_of(violation: &Violation, requirement: &str, reason: Reason) -> bool {
    violation.requirement == requirement && violation.reason == reason
}
