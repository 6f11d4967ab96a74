//! The violations of a definition (chapter 1). The fields of causes are those of upstream's internal form (CRDVAL-023).
//!
//! Definitions are decoded JSON: the types are correct, unknown fields are removed, and defaults are set.

pub mod approval;
pub mod authorities;
pub mod columns;
pub mod conversion;
pub mod formats;
pub mod model;
pub mod names;
pub mod schemas;
pub mod selectable;
pub mod shown;
pub mod update;
pub mod versions;
pub mod webhook;

pub use model::{ClientConfig, Column, Conversion, Names, Scale, Service, Spec, Status, Version, Webhook};

use serde_json::Value;

use crate::{Reason, Semantics, Violation};

pub(crate) fn created(semantics: &Semantics, definition: &Value) -> Vec<Violation> {
    let spec = Spec::of(definition);
    let mut found = Vec::new();
    semantics.check_definition_name(definition, &spec, &mut found);
    semantics.check_definition(&spec, &Status::of(definition), &mut found);
    semantics.check_rules(&spec, None, &mut found);
    if spec.preserve_unknown_fields {
        found.push(schemas::cannot_preserve());
    }
    semantics.check_approval(definition, None, &mut found);
    found
}

pub(crate) fn updated(semantics: &Semantics, definition: &Value, old: &Value) -> Vec<Violation> {
    let (spec, before) = (Spec::of(definition), Spec::of(old));
    let mut found = Vec::new();
    semantics.check_definition(&spec, &Status::of(definition), &mut found);
    semantics.check_rules(&spec, Some(&before), &mut found);
    let established = Status::of(old).is_true("Established");
    semantics.check_unchanged(&spec, &before, established, &mut found);
    semantics.check_authorities(&spec, &before, established, &mut found);
    if spec.preserve_unknown_fields && !before.preserve_unknown_fields {
        found.push(schemas::cannot_preserve());
    }
    semantics.check_approval(definition, Some(old), &mut found);
    found
}

pub(crate) fn check(semantics: &Semantics, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
    semantics.check_group(&spec.group, found);
    semantics.check_scope(&spec.scope, found);
    semantics.check_names(&spec.names, found);
    semantics.check_version_names(&spec.versions, found);
    semantics.check_one_storage_version(spec, found);
    for (index, version) in spec.versions.iter().enumerate() {
        semantics.check_deprecation(version, &format!("spec.versions[{index}].deprecationWarning"), found);
    }
    semantics.check_stored_versions(spec, status, found);
    semantics.check_schemas(spec, found);
    columns::check(semantics, spec, found);
    selectable::check(semantics, spec, found);
    semantics.check_conversion(spec, found);
    if spec.preserve_unknown_fields && schemas::has_defaults(spec) {
        found.push(schemas::cannot_default());
    }
}

/// The versions at which a part is checked, with the prefix of its path: once at the top if all versions share it,
/// otherwise each (CRDVAL-023).
fn once_or_each(spec: &Spec, shared: bool) -> impl Iterator<Item = (String, &Version)> {
    let count = if shared { 1 } else { spec.versions.len() };
    spec.versions.iter().take(count).enumerate().map(move |(index, version)| {
        (if shared { "spec".to_owned() } else { format!("spec.versions[{index}]") }, version)
    })
}

fn violation(field: &str, reason: Reason, requirement: &'static str, detail: &str) -> Violation {
    Violation { field: field.into(), reason, requirement, detail: detail.into() }
}
