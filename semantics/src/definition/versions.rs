//! Versions: names, storage version, deprecation, stored versions (CRDVAL-012..017, VER-012).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crdible_text::name::dns1035_label_faults;

use super::{Spec, Status, Version, violation};
use crate::{Reason, Semantics, Violation};

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
        let detail = format!("{:?}: {}", version.name, faults.join(", "));
        found.push(violation(&format!("spec.versions[{index}].name"), Reason::Invalid, "CRDVAL-012", &detail));
        // Upstream's internal form repeats the name of the first version, unless it is empty.
        if index == 0 && !version.name.is_empty() {
            found.push(violation("spec.version", Reason::Invalid, "CRDVAL-012", &detail));
        }
    }
    if !unique {
        found.push(violation("spec.versions", Reason::Invalid, "CRDVAL-013", "must contain unique version names"));
    }
}

pub(crate) fn one_storage_version(versions: &[Version], found: &mut Vec<Violation>) {
    if versions.iter().filter(|version| version.storage).count() != 1 {
        let detail = "must have exactly one version marked as storage version";
        found.push(violation("spec.versions", Reason::Invalid, "CRDVAL-014", detail));
    }
}

pub(crate) fn deprecation(version: &Version, field: &str, found: &mut Vec<Violation>) {
    for detail in warning_faults(version) {
        found.push(violation(field, Reason::Invalid, "CRDVAL-016", detail));
    }
}

fn warning_faults(version: &Version) -> Vec<&'static str> {
    let Some(text) = &version.deprecation_warning else {
        return Vec::new();
    };
    if !version.deprecated {
        return vec!["can only be set for deprecated versions"];
    }
    let printable =
        |letter: char| letter == ' ' || !(letter.is_whitespace() || letter.is_control() || is_format(letter));
    let rules = [
        (text.len() > MAX_WARNING, "must be <= 256 characters long"),
        (text.is_empty(), "must not be an empty string"),
        (!text.chars().all(printable), "must only contain printable UTF-8 characters"),
    ];
    rules.into_iter().filter(|(broken, _)| *broken).map(|(_, detail)| detail).collect()
}

/// Whether a letter is not printable, although it is neither blank nor control: Unicode's class Cf and private use.
fn is_format(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{10ffff}')
}

pub(crate) fn stored_versions(spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
    const FIELD: &str = "status.storedVersions";
    if status.stored_versions.is_empty() {
        found.push(violation(FIELD, Reason::Invalid, "CRDVAL-017", "must have at least one stored version"));
        return;
    }
    // If a name is listed twice, the last position is reported. The first version with a name removes it from the list.
    let mut listed: BTreeMap<&str, usize> =
        status.stored_versions.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
    for version in &spec.versions {
        let was_listed = listed.remove(version.name.as_str()).is_some();
        if version.storage && !was_listed {
            let detail = format!("must have the storage version {}", version.name);
            found.push(violation(FIELD, Reason::Invalid, "CRDVAL-017", &detail));
        }
    }
    for (name, index) in listed {
        let detail = format!("{name:?}: missing from spec.versions; it was previously a storage version");
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
