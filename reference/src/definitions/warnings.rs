//! Warnings about a definition that is fine (CRDVAL-036, CRDVAL-057).

use std::collections::BTreeSet;

use crdible_semantics::Schema;
use serde_json::Value;

use super::model::Spec;

/// Formats of strings that are enforced (VALUE-014), without dashes.
const STRING_FORMATS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8slongname",
    "k8sshortname",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Names of formats that no check stands behind; on an update only new ones count.
pub(super) fn unknown_formats(definition: &Value, old: Option<&Value>) -> Vec<String> {
    let known = old.map(formats).unwrap_or_default();
    formats(definition).difference(&known).map(|format| format!("unrecognized format \"{format}\"")).collect()
}

fn formats(definition: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for version in &Spec::of(definition).versions {
        if let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) {
            let mut open = vec![&schema];
            while let Some(schema) = open.pop() {
                let format = &schema.values.format;
                if !format.is_empty() && !is_known(&schema.type_name, format) {
                    found.insert(format.clone());
                }
                open.extend(schema.children());
            }
        }
    }
    found
}

/// A node without a type counts as a string, whatever surrounds it.
fn is_known(type_name: &str, format: &str) -> bool {
    match type_name {
        "" | "string" => STRING_FORMATS.contains(&format.replace('-', "").as_str()),
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
