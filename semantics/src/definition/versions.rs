//! Versions: names, storage version, deprecation, stored versions (CRDVAL-012..017, VER-012).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crdible_text::name::dns1035_label_faults;
use serde_json::Value;

use super::{Spec, Status, Version, shown, violation};
use crate::{Reason, Semantics, Violation, go_json, go_text, message};

/// The maximum length of a deprecation warning, in bytes.
const MAX_WARNING: usize = 256;

pub(crate) fn names(versions: &[Version], found: &mut Vec<Violation>) {
    let mut seen = BTreeSet::new();
    let mut unique = true;
    for (index, version) in versions.iter().enumerate() {
        unique &= seen.insert(version.name.as_str());
        let faults = dns1035_label_faults(&version.name);
        if faults.is_empty() {
            continue;
        }
        let detail = message::about_text(&version.name, faults.join(","));
        found.push(violation(&format!("spec.versions[{index}].name"), Reason::Invalid, "CRDVAL-012", &detail));
        // Upstream's internal form repeats the name of the first version, unless it is empty.
        if index == 0 && !version.name.is_empty() {
            found.push(violation("spec.version", Reason::Invalid, "CRDVAL-012", &detail));
        }
    }
    if !unique {
        let detail = message::about(shown::versions(versions), "must contain unique version names");
        found.push(violation("spec.versions", Reason::Invalid, "CRDVAL-013", &detail));
    }
}

pub(crate) fn one_storage_version(spec: &Spec, found: &mut Vec<Violation>) {
    if spec.versions.iter().filter(|version| version.storage).count() != 1 {
        let fault = "must have exactly one version marked as storage version";
        let versions = if spec.has_versions { shown::versions(&spec.versions) } else { "null".to_owned() };
        let detail = message::about(versions, fault);
        found.push(violation("spec.versions", Reason::Invalid, "CRDVAL-014", &detail));
    }
}

pub(crate) fn deprecation(version: &Version, field: &str, found: &mut Vec<Violation>) {
    let Some(text) = &version.deprecation_warning else { return };
    for fault in warning_faults(version.deprecated, text) {
        // Upstream shows it as JSON.
        let detail = message::about(go_json::html_safe(&Value::from(text.as_str())), fault);
        found.push(violation(field, Reason::Invalid, "CRDVAL-016", &detail));
    }
}

fn warning_faults(deprecated: bool, text: &str) -> Vec<String> {
    if !deprecated {
        return vec!["can only be set for deprecated versions".to_owned()];
    }
    let unprintable = text.char_indices().find(|(_, letter)| !go_text::is_printable(*letter)).map(|(index, _)| {
        format!("must only contain printable UTF-8 characters; non-printable character found at index {index}")
    });
    let rules = [
        (text.len() > MAX_WARNING, "must be <= 256 characters long"),
        (text.is_empty(), "must not be an empty string"),
    ];
    let broken = rules.into_iter().filter(|(broken, _)| *broken).map(|(_, fault)| fault.to_owned());
    broken.chain(unprintable).collect()
}

pub(crate) fn stored_versions(spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
    const FIELD: &str = "status.storedVersions";
    if status.stored_versions.is_empty() {
        let detail = message::about("null", "must have at least one stored version");
        found.push(violation(FIELD, Reason::Invalid, "CRDVAL-017", &detail));
        return;
    }
    // If a name is listed twice, the last position is reported. The first version with a name removes it from the list.
    let mut listed: BTreeMap<&str, usize> =
        status.stored_versions.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
    for version in &spec.versions {
        let was_listed = listed.remove(version.name.as_str()).is_some();
        if version.storage && !was_listed {
            let stored = status.stored_versions.iter().map(String::as_str).collect();
            let fault = format_args!("must have the storage version {}", version.name);
            let detail = message::about(message::shown(&stored), fault);
            found.push(violation(FIELD, Reason::Invalid, "CRDVAL-017", &detail));
        }
    }
    for (name, index) in listed {
        let fault = format_args!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until \
             a storage migration ensures no data remains persisted in {name} and removes {name} from \
             status.storedVersions"
        );
        let detail = message::about_text(name, fault);
        found.push(violation(&format!("{FIELD}[{index}]"), Reason::Invalid, "CRDVAL-017", &detail));
    }
}

pub(crate) fn deprecation_warning(semantics: &Semantics, spec: &Spec, version: &Version) -> Option<String> {
    if !version.deprecated {
        return None;
    }
    if let Some(text) = &version.deprecation_warning {
        return Some(text.clone());
    }
    let (group, kind) = (&spec.group, &spec.names.kind);
    let higher = spec.versions.iter().filter(|other| {
        other.served && !other.deprecated && semantics.compare_versions(&other.name, &version.name) == Ordering::Less
    });
    let best = higher.min_by(|a, b| semantics.compare_versions(&a.name, &b.name));
    let advice = best.map(|best| format!("; use {group}/{} {kind}", best.name)).unwrap_or_default();
    Some(format!("{group}/{} {kind} is deprecated{advice}", version.name))
}
