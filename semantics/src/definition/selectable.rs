//! Selectable fields (CRDVAL-043). Each version is checked by its own schema, even where upstream's internal form
//! prevents that.

use std::collections::BTreeSet;

use super::model::{SelectableField, Spec};
use super::{once_or_each, violation};
use crate::{Reason, Schema, Semantics, Violation, go_text::quoted, message, schema::AdditionalProperties};

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
            _ => {
                let fault = if shared {
                    "may only be set when validations.schema is included"
                } else {
                    "may only be set when `version.schema.openAPIV3Schema` is not included"
                };
                found.push(violation(&field, Reason::Invalid, "CRDVAL-043", &message::about_text("", fault)));
            }
        }
    }
}

pub(crate) fn fields(wanted: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) {
    let mut distinct = BTreeSet::new();
    for (index, SelectableField { json_path }) in wanted.iter().enumerate() {
        let mut report = |reason, detail: String| {
            let field = format!("{field}[{index}].jsonPath");
            found.push(violation(&field, reason, "CRDVAL-043", &detail));
        };
        let fault = |fault: &str| message::about_text(json_path, fault);
        if json_path.is_empty() {
            report(Reason::Required, String::new());
            continue;
        }
        let target = resolve(json_path, schema);
        if let Target::Nothing(why) = &target {
            report(Reason::Invalid, fault(&format!("is an invalid path: {why}")));
            continue;
        }
        if json_path == ".metadata" || json_path.starts_with(".metadata.") {
            report(Reason::Invalid, fault("must not point to fields in metadata"));
        }
        let is_selectable =
            matches!(target, Target::Node(node) if matches!(node.type_name.as_str(), "string" | "boolean" | "integer"));
        if !is_selectable {
            let rule = "must point to a field of type string, boolean or integer. Enum string fields and strings with \
                        formats are allowed.";
            report(Reason::Invalid, fault(rule));
        }
        if !distinct.insert(json_path.as_str()) {
            report(Reason::Duplicate, quoted(json_path));
        }
    }
    if distinct.len() > MAX_FIELDS {
        let detail = message::too_many(distinct.len(), MAX_FIELDS);
        found.push(violation(field, Reason::TooMany, "CRDVAL-043", &detail));
    }
}

/// The target of a path of names.
enum Target<'s> {
    /// A node of the schema.
    Node(&'s Schema),
    /// A field that may exist but has no schema.
    Unspecified,
    /// The path cannot exist, for this reason.
    Nothing(String),
}

/// Follows a path of names.
fn resolve<'s>(path: &str, root: &'s Schema) -> Target<'s> {
    let no_field = || Target::Nothing("does not refer to a valid field".to_owned());
    let mut node = root;
    let mut words = words(path);
    while let Some(word) = words.next() {
        match word {
            "." => {}
            "[" => return Target::Nothing("array notation is not allowed".to_owned()),
            other => return Target::Nothing(format!("expected [ or . but got: {other}")),
        }
        let Some(name) = words.next() else {
            return Target::Nothing("unexpected end of JSON path".to_owned());
        };
        let next = match &node.additional_properties {
            _ if !node.properties.is_empty() => node.properties.get(name),
            Some(AdditionalProperties::Schema(values)) => Some(&**values),
            Some(AdditionalProperties::Allowed(_)) if words.next().is_none() => {
                return Target::Unspecified;
            }
            Some(AdditionalProperties::Allowed(_)) | None => None,
        };
        match next {
            Some(next) => node = next,
            None => return no_field(),
        }
    }
    Target::Node(node)
}

/// The words of a path: its dots and brackets, and what stands between them.
fn words(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        let end = match rest.find(['.', '[', ']']) {
            Some(0) => 1,
            Some(end) => end,
            None => rest.len(),
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
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
