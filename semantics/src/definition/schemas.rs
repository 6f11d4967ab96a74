//! The schemas of the versions (CRDVAL-026, CRDVAL-028), including the rules of schemas.

use super::{Spec, Version, violation};
use crate::structural::completeness::DEFINED_IN;
use crate::{Reason, Schema, SchemaContext, Semantics, Violation, message};

pub(crate) fn check(semantics: &Semantics, spec: &Spec, found: &mut Vec<Violation>) {
    for (index, version) in spec.versions.iter().enumerate() {
        if version.schema_json().is_none() {
            let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
            found.push(violation(&field, Reason::Required, "CRDVAL-026", ""));
        }
    }
    let any_status = spec.versions.iter().any(Version::has_status);
    for (prefix, version) in judged(spec) {
        // A decoded definition has only schemas that can be parsed.
        let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) else { continue };
        let status_subresource = if spec.shares_schema() { any_status } else { version.has_status() };
        let violations = semantics.schema_violations(&schema, &SchemaContext { status_subresource });
        found.extend(violations.into_iter().map(|mut violation| {
            violation.field.insert_str(0, &prefix);
            // Its message has another path of the schema.
            if let Some(path) = violation.detail.strip_prefix(DEFINED_IN) {
                violation.detail = format!("{DEFINED_IN}{prefix}{path}");
            }
            violation
        }));
    }
}

/// The versions whose schemas are checked, each with the prefix before `openAPIV3Schema` in its causes (CRDVAL-023).
pub fn judged(spec: &Spec) -> Vec<(String, &Version)> {
    if spec.shares_schema() {
        return spec.versions.first().map(|version| ("spec.validation.".to_owned(), version)).into_iter().collect();
    }
    let each = spec.versions.iter().enumerate();
    each.map(|(index, version)| (format!("spec.versions[{index}].schema."), version)).collect()
}

/// The cause for `preserveUnknownFields: true`, whatever else the definition has (CRDVAL-028).
pub(super) fn cannot_preserve() -> Violation {
    preserved("cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead")
}

/// The cause for `preserveUnknownFields: true` in a definition with defaults (CRDVAL-028).
pub(super) fn cannot_default() -> Violation {
    preserved("must be false in order to use defaults in the schema")
}

fn preserved(fault: &str) -> Violation {
    violation("spec.preserveUnknownFields", Reason::Invalid, "CRDVAL-028", &message::about(true, fault))
}

/// Whether any node of any version has a default.
pub(super) fn has_defaults(spec: &Spec) -> bool {
    let mut schemas = spec.versions.iter().filter_map(|version| Schema::parse(version.schema_json()?).ok());
    schemas.any(|(schema, _)| schema.nodes().any(|node| node.default.is_some()))
}
