//! Unknown formats (CRDVAL-036, CRDVAL-057).

use std::collections::BTreeSet;

use serde_json::Value;

use super::Spec;
use crate::{Format, Schema, Semantics};

/// See [`crate::DefinitionRules::unknown_formats`].
pub fn unknown(semantics: &dyn Semantics, definition: &Value, old: Option<&Value>) -> Vec<String> {
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
pub fn is_known(type_name: &str, format: &str) -> bool {
    match type_name {
        "" | "string" => Format::named(format).is_some(),
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
        assert_eq!(is_known(type_name, format), known);
    }
}
