//! CRDVAL-056: an update is validated like a new definition, whatever is stored.

use crdible_generators::definition::{Part, Variation, variations, varied};

use super::shared::UPDATING;
use crate::prelude::*;
use crate::shared::definitions::{check_causes, established, try_patch};

pub(super) const PROPERTY: Property = Property::new("crdval-056-updates-in-full", plan)
    .title("an update that violates a rule is rejected like a new definition")
    .asserts(&["CRDVAL-056"])
    .needs(UPDATING)
    .edges(&[Edge { name: "names", plan: all_names }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let among: Vec<&'static Variation> = variations().filter(|variation| is_free(variation)).collect();
    let (definition, _) = established(plan, &[]);
    plan.cases(choices, "update", |plan, choices| {
        if choices.chance(1, 4) {
            return try_change(plan, definition, &choices.pick(&names()).clone());
        }
        let varied = varied(choices, &among);
        let updated = try_patch(plan, definition, with_v1_stored(&varied.document));
        if !varied.causes.is_empty() {
            return check_causes(plan, varied.variation.name, &["CRDVAL-056"], updated, &varied.causes);
        }
        let spec = varied.variation.read_back(&varied.document, varied.version);
        for (pointer, value) in [
            ("/spec/versions", versions_with_v1_stored(&spec["versions"])),
            ("/spec/conversion", spec["conversion"].clone()),
        ] {
            plan.check("legal", &["CRDVAL-056"], updated, at(pointer, value));
        }
    });
}

fn all_names(plan: &mut Plan) {
    let (definition, _) = established(plan, &[]);
    for change in names() {
        try_change(plan, definition, &change);
        plan.count_case();
    }
}

/// Whether a variation works as an update: it changes nothing immutable, and no other rule applies to established
/// definitions. Names have their own table.
fn is_free(variation: &Variation) -> bool {
    let is_of_versions_or_conversion =
        [Part::Deprecation, Part::Schema, Part::Scale, Part::Columns, Part::Conversion].contains(&variation.part);
    (is_of_versions_or_conversion && variation.requirement() != "CRDVAL-048") || variation.requirement() == "CRDVAL-028"
}

/// A JSON patch for the versions, the conversion and `preserveUnknownFields` of a document; the first version is the
/// storage version, with the name that is in `storedVersions`.
fn with_v1_stored(document: &Value) -> Value {
    let versions = versions_with_v1_stored(&document["spec"]["versions"]);
    let mut operations = vec![json!({ "op": "replace", "path": "/spec/versions", "value": versions })];
    for field in ["conversion", "preserveUnknownFields"] {
        if let Some(value) = document["spec"].get(field) {
            operations.push(json!({ "op": "add", "path": format!("/spec/{field}"), "value": value }));
        }
    }
    Value::Array(operations)
}

fn versions_with_v1_stored(versions: &Value) -> Value {
    let mut versions = versions.clone();
    for (index, version) in versions.as_array_mut().into_iter().flatten().enumerate() {
        version["name"] = json!(format!("v{}", index + 1));
        version["storage"] = json!(index == 0);
    }
    versions
}

/// A change of one field, and its causes; if there are none, the value is read back.
#[derive(Clone, Debug)]
struct Change {
    name: &'static str,
    pointer: &'static str,
    value: Value,
    causes: &'static [(&'static str, Reason)],
}

fn try_change(plan: &mut Plan, definition: usize, change: &Change) {
    let operations = json!([{ "op": "add", "path": change.pointer, "value": change.value }]);
    let updated = try_patch(plan, definition, operations);
    if change.causes.is_empty() {
        return plan.check(change.name, &["CRDVAL-056"], updated, at(change.pointer, change.value.clone()));
    }
    check_causes(plan, change.name, &["CRDVAL-056"], updated, change.causes);
}

/// Changes of names (CRDVAL-005, CRDVAL-012..014) and of the scope (CRDVAL-003, CRDVAL-010).
fn names() -> Vec<Change> {
    let change = |name, pointer, value, causes| Change { name, pointer, value, causes };
    let version = |name: &str, storage: bool| json!({ "name": name, "served": true, "storage": storage, "schema": { "openAPIV3Schema": { "type": "object" } } });
    let long = "s".repeat(64);
    vec![
        change("short-names", "/spec/names/shortNames", json!(["th", "x-1"]), &[]),
        change(
            "upper-case-short-name",
            "/spec/names/shortNames",
            json!(["th", "Th"]),
            &[("spec.names.shortNames[1]", Reason::Invalid)],
        ),
        change(
            "empty-short-name",
            "/spec/names/shortNames",
            json!([""]),
            &[("spec.names.shortNames[0]", Reason::Invalid)],
        ),
        change(
            "category-with-a-blank",
            "/spec/names/categories",
            json!(["all", "a b"]),
            &[("spec.names.categories[1]", Reason::Invalid)],
        ),
        change(
            "upper-case-singular",
            "/spec/names/singular",
            json!("One"),
            &[("spec.names.singular", Reason::Invalid)],
        ),
        change("singular-too-long", "/spec/names/singular", json!(long), &[("spec.names.singular", Reason::Invalid)]),
        change("longest-singular", "/spec/names/singular", json!(long[1..]), &[]),
        change(
            "list-kind-with-a-dot",
            "/spec/names/listKind",
            json!("A.List"),
            &[("spec.names.listKind", Reason::Invalid)],
        ),
        change(
            "unknown-scope",
            "/spec/scope",
            json!("Global"),
            &[("spec.scope", Reason::NotSupported), ("spec.scope", Reason::Invalid)],
        ),
        change(
            "upper-case-version",
            "/spec/versions",
            json!([version("v1", true), version("V2", false)]),
            &[("spec.versions[1].name", Reason::Invalid)],
        ),
        change(
            "version-twice",
            "/spec/versions",
            json!([version("v1", true), version("v2", false), version("v2", false)]),
            &[("spec.versions", Reason::Invalid)],
        ),
        change(
            "no-storage-version",
            "/spec/versions",
            json!([version("v1", false)]),
            &[("spec.versions", Reason::Invalid)],
        ),
    ]
}
