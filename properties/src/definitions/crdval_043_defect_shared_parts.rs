//! CRDVAL-043, where kube-apiserver violates it: versions that have the same selectable fields or the same schema,
//! but not both.

use super::shared::{JUDGING, try_document};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CRDVAL-043"];

pub(super) const PROPERTY: Property = Property::new("crdval-043-defect-shared-parts", plan)
    .title("two versions may have equal selectable fields with different schemas, or the reverse")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut document = crdible_generators::definition::plain();
    let (first, second) = if choices.chance(1, 2) {
        (version("v1", &["a", "b"], "a"), version("v2", &["a", "b"], "b"))
    } else {
        (version("v1", &["a"], "a"), version("v2", &["a", "b"], "a"))
    };
    document["spec"]["versions"] = json!([first, second]);
    let defined = try_document(plan, document);
    plan.count_case();
    plan.check("accepted", ASSERTS, defined, Expectation::Accepted);
}

/// A version that declares these strings, one of which is selectable; `v1` is the storage version.
fn version(name: &str, declared: &[&str], selectable: &str) -> Value {
    let properties: Map<String, Value> =
        declared.iter().map(|key| ((*key).to_owned(), json!({ "type": "string" }))).collect();
    json!({
        "name": name,
        "served": true,
        "storage": name == "v1",
        "schema": { "openAPIV3Schema": { "type": "object", "properties": properties } },
        "selectableFields": [{ "jsonPath": format!(".{selectable}") }],
    })
}
