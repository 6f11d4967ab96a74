//! The rules of `metadata.ownerReferences` (VALUE-041).

use crdible_text::name;
use serde_json::{Map, Value};

use crate::{FieldPath, Reason, Release, Violation, go_json, message, release::Change};

/// The violations of the owner references in metadata at this path, each with this requirement.
pub fn owner_violations(
    release: Release,
    metadata: &Map<String, Value>,
    path: &FieldPath<'_>,
    requirement: &'static str,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut add = |at: &FieldPath<'_>, reason, detail: &str| {
        found.push(Violation::new(at, reason, requirement, detail));
    };
    let list = path.name("ownerReferences");
    let references = metadata.get("ownerReferences").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut controller = None;
    for (index, reference) in references.iter().enumerate() {
        let Value::Object(reference) = reference else { continue };
        let element = list.index(index);
        let (at, missing) =
            if release.has(Change::IndexedOwners) { (&element, Reason::Required) } else { (&list, Reason::Invalid) };
        let text = |name: &str| reference.get(name).and_then(Value::as_str).unwrap_or_default();
        let api_version = text("apiVersion");
        for name in ["apiVersion", "kind", "name", "uid"] {
            if text(name).is_empty() {
                let detail = match (missing, name) {
                    (Reason::Required, _) => "must not be empty".to_owned(),
                    (_, "apiVersion") => message::about_text("", "version must not be empty"),
                    _ => message::about_text("", "must not be empty"),
                };
                add(&at.name(name), missing, &detail);
            }
        }
        if !api_version.is_empty() && (!name::is_group_version(api_version) || api_version.ends_with('/')) {
            add(
                &at.name("apiVersion"),
                Reason::Invalid,
                &message::about_text(api_version, "version must not be empty"),
            );
        }
        if matches!(api_version, "v1" | "/v1") && text("kind") == "Event" {
            let shown = shown(reference);
            add(at, Reason::Invalid, &message::about(shown, "/v1, Kind=Event is disallowed from being an owner"));
        }
        if reference.get("controller") == Some(&Value::Bool(true)) {
            let this = format!("{}/{}", text("kind"), text("name"));
            match &controller {
                None => controller = Some(this),
                Some(first) => {
                    let fault = format_args!(
                        "Only one reference can have Controller set to true. Found \"true\" in references for {first} and \
                         {this}"
                    );
                    let all: Vec<String> = references.iter().filter_map(Value::as_object).map(shown).collect();
                    let shown = format!("[{}]", all.join(","));
                    add(&list, Reason::Invalid, &message::about(shown, fault));
                }
            }
        }
    }
    found
}

/// A reference as JSON, with its members in the order in which upstream declares them.
fn shown(reference: &Map<String, Value>) -> String {
    let members = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"].into_iter();
    let members = members.filter_map(|name| Some(format!("\"{name}\":{}", go_json::html_safe(reference.get(name)?))));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(36, json!({ "apiVersion": "v1", "kind": "X", "name": "x" }), &["m.ownerReferences.uid Invalid"])]
    #[case(37, json!({ "apiVersion": "v1", "kind": "X", "name": "x" }), &["m.ownerReferences[0].uid Required"])]
    #[case(36, json!({ "apiVersion": "a/b/c", "kind": "X", "name": "x", "uid": "1" }), &["m.ownerReferences.apiVersion Invalid"])]
    #[case(37, json!({ "apiVersion": "g/", "kind": "X", "name": "x", "uid": "1" }), &["m.ownerReferences[0].apiVersion Invalid"])]
    #[case(36, json!({ "apiVersion": "v1", "kind": "Event", "name": "x", "uid": "1" }), &["m.ownerReferences Invalid"])]
    #[case(37, json!({ "apiVersion": "/v1", "kind": "Event", "name": "x", "uid": "1" }), &["m.ownerReferences[0] Invalid"])]
    #[case(37, json!({ "apiVersion": "g/v1", "kind": "X", "name": "x", "uid": "1" }), &[])]
    fn value_041(#[case] minor: u16, #[case] reference: Value, #[case] expected: &[&str]) {
        let Value::Object(metadata) = json!({ "ownerReferences": [reference] }) else { unreachable!() };
        let path = FieldPath::Root;
        let found = owner_violations(Release::nearest(minor), &metadata, &path.name("m"), "VALUE-041");
        let found: Vec<String> =
            found.iter().map(|violation| format!("{} {}", violation.field, violation.reason)).collect();
        assert_eq!(found, expected);
    }
}
