//! Subresources and printer columns (CRDVAL-041, CRDVAL-042).

use super::model::{Column, Scale, Spec};
use super::{once_or_each, violation};
use crate::{Reason, Semantics, Violation, message};

const NO_PATH: &str = "must be a simple json path starting with .";

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
    let mut path = |field: &str, path: &str, required: bool, roots: &[&str], allowed: &str| {
        let field = format!("{prefix}.{field}");
        if path.is_empty() {
            if required {
                found.push(violation(&field, Reason::Required, "CRDVAL-041", ""));
            }
            return;
        }
        let fault = if !path.starts_with('.') {
            NO_PATH.to_owned()
        } else if !roots.iter().any(|root| path.starts_with(root)) {
            format!("should be a json path under {allowed}")
        } else {
            return;
        };
        found.push(violation(&field, Reason::Invalid, "CRDVAL-041", &message::about_text(path, fault)));
    };
    path("specReplicasPath", &scale.spec_replicas_path, true, &[".spec."], ".spec");
    path("statusReplicasPath", &scale.status_replicas_path, true, &[".status."], ".status");
    let selector = scale.label_selector_path.as_deref().unwrap_or_default();
    path("labelSelectorPath", selector, false, &[".spec.", ".status."], "either .spec or .status");
}

pub(crate) fn column(column: &Column, prefix: &str, found: &mut Vec<Violation>) {
    const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
    const FORMATS: [&str; 8] = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
    let mut report = |field: &str, reason, detail: &str| {
        found.push(violation(&format!("{prefix}.{field}"), reason, "CRDVAL-042", detail));
    };
    if column.name.is_empty() {
        report("name", Reason::Required, "");
    }
    let one_of = |allowed: &[&str]| format!("must be one of {}", allowed.join(","));
    if column.type_name.is_empty() {
        report("type", Reason::Required, &one_of(&TYPES));
    } else if !TYPES.contains(&column.type_name.as_str()) {
        report("type", Reason::Invalid, &message::about_text(&column.type_name, one_of(&TYPES)));
    }
    if !column.format.is_empty() && !FORMATS.contains(&column.format.as_str()) {
        report("format", Reason::Invalid, &message::about_text(&column.format, one_of(&FORMATS)));
    }
    if column.json_path.is_empty() {
        report("JSONPath", Reason::Required, "");
    } else if !column.json_path.starts_with('.') {
        report("JSONPath", Reason::Invalid, &message::about_text(&column.json_path, NO_PATH));
    }
}
