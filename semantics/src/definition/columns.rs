//! Subresources and printer columns (CRDVAL-041, CRDVAL-042).

use super::model::{Column, Scale, Spec};
use super::{once_or_each, violation};
use crate::{Reason, Semantics, Violation};

pub(super) fn check(semantics: &Semantics, spec: &Spec, found: &mut Vec<Violation>) {
    for (prefix, version) in once_or_each(spec, spec.shares_subresources()) {
        if let Some(scale) = version.subresources.as_ref().and_then(|subresources| subresources.scale.as_ref()) {
            semantics.check_scale(scale, &format!("{prefix}.subresources.scale"), found);
        }
    }
    for (prefix, version) in once_or_each(spec, spec.shares_columns()) {
        for (index, column) in version.additional_printer_columns.iter().enumerate() {
            semantics.check_column(column, &format!("{prefix}.additionalPrinterColumns[{index}]"), found);
        }
    }
}

pub(crate) fn scale(scale: &Scale, prefix: &str, found: &mut Vec<Violation>) {
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

pub(crate) fn column(column: &Column, prefix: &str, found: &mut Vec<Violation>) {
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
