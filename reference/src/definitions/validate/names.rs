//! Group, scope and names (CRDVAL-002..006).

use crdible_semantics::{Reason, Violation};

use super::violation;
use crate::definitions::model::Spec;
use crate::metadata::names::{label_1035_faults, subdomain_faults};

pub(super) fn check(spec: &Spec, found: &mut Vec<Violation>) {
    group(&spec.group, found);
    match spec.scope.as_str() {
        "Cluster" | "Namespaced" => {}
        "" => found.push(violation("spec.scope", Reason::Required, "CRDVAL-003", "must be set")),
        other => {
            let detail = format!("{other:?}: supported values: \"Cluster\", \"Namespaced\"");
            found.push(violation("spec.scope", Reason::NotSupported, "CRDVAL-003", &detail));
        }
    }
    let names = &spec.names;
    let (kind, list_kind) = (names.kind.to_lowercase(), names.list_kind.to_lowercase());
    let required =
        [("plural", &names.plural), ("singular", &names.singular), ("kind", &kind), ("listKind", &list_kind)];
    for (field, name) in required {
        let field = format!("spec.names.{field}");
        if name.is_empty() {
            found.push(violation(&field, Reason::Required, "CRDVAL-004", "must be set"));
        } else {
            label(&field, name, found);
        }
    }
    for (list, names) in [("shortNames", &names.short_names), ("categories", &names.categories)] {
        for (index, name) in names.iter().enumerate() {
            label(&format!("spec.names.{list}[{index}]"), name, found);
        }
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        let detail = "kind and listKind may not be the same";
        found.push(violation("spec.names.listKind", Reason::Invalid, "CRDVAL-006", detail));
    }
}

fn group(group: &str, found: &mut Vec<Violation>) {
    let (reason, detail) = if group.is_empty() {
        (Reason::Required, "must be set".into())
    } else if let faults @ [_, ..] = subdomain_faults(group).as_slice() {
        (Reason::Invalid, format!("{group:?}: {}", faults.join(",")))
    } else if !group.contains('.') {
        (Reason::Invalid, format!("{group:?}: should be a domain with at least one dot"))
    } else {
        return;
    };
    found.push(violation("spec.group", reason, "CRDVAL-002", &detail));
}

fn label(field: &str, name: &str, found: &mut Vec<Violation>) {
    let faults = label_1035_faults(name);
    if !faults.is_empty() {
        found.push(violation(field, Reason::Invalid, "CRDVAL-005", &format!("{name:?}: {}", faults.join(","))));
    }
}
