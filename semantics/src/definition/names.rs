//! Name, group, scope and names (CRDVAL-001..006).

use crdible_text::name::{dns1035_label_faults, dns1123_subdomain_faults};
use serde_json::Value;

use super::{Names, Spec, violation};
use crate::{Reason, Violation, go_text, message};

pub(crate) fn own_name(definition: &Value, spec: &Spec, found: &mut Vec<Violation>) {
    let required = format!("{}.{}", spec.names.plural, spec.group);
    for field in ["generateName", "name"] {
        let name = definition.get("metadata").and_then(|metadata| metadata.get(field)?.as_str()).unwrap_or_default();
        if !name.is_empty() && name != required {
            let detail = message::about_text(name, "must be spec.names.plural+\".\"+spec.group");
            found.push(violation(&format!("metadata.{field}"), Reason::Invalid, "CRDVAL-001", &detail));
        }
    }
}

pub(crate) fn group(group: &str, found: &mut Vec<Violation>) {
    let (reason, detail) = if group.is_empty() {
        (Reason::Required, String::new())
    } else if let faults @ [_, ..] = dns1123_subdomain_faults(group).as_slice() {
        (Reason::Invalid, message::about_text(group, faults.join(",")))
    } else if !group.contains('.') {
        (Reason::Invalid, message::about_text(group, "should be a domain with at least one dot"))
    } else {
        return;
    };
    found.push(violation("spec.group", reason, "CRDVAL-002", &detail));
}

pub(crate) fn scope(scope: &str, found: &mut Vec<Violation>) {
    match scope {
        "Cluster" | "Namespaced" => {}
        "" => found.push(violation("spec.scope", Reason::Required, "CRDVAL-003", "")),
        other => {
            let detail = message::unsupported(go_text::quoted(other), ["Cluster", "Namespaced"]);
            found.push(violation("spec.scope", Reason::NotSupported, "CRDVAL-003", &detail));
        }
    }
}

pub(crate) fn names(names: &Names, found: &mut Vec<Violation>) {
    for (field, name) in single(names) {
        if name.is_empty() {
            found.push(violation(&format!("spec.names.{field}"), Reason::Required, "CRDVAL-004", ""));
        }
    }
    well_formed(names, "spec.names", found);
}

pub(crate) fn accepted_names(names: &Names, found: &mut Vec<Violation>) {
    well_formed(names, "status.acceptedNames", found);
}

/// The names that are not lists.
fn single(names: &Names) -> [(&'static str, &str); 4] {
    [("plural", &names.plural), ("singular", &names.singular), ("kind", &names.kind), ("listKind", &names.list_kind)]
}

/// Checks the syntax of the names that are set. `parent` is their path.
fn well_formed(names: &Names, parent: &str, found: &mut Vec<Violation>) {
    for (field, name) in single(names).iter().filter(|(_, name)| !name.is_empty()) {
        let is_kind = matches!(*field, "kind" | "listKind");
        let faults = dns1035_label_faults(&if is_kind { name.to_lowercase() } else { (*name).to_owned() });
        let says = if is_kind { message::mixed_case(&faults) } else { faults.join(",") };
        label(&format!("{parent}.{field}"), name, !faults.is_empty(), &says, found);
    }
    for (list, names) in [("shortNames", &names.short_names), ("categories", &names.categories)] {
        for (index, name) in names.iter().enumerate() {
            let faults = dns1035_label_faults(name);
            label(&format!("{parent}.{list}[{index}]"), name, !faults.is_empty(), &faults.join(","), found);
        }
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        let detail = message::about_text(&names.list_kind, "kind and listKind may not be the same");
        found.push(violation(&format!("{parent}.listKind"), Reason::Invalid, "CRDVAL-006", &detail));
    }
}

fn label(field: &str, name: &str, is_wrong: bool, says: &str, found: &mut Vec<Violation>) {
    if is_wrong {
        found.push(violation(field, Reason::Invalid, "CRDVAL-005", &message::about_text(name, says)));
    }
}
