//! Name, group, scope and names (CRDVAL-001..006).

use crdible_text::name::{dns1035_label_faults, dns1123_subdomain_faults};
use serde_json::Value;

use super::{Names, Spec, violation};
use crate::{Reason, Violation};

pub(crate) fn own_name(definition: &Value, spec: &Spec, found: &mut Vec<Violation>) {
    let required = format!("{}.{}", spec.names.plural, spec.group);
    for field in ["generateName", "name"] {
        let name = definition.get("metadata").and_then(|metadata| metadata.get(field)?.as_str()).unwrap_or_default();
        if !name.is_empty() && name != required {
            let detail = format!("{name:?}: must be spec.names.plural+\".\"+spec.group");
            found.push(violation(&format!("metadata.{field}"), Reason::Invalid, "CRDVAL-001", &detail));
        }
    }
}

pub(crate) fn group(group: &str, found: &mut Vec<Violation>) {
    let (reason, detail) = if group.is_empty() {
        (Reason::Required, "must be set".into())
    } else if let faults @ [_, ..] = dns1123_subdomain_faults(group).as_slice() {
        (Reason::Invalid, format!("{group:?}: {}", faults.join(", ")))
    } else if !group.contains('.') {
        (Reason::Invalid, format!("{group:?}: should be a domain with at least one dot"))
    } else {
        return;
    };
    found.push(violation("spec.group", reason, "CRDVAL-002", &detail));
}

pub(crate) fn scope(scope: &str, found: &mut Vec<Violation>) {
    match scope {
        "Cluster" | "Namespaced" => {}
        "" => found.push(violation("spec.scope", Reason::Required, "CRDVAL-003", "must be set")),
        other => {
            let detail = format!("{other:?}: supported values: \"Cluster\", \"Namespaced\"");
            found.push(violation("spec.scope", Reason::NotSupported, "CRDVAL-003", &detail));
        }
    }
}

pub(crate) fn names(names: &Names, found: &mut Vec<Violation>) {
    for (field, name) in single(names) {
        if name.is_empty() {
            found.push(violation(&format!("spec.names.{field}"), Reason::Required, "CRDVAL-004", "must be set"));
        }
    }
    well_formed(names, "spec.names", found);
}

pub(crate) fn accepted_names(names: &Names, found: &mut Vec<Violation>) {
    well_formed(names, "status.acceptedNames", found);
}

/// The names that are not lists, with kinds in lower case, as they are checked.
fn single(names: &Names) -> [(&'static str, String); 4] {
    [
        ("plural", names.plural.clone()),
        ("singular", names.singular.clone()),
        ("kind", names.kind.to_lowercase()),
        ("listKind", names.list_kind.to_lowercase()),
    ]
}

/// Checks the syntax of the names that are set. `parent` is their path.
fn well_formed(names: &Names, parent: &str, found: &mut Vec<Violation>) {
    for (field, name) in single(names).iter().filter(|(_, name)| !name.is_empty()) {
        label(&format!("{parent}.{field}"), name, found);
    }
    for (list, names) in [("shortNames", &names.short_names), ("categories", &names.categories)] {
        for (index, name) in names.iter().enumerate() {
            label(&format!("{parent}.{list}[{index}]"), name, found);
        }
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        let detail = "kind and listKind must differ";
        found.push(violation(&format!("{parent}.listKind"), Reason::Invalid, "CRDVAL-006", detail));
    }
}

fn label(field: &str, name: &str, found: &mut Vec<Violation>) {
    let faults = dns1035_label_faults(name);
    if !faults.is_empty() {
        found.push(violation(field, Reason::Invalid, "CRDVAL-005", &format!("{name:?}: {}", faults.join(", "))));
    }
}
