//! Subresources and printer columns (CRDVAL-041, CRDVAL-042).

use crdible_semantics::{Reason, Violation};

use super::violation;
use crate::definitions::model::{Column, Scale, Spec, Version};

pub(super) fn check(spec: &Spec, found: &mut Vec<Violation>) {
    for (prefix, version) in once_or_each(spec, spec.shares_subresources()) {
        if let Some(scale) = version.subresources.as_ref().and_then(|subresources| subresources.scale.as_ref()) {
            check_scale(scale, &format!("{prefix}.subresources.scale"), found);
        }
    }
    for (prefix, version) in once_or_each(spec, spec.shares_columns()) {
        for (index, column) in version.additional_printer_columns.iter().enumerate() {
            check_column(column, &format!("{prefix}.additionalPrinterColumns[{index}]"), found);
        }
    }
}

/// Where a part of versions is judged: once at the top if all versions share it, else at each (CRDVAL-023).
pub(super) fn once_or_each(spec: &Spec, shared: bool) -> impl Iterator<Item = (String, &Version)> {
    let count = if shared { 1 } else { spec.versions.len() };
    spec.versions.iter().take(count).enumerate().map(move |(index, version)| {
        (if shared { "spec".to_owned() } else { format!("spec.versions[{index}]") }, version)
    })
}

fn check_scale(scale: &Scale, prefix: &str, found: &mut Vec<Violation>) {
    let mut path = |field: &str, path: &str, required: bool, roots: &[&str]| {
        let field = format!("{prefix}.{field}");
        if path.is_empty() {
            if required {
                found.push(violation(&field, Reason::Required, "CRDVAL-041", "must be set"));
            }
        } else if !roots.iter().any(|root| path.starts_with(root)) {
            let detail = format!("{path:?}: should be a json path under {}", roots.join(" or "));
            found.push(violation(&field, Reason::Invalid, "CRDVAL-041", &detail));
        }
    };
    path("specReplicasPath", &scale.spec_replicas_path, true, &[".spec."]);
    path("statusReplicasPath", &scale.status_replicas_path, true, &[".status."]);
    let selector = scale.label_selector_path.as_deref().unwrap_or_default();
    path("labelSelectorPath", selector, false, &[".spec.", ".status."]);
}

fn check_column(column: &Column, prefix: &str, found: &mut Vec<Violation>) {
    const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
    const FORMATS: [&str; 8] = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];
    let mut report = |field: &str, reason, detail: &str| {
        found.push(violation(&format!("{prefix}.{field}"), reason, "CRDVAL-042", detail));
    };
    if column.name.is_empty() {
        report("name", Reason::Required, "must be set");
    }
    if column.type_name.is_empty() {
        report("type", Reason::Required, "must be set");
    } else if !TYPES.contains(&column.type_name.as_str()) {
        report("type", Reason::Invalid, &format!("{:?}: must be one of {}", column.type_name, TYPES.join(",")));
    }
    if !column.format.is_empty() && !FORMATS.contains(&column.format.as_str()) {
        report("format", Reason::Invalid, &format!("{:?}: must be one of {}", column.format, FORMATS.join(",")));
    }
    if column.json_path.is_empty() {
        report("JSONPath", Reason::Required, "must be set");
    } else if !column.json_path.starts_with('.') {
        report(
            "JSONPath",
            Reason::Invalid,
            &format!("{:?}: must be a simple json path starting with .", column.json_path),
        );
    }
}
