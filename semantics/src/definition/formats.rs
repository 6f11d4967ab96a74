//! What gives warnings in a schema: unknown formats, and sets of objects or arrays (CRDVAL-036, CRDVAL-057).

use std::collections::BTreeSet;

use serde_json::Value;

use super::Spec;
use crate::{Format, Release, Schema, Semantics, release::Change, schema::Items};

pub(crate) fn unknown(semantics: &Semantics, definition: &Value, old: Option<&Value>) -> Vec<String> {
    if !semantics.release.has(Change::FormatWarnings) {
        return Vec::new();
    }
    let before = old.map(|old| formats(semantics, old)).unwrap_or_default();
    formats(semantics, definition).difference(&before).cloned().collect()
}

fn formats(semantics: &Semantics, definition: &Value) -> BTreeSet<String> {
    in_all_nodes(definition, |node| {
        let format = &node.values.format;
        let is_unknown = !format.is_empty() && !semantics.is_known_format(&node.type_name, format);
        is_unknown.then(|| format.clone())
    })
}

pub(crate) fn sets_of_containers(semantics: &Semantics, definition: &Value, old: Option<&Value>) -> Vec<String> {
    if !semantics.release.has(Change::SetWarnings) {
        return Vec::new();
    }
    let before = old.map(item_types).unwrap_or_default();
    item_types(definition).difference(&before).cloned().collect()
}

fn item_types(definition: &Value) -> BTreeSet<String> {
    in_all_nodes(definition, |node| {
        let Some(Items::Each(items)) = &node.items else { return None };
        if node.list_type.as_deref() != Some("set") {
            return None;
        }
        matches!(items.type_name.as_str(), "object" | "array").then(|| items.type_name.clone())
    })
}

/// What is found at the nodes of all versions' schemas, each once.
fn in_all_nodes(definition: &Value, found_at: impl Fn(&Schema) -> Option<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for version in &Spec::of(definition).versions {
        if let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) {
            found.extend(schema.nodes().filter_map(&found_at));
        }
    }
    found
}

/// A node without a type always counts as a string.
pub(crate) fn is_known(release: Release, type_name: &str, format: &str) -> bool {
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
    use serde_json::json;

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

    #[rstest]
    #[case(36, "object", &[])]
    #[case(37, "object", &["object"])]
    #[case(37, "string", &[])]
    fn crdval_057_sets(#[case] minor: u16, #[case] items: &str, #[case] expected: &[&str]) {
        let list = json!({ "type": "array", "x-kubernetes-list-type": "set", "items": { "type": items } });
        let schema = json!({ "type": "object", "properties": { "a": list } });
        let version = json!({ "name": "v1", "schema": { "openAPIV3Schema": schema } });
        let definition = json!({ "spec": { "versions": [version] } });
        let semantics = Semantics::at(Release::nearest(minor));
        assert_eq!(sets_of_containers(&semantics, &definition, None), expected);
        assert_eq!(sets_of_containers(&semantics, &definition, Some(&definition)), Vec::<String>::new());
    }
}
