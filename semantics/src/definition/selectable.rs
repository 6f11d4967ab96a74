//! Selectable fields (CRDVAL-043). Each version is checked by its own schema, even where upstream's internal form
//! prevents that.

use std::collections::BTreeSet;

use super::model::{SelectableField, Spec};
use super::{once_or_each, violation};
use crate::{Reason, Schema, Semantics, Violation, schema::AdditionalProperties};

/// The maximum number of selectable fields of a version.
const MAX_FIELDS: usize = 8;

pub(super) fn check(semantics: &Semantics, spec: &Spec, found: &mut Vec<Violation>) {
    let shared = spec.shares_selectable_fields() && spec.shares_schema();
    for (prefix, version) in once_or_each(spec, shared) {
        if version.selectable_fields.is_empty() {
            continue;
        }
        let field = format!("{prefix}.selectableFields");
        match version.schema_json().map(Schema::parse) {
            Some(Ok((schema, _))) => {
                semantics.check_selectable_fields(&version.selectable_fields, &schema, &field, found)
            }
            _ => found.push(violation(&field, Reason::Invalid, "CRDVAL-043", "may only be set together with a schema")),
        }
    }
}

pub(crate) fn fields(wanted: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) {
    let mut distinct = BTreeSet::new();
    for (index, SelectableField { json_path }) in wanted.iter().enumerate() {
        let mut report = |reason, detail: &str| {
            let field = format!("{field}[{index}].jsonPath");
            found.push(violation(&field, reason, "CRDVAL-043", detail));
        };
        if json_path.is_empty() {
            report(Reason::Required, "must be set");
            continue;
        }
        let target = resolve(json_path, schema);
        if matches!(target, Target::Nothing) {
            report(Reason::Invalid, "is an invalid path");
            continue;
        }
        if json_path == ".metadata" || json_path.starts_with(".metadata.") {
            report(Reason::Invalid, "must not point to fields in metadata");
        }
        let is_selectable =
            matches!(target, Target::Node(node) if matches!(node.type_name.as_str(), "string" | "boolean" | "integer"));
        if !is_selectable {
            report(Reason::Invalid, "must point to a field of type string, boolean or integer");
        }
        if !distinct.insert(json_path.as_str()) {
            report(Reason::Duplicate, "is repeated");
        }
    }
    if distinct.len() > MAX_FIELDS {
        let detail = format!("{}: must have at most {MAX_FIELDS} items", distinct.len());
        found.push(violation(field, Reason::TooMany, "CRDVAL-043", &detail));
    }
}

/// The target of a path of names.
enum Target<'s> {
    /// A node of the schema.
    Node(&'s Schema),
    /// A field that may exist but has no schema.
    Unspecified,
    /// The path cannot exist.
    Nothing,
}

/// Follows a path of names.
fn resolve<'s>(path: &str, root: &'s Schema) -> Target<'s> {
    let Some(names) = path.strip_prefix('.').filter(|names| !names.contains(['[', ']'])) else {
        return Target::Nothing;
    };
    let mut node = root;
    let mut names = names.split('.');
    while let Some(name) = names.next() {
        let next = match &node.additional_properties {
            _ if name.is_empty() => return Target::Nothing,
            _ if !node.properties.is_empty() => node.properties.get(name),
            Some(AdditionalProperties::Schema(values)) => Some(&**values),
            Some(AdditionalProperties::Allowed(_)) if names.next().is_none() => {
                return Target::Unspecified;
            }
            Some(AdditionalProperties::Allowed(_)) | None => None,
        };
        match next {
            Some(next) => node = next,
            None => return Target::Nothing,
        }
    }
    Target::Node(node)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::property(&[".spec.a"], &[])]
    #[case::map_value(&[".spec.m.any"], &[])]
    #[case::empty(&[""], &[Reason::Required])]
    #[case::brackets(&[".spec['a']"], &[Reason::Invalid])]
    #[case::unknown(&[".spec.z"], &[Reason::Invalid])]
    #[case::number(&[".spec.n"], &[Reason::Invalid])]
    #[case::metadata(&[".metadata"], &[Reason::Invalid, Reason::Invalid])]
    #[case::twice(&[".spec.a", ".spec.a"], &[Reason::Duplicate])]
    #[case::below_true(&[".spec.t.x.y"], &[Reason::Invalid])]
    fn crdval_043(#[case] paths: &[&str], #[case] expected: &[Reason]) {
        let schema = json!({"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": {
            "a": {"type": "string"}, "n": {"type": "number"},
            "m": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "t": {"type": "object", "additionalProperties": true},
        }}}});
        let wanted: Vec<SelectableField> =
            paths.iter().map(|path| SelectableField { json_path: (*path).into() }).collect();
        let mut found = Vec::new();
        fields(&wanted, &Schema::parse(&schema).unwrap().0, "f", &mut found);
        assert_eq!(found.iter().map(|violation| violation.reason).collect::<Vec<_>>(), expected);
    }
}
