//! Faults in name, group, scope and names of a definition: CRDVAL-001..007, CRDVAL-055.

use crdible_semantics::{
    Reason, Upstream, Violation,
    definition::{Names, Spec},
};
use serde_json::{Value, json};

use super::{Answering, fault, violation};
use crate::{servers::behind, structural::but, table::Fault};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "takes-any-name",
        "a definition may be called anything",
        wrong!(DefinitionRules {
            fn check_definition_name(&self, _: &Value, _: &Spec, _: &mut Vec<Violation>) {}
        }),
        &["CRDVAL-001"],
        &["crdval-001-object-name"],
        false,
    ),
    fault(
        "overlooks-generated-names",
        "a generateName of a definition is not looked at",
        wrong!(DefinitionRules {
            fn check_definition_name(&self, definition: &Value, spec: &Spec, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_definition_name(definition, spec, found), |violation| violation.field.contains("generateName"));
            }
        }),
        &["CRDVAL-001"],
        &["crdval-001-object-name"],
        true,
    ),
    fault(
        "takes-groups-without-a-dot",
        "a group needs no dot",
        wrong!(DefinitionRules {
            fn check_group(&self, group: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_group(group, found), |_| group == group.to_lowercase() && !group.is_empty() && !group.contains('.'));
            }
        }),
        &["CRDVAL-002", "INV-095"],
        &["crdval-002-group"],
        true,
    ),
    fault(
        "takes-scopes-in-any-case",
        "a scope in lower case is accepted",
        wrong!(DefinitionRules {
            fn check_scope(&self, scope: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_scope(scope, found), |_| ["cluster", "namespaced"].contains(&scope));
            }
        }),
        &["CRDVAL-003"],
        &["crdval-003-scope"],
        true,
    ),
    fault(
        "needs-no-list-kind",
        "listKind may be missing",
        wrong!(DefinitionRules {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_names(names, found), |violation| violation.field.ends_with("listKind") && violation.reason == Reason::Required);
            }
        }),
        &["CRDVAL-004"],
        &["crdval-004-required-names"],
        true,
    ),
    fault(
        "checks-the-first-short-name-only",
        "short names behind the first are not looked at",
        wrong!(DefinitionRules {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                let first = Names { short_names: names.short_names.iter().take(1).cloned().collect(), ..names.clone() };
                Upstream.check_names(&first, found);
            }
        }),
        &["CRDVAL-005", "INV-095"],
        &["crdval-005-name-syntax"],
        true,
    ),
    fault(
        "refuses-short-names-twice",
        "a short name must not stand there twice",
        wrong!(DefinitionRules {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                Upstream.check_names(names, found);
                for (index, name) in names.short_names.iter().enumerate() {
                    if names.short_names[..index].contains(name) {
                        found.push(violation(format!("spec.names.shortNames[{index}]"), Reason::Duplicate));
                    }
                }
            }
        }),
        &["CRDVAL-005", "CRDVAL-006", "CRDVAL-001"],
        &["crdval-005-name-syntax"],
        true,
    ),
    fault(
        "takes-kind-as-list-kind",
        "kind and listKind may be equal",
        wrong!(DefinitionRules {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_names(names, found), |violation| violation.requirement == "CRDVAL-006");
            }
        }),
        &["CRDVAL-006", "INV-095"],
        &["crdval-005-name-syntax", "inv-095-one-broken-rule"],
        false,
    ),
    fault(
        "leaves-singular-as-it-is",
        "singular defaults to kind as it is written",
        || behind(|server| Answering { server, alter: with_kind_as_singular }),
        &["CRDVAL-007", "CRDVAL-008", "INV-095"],
        &["crdval-007-stated-defaults", "inv-095-one-broken-rule"],
        false,
    ),
    fault(
        "protects-subdomains-only",
        "the groups k8s.io and kubernetes.io themselves need no approval",
        wrong!(DefinitionRules {
            fn is_protected_group(&self, group: &str) -> bool {
                Upstream.is_protected_group(group) && group.matches('.').count() > 1
            }
        }),
        &["CRDVAL-055"],
        &["crdval-055-protected-groups"],
        true,
    ),
];

fn with_kind_as_singular(_: &mut http::response::Parts, body: &mut Value) {
    let Some(names) = body.pointer_mut("/spec/names") else { return };
    let kind = names["kind"].as_str().unwrap_or_default().to_owned();
    if names["singular"] == json!(kind.to_lowercase()) {
        names["singular"] = json!(kind);
    }
}
