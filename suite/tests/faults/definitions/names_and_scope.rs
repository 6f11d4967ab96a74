//! Faults in name, group, scope and names of a definition: CRDVAL-001..007, CRDVAL-055.

use crdible_semantics::{Reason, definition::Names, with};
use serde_json::json;

use crate::{
    server::{Answer, Asked, correct},
    table::{Fault, fault},
    violations::{report_except, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("accepts-any-definition-name", "a definition may have any name")
        .breaks(&["CRDVAL-001"])
        .caught_by(&["crdval-001-object-name"])
        .obvious()
        .semantics(with::check_definition_name(|_, _, _, _| {})),
    fault("ignores-generate-name-of-definitions", "the generateName of a definition is not checked")
        .breaks(&["CRDVAL-001"])
        .caught_by(&["crdval-001-object-name"])
        .semantics(with::check_definition_name(|_, definition, spec, found| {
            report_except(
                found,
                |found| correct().check_definition_name(definition, spec, found),
                |violation| violation.field.contains("generateName"),
            );
        })),
    fault("accepts-groups-without-a-dot", "a group without a dot is accepted")
        .breaks(&["CRDVAL-002", "INV-095"])
        .caught_by(&["crdval-002-group"])
        .semantics(with::check_group(|_, group, found| {
            report_except(
                found,
                |found| correct().check_group(group, found),
                |_| group == group.to_lowercase() && !group.is_empty() && !group.contains('.'),
            );
        })),
    fault("accepts-lower-case-scopes", "a scope in lower case is accepted")
        .breaks(&["CRDVAL-003"])
        .caught_by(&["crdval-003-scope"])
        .semantics(with::check_scope(|_, scope, found| {
            report_except(
                found,
                |found| correct().check_scope(scope, found),
                |_| ["cluster", "namespaced"].contains(&scope),
            )
        })),
    fault("accepts-a-missing-list-kind", "a missing listKind is accepted")
        .breaks(&["CRDVAL-004"])
        .caught_by(&["crdval-004-required-names"])
        .semantics(with::check_names(|_, names, found| {
            report_except(
                found,
                |found| correct().check_names(names, found),
                |violation| violation.field.ends_with("listKind") && violation.reason == Reason::Required,
            );
        })),
    fault("checks-the-first-short-name-only", "only the first short name is checked")
        .breaks(&["CRDVAL-005", "INV-095"])
        .caught_by(&["crdval-005-name-syntax"])
        .semantics(with::check_names(|_, names, found| {
            let first = Names { short_names: names.short_names.iter().take(1).cloned().collect(), ..names.clone() };
            correct().check_names(&first, found);
        })),
    fault("rejects-repeated-short-names", "a repeated short name is rejected")
        .breaks(&["CRDVAL-005", "CRDVAL-006", "CRDVAL-001"])
        .caught_by(&["crdval-005-name-syntax"])
        .semantics(with::check_names(|_, names, found| {
            correct().check_names(names, found);
            for (index, name) in names.short_names.iter().enumerate() {
                if names.short_names[..index].contains(name) {
                    found.push(violation(format!("spec.names.shortNames[{index}]"), Reason::Duplicate));
                }
            }
        })),
    fault("accepts-kind-as-list-kind", "kind and listKind may be equal")
        .breaks(&["CRDVAL-006", "INV-095"])
        .caught_by(&["crdval-005-name-syntax", "inv-095-one-broken-rule"])
        .obvious()
        .semantics(with::check_names(|_, names, found| {
            report_except(
                found,
                |found| correct().check_names(names, found),
                |violation| violation.requirement == "CRDVAL-006",
            )
        })),
    fault("defaults-singular-to-kind", "singular defaults to kind without lower-casing it")
        .breaks(&["CRDVAL-007", "CRDVAL-008", "INV-095"])
        .caught_by(&["crdval-007-stated-defaults", "inv-095-one-broken-rule"])
        .obvious()
        .definition_answers(show_kind_as_singular),
    fault("protects-subdomains-only", "the groups k8s.io and kubernetes.io themselves need no approval")
        .breaks(&["CRDVAL-055"])
        .caught_by(&["crdval-055-protected-groups"])
        .semantics(with::is_protected_group(|_, group| {
            correct().is_protected_group(group) && group.matches('.').count() > 1
        })),
];

fn show_kind_as_singular(_: &Asked, answer: &mut Answer) {
    let Some(names) = answer.body.pointer_mut("/spec/names") else { return };
    let kind = names["kind"].as_str().unwrap_or_default().to_owned();
    if names["singular"] == json!(kind.to_lowercase()) {
        names["singular"] = json!(kind);
    }
}
