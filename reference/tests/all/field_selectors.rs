//! Field selectors in requests (chapter 14).

use rstest::rstest;
use serde_json::json;

use crate::support::{THINGS, THINGS_DEFINITION, Target, With, definition, schema, thing, version};

/// Things that can be selected by colour, size and shine; at `v2` they have no selectable fields.
fn target() -> Target {
    let schema =
        schema(&json!({"color": {"type": "string"}, "size": {"type": "integer"}, "shines": {"type": "boolean"}}));
    let fields = json!([{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.size"}, {"jsonPath": ".spec.shines"}]);
    let versions = [version("v1", true, &schema).with("/selectableFields", fields), version("v2", false, &schema)];
    let target = Target::with(&definition(&versions));
    for (name, spec) in [
        ("a", json!({"color": "red", "size": 1, "shines": true})),
        ("b", json!({"color": "blue", "size": 2})),
        ("c", json!({"size": 3})),
        ("d", json!({"color": ""})),
    ] {
        target.create(THINGS, &thing(name, &spec));
    }
    target
}

#[rstest]
#[case::fsel_002("spec.color=red", &["a"])]
#[case::fsel_005_integer("spec.size=2", &["b"])]
#[case::fsel_005_boolean("spec.shines=true", &["a"])]
#[case::fsel_006_absent("spec.color=", &["c", "d"])]
#[case::fsel_006_not("spec.color!=red", &["b", "c", "d"])]
#[case::fsel_006_boolean("spec.shines=", &["b", "c", "d"])]
#[case::fsel_004_and("spec.color!=red,spec.size!=3", &["b", "d"])]
#[case::fsel_001("metadata.name=c,metadata.namespace=default", &["c"])]
fn lists_are_filtered(#[case] selector: &str, #[case] names: &[&str]) {
    let answer = target().get(&format!("{THINGS}?fieldSelector={selector}"));
    assert_eq!((answer.code, answer.names()), (200, names.to_vec()));
}

#[rstest]
#[case::prefix("/apis/example.com/v1/namespaces/default/things?fieldSelector=spec=x")]
#[case::leading_dot("/apis/example.com/v1/namespaces/default/things?fieldSelector=.spec.color=x")]
#[case::after_a_valid_one("/apis/example.com/v1/namespaces/default/things?fieldSelector=spec.color=red,kind=Thing")]
#[case::fsel_012("/apis/example.com/v2/namespaces/default/things?fieldSelector=spec.color=red")]
#[case::watch("/apis/example.com/v1/namespaces/default/things?watch=1&fieldSelector=spec.x=red")]
fn fsel_003_unknown_labels_are_refused(#[case] path: &str) {
    let answer = target().get(path);
    assert_eq!((answer.code, answer.reason()), (400, "BadRequest"));
}

#[test]
fn fsel_008_selectors_apply_to_collections_and_not_to_single_objects() {
    let target = target();
    assert_eq!(target.delete(&format!("{THINGS}?fieldSelector=spec.nothing=x")).code, 400);
    let deleted = target.delete(&format!("{THINGS}?fieldSelector=spec.color=red"));
    assert_eq!((deleted.code, deleted.names()), (200, vec!["a"]));
    assert_eq!(target.get(THINGS).names(), ["b", "c", "d"]);
    assert_eq!(target.get(&format!("{THINGS}/b?fieldSelector=nothing=x")).code, 200);
}

#[test]
fn fsel_007_and_013_new_defaults_are_selected_immediately() {
    let target = target();
    let mut definition = target.get(THINGS_DEFINITION).body;
    for version in [0, 1] {
        let spec = format!("/spec/versions/{version}/schema/openAPIV3Schema/properties/spec");
        definition = definition.with(&format!("{spec}/properties/color/default"), "green");
    }
    assert_eq!(target.put(THINGS_DEFINITION, &definition).code, 200);
    assert_eq!(target.get(&format!("{THINGS}?fieldSelector=spec.color=green")).names(), ["c"]);
}

#[test]
fn fsel_011_pages_count_selected_objects() {
    let target = target();
    let page = target.get(&format!("{THINGS}?fieldSelector=spec.color!=blue&limit=2"));
    assert_eq!((page.names(), page.body["metadata"].get("remainingItemCount")), (vec!["a", "c"], None));
    let rest = target.get(&format!("{THINGS}?fieldSelector=spec.color!=blue&limit=2&continue={}", page.token()));
    assert_eq!(rest.names(), ["d"]);
}
