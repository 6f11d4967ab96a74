//! Unknown formats (CRDVAL-036, CRDVAL-057).

use std::collections::BTreeSet;

use serde_json::Value;

use super::Spec;
use crate::{Format, Release, Schema, Semantics, release::Change};

/// See [`crate::DefinitionRules::unknown_formats`].
pub fn unknown(semantics: &dyn Semantics, definition: &Value, old: Option<&Value>) -> Vec<String> {
    if !semantics.release().has(Change::FormatWarnings) {
        return Vec::new();
    }
    let before = old.map(|old| formats(semantics, old)).unwrap_or_default();
    formats(semantics, definition).difference(&before).cloned().collect()
}

fn formats(semantics: &dyn Semantics, definition: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for version in &Spec::of(definition).versions {
        if let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) {
            let mut open = vec![&schema];
            while let Some(schema) = open.pop() {
                let format = &schema.values.format;
                if !format.is_empty() && !semantics.is_known_format(&schema.type_name, format) {
                    found.insert(format.clone());
                }
                open.extend(schema.children());
            }
        }
    }
    found
}

/// See [`crate::DefinitionRules::is_known_format`]. A node without a type always counts as a string.
pub fn is_known(release: Release, type_name: &str, format: &str) -> bool {
    if !release.has(Change::FormatWarningsByType) && type_name != "string" {
        return true;
    }
    match type_name {
        "" | "string" => Format::named(format).is_some_and(|format| release.enforces(format)),
        "integer" => matches!(format, "int32" | "int64"),
        "number" => matches!(format, "float" | "double"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("string", "date-time", true)]
    #[case("string", "d-a-t-e", true)]
    #[case("string", "Date", false)]
    #[case("", "int32", false)]
    #[case("integer", "int32", true)]
    #[case("integer", "date", false)]
    #[case("object", "date", false)]
    fn crdval_036(#[case] type_name: &str, #[case] format: &str, #[case] known: bool) {
        assert_eq!(is_known(Release::BASELINE, type_name, format), known);
    }

    #[rstest]
    #[case(34, "string", "k8s-short-name", false)]
    #[case(35, "string", "k8s-short-name", true)]
    #[case(35, "integer", "date", true)]
    #[case(35, "", "int32", true)]
    fn crdval_036_before_1_36(#[case] minor: u16, #[case] type_name: &str, #[case] format: &str, #[case] known: bool) {
        assert_eq!(is_known(Release::nearest(minor), type_name, format), known);
    }
}
