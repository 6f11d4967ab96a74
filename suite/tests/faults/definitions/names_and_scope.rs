//! Faults in name, group, scope and names of a definition: CRDVAL-001..007, CRDVAL-055.

use crdible_semantics::{Reason, definition::Names, with};
use serde_json::{Value, json};

use crate::{
    json::remove,
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("accepts-any-definition-name", "a definition may have any name")
        .breaks(&["CRDVAL-001"], &["crdval-001-object-name"])
        .semantics(with::check_definition_name(|_, _, _, _| {})),
    fault("ignores-generate-name-of-definitions", "the generateName of a definition is not checked")
        .breaks(&["CRDVAL-001"], &["crdval-001-object-name"])
        .semantics(with::check_definition_name(|_, definition, spec, found| {
            let all = reported(|all| correct().check_definition_name(definition, spec, all));
            add_except(found, all, |violation| violation.field.contains("generateName"));
        })),
    fault("accepts-groups-without-a-dot", "a group without a dot is accepted")
        .breaks(&["CRDVAL-002", "INV-095"], &["crdval-002-group"])
        .semantics(with::check_group(|_, group, found| {
            let all = reported(|all| correct().check_group(group, all));
            add_except(found, all, |_| group == group.to_lowercase() && !group.is_empty() && !group.contains('.'));
        })),
    fault("accepts-lower-case-scopes", "a scope in lower case is accepted")
        .breaks(&["CRDVAL-003"], &["crdval-003-scope"])
        .semantics(with::check_scope(|_, scope, found| {
            let all = reported(|all| correct().check_scope(scope, all));
            add_except(found, all, |_| ["cluster", "namespaced"].contains(&scope));
        })),
    fault("accepts-a-missing-list-kind", "a missing listKind is accepted")
        .breaks(&["CRDVAL-004"], &["crdval-004-required-names"])
        .semantics(with::check_names(|_, names, found| {
            let all = reported(|all| correct().check_names(names, all));
            add_except(found, all, |violation| {
                violation.field.ends_with("listKind") && violation.reason == Reason::Required
            });
        })),
    fault("checks-the-first-short-name-only", "only the first short name is checked")
        .breaks(&["CRDVAL-005", "INV-095"], &["crdval-005-name-syntax"])
        .semantics(with::check_names(|_, names, found| {
            let first = Names { short_names: names.short_names.iter().take(1).cloned().collect(), ..names.clone() };
            correct().check_names(&first, found);
        })),
    fault("rejects-repeated-short-names", "a repeated short name is rejected")
        .breaks(&["CRDVAL-005", "CRDVAL-006", "CRDVAL-001"], &["crdval-005-name-syntax"])
        .semantics(with::check_names(|_, names, found| {
            correct().check_names(names, found);
            for (index, name) in names.short_names.iter().enumerate() {
                if names.short_names[..index].contains(name) {
                    found.push(violation(format!("spec.names.shortNames[{index}]"), Reason::Duplicate));
                }
            }
        })),
    obvious_fault("accepts-kind-as-list-kind", "kind and listKind may be equal")
        .breaks(&["CRDVAL-006", "INV-095"], &["crdval-005-name-syntax", "inv-095-one-broken-rule"])
        .semantics(with::check_names(|_, names, found| {
            let all = reported(|all| correct().check_names(names, all));
            add_except(found, all, |violation| violation.requirement == "CRDVAL-006");
        })),
    obvious_fault("defaults-singular-to-kind", "singular defaults to kind without lower-casing it")
        .breaks(&["CRDVAL-007", "CRDVAL-008", "INV-095"], &["crdval-007-stated-defaults", "inv-095-one-broken-rule"])
        .definition_answers(|_, answer| {
            let Some(names) = answer.body.pointer_mut("/spec/names") else { return };
            let kind = names["kind"].as_str().unwrap_or_default().to_owned();
            if names["singular"] == json!(kind.to_lowercase()) {
                names["singular"] = json!(kind);
            }
        }),
    fault("gives-services-no-port", "the port of a webhook's service that is left out stays so")
        .breaks(&["CRDVAL-007", "CRDVAL-008", "INV-095"], &["crdval-007-stated-defaults", "inv-095-one-broken-rule"])
        .definition_answers(|_, answer| {
            let port = "/spec/conversion/webhook/clientConfig/service/port";
            if answer.body.pointer(port) == Some(&json!(443)) {
                remove(&mut answer.body, port);
            }
        }),
    fault("drops-nulls-of-enums", "a null among the values of an enum is dropped")
        .breaks(&["CRDVAL-007", "CRDVAL-008", "INV-095"], &["inv-095-one-broken-rule"])
        .definition_answers(|_, answer| without_nulls(&mut answer.body, "enum")),
    fault("drops-nulls-in-examples", "a null within an example is dropped")
        .breaks(&["CRDVAL-007", "CRDVAL-008", "INV-095"], &["inv-095-one-broken-rule"])
        .definition_answers(|_, answer| without_nulls(&mut answer.body, "example")),
    fault("protects-subdomains-only", "the groups k8s.io and kubernetes.io themselves need no approval")
        .breaks(&["CRDVAL-055"], &["crdval-055-protected-groups"])
        .semantics(with::is_protected_group(|_, group| {
            correct().is_protected_group(group) && group.matches('.').count() > 1
        })),
];

/// Drops the nulls in the values of a keyword, wherever it is.
fn without_nulls(within: &mut Value, keyword: &str) {
    match within {
        Value::Object(fields) => {
            if let Some(Value::Array(elements)) = fields.get_mut(keyword) {
                elements.retain(|element| !element.is_null());
            }
            if let Some(Value::Object(inner)) = fields.get_mut(keyword) {
                inner.retain(|_, value| !value.is_null());
            }
            fields.values_mut().for_each(|value| without_nulls(value, keyword));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| without_nulls(element, keyword)),
        _ => {}
    }
}
