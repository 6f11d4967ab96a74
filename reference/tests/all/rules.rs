//! CEL rules of definitions (chapter 7, VALUE-039, CRDVAL-053). The answers are those of kube-apiserver 1.36.3.

use crdible_reference::Options;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, DEFINITIONS, THING, THINGS, THINGS_DEFINITION, Target, With, definition, definition_of, schema, thing,
    version,
};

const STATUS: &str = "/apis/example.com/v1/namespaces/default/things/a/status";

/// Things whose `n` is positive and never falls, with `s` of at most three characters.
fn ruled() -> Value {
    let rule = json!([{"rule": "self > 0", "message": "must be positive"}, {"rule": "self >= oldSelf"}]);
    let spec = json!({
        "n": {"type": "integer", "x-kubernetes-validations": rule},
        "s": {"type": "string", "maxLength": 3},
        "l": {"type": "integer", "minimum": 0},
    });
    let status = json!({"type": "object", "properties": {"r": {"type": "integer"}}});
    let within = json!([{"rule": "!has(self.status) || !has(self.status.r) || self.status.r <= self.spec.n"}]);
    let schema = schema(&spec).with("/properties/status", status).with("/x-kubernetes-validations", within);
    definition(&[version("v1", true, &schema).with("/subresources", json!({"status": {}}))])
}

#[rstest]
#[case::kept(json!({"n": 1}), "201")]
#[case::absent(json!({}), "201")]
#[case::broken(json!({"n": 0}), "422 spec.n Invalid")]
#[case::beside_others(json!({"n": 0, "l": -1}), "422 spec.l Invalid, spec.n Invalid")]
#[case::not_asked(json!({"n": 0, "s": "long"}), "422 <nil> Invalid, spec.s TooLong")]
fn cel_033_new_objects(#[case] spec: Value, #[case] expected: &str) {
    let target = Target::with(&ruled());
    let answer = target.post(THINGS, &thing("a", &spec));
    assert_eq!(answer.refusal(), expected, "{}", answer.text);
}

#[test]
fn cel_035_the_message_is_that_of_the_rule() {
    let target = Target::with(&ruled());
    let answer = target.post(THINGS, &thing("a", &json!({"n": 0})));
    assert_eq!(answer.message(), "Thing.example.com \"a\" is invalid: spec.n: Invalid value: 0: must be positive");
}

/// An object that broke a rule before it was there.
fn with_a_wrong_one() -> Target {
    let plain =
        definition(&[version("v1", true, &schema(&json!({"n": {"type": "integer"}, "s": {"type": "string"}})))]);
    let target = Target::with(&plain);
    target.create(THINGS, &thing("a", &json!({"n": 0})));
    let versions = ruled()["spec"]["versions"].clone();
    let changed = target.merge(THINGS_DEFINITION, &json!({"spec": {"versions": versions}}));
    assert_eq!(changed.code, 200, "{}", changed.text);
    target
}

#[test]
fn ratchet_014_what_was_wrong_before_is_a_warning() {
    let target = with_a_wrong_one();
    let answer = target.merge(THING, &json!({"spec": {"s": "b"}}));
    let warning = "299 - \"spec.n: Invalid value: 0: must be positive\"";
    assert_eq!((answer.code, answer.warnings), (200, vec![warning.to_owned()]));
    assert_eq!(target.merge(THING, &json!({"spec": {"n": -1}})).refusal(), "422 spec.n Invalid, spec.n Invalid");
    // The warning is sent also if something else is wrong.
    let answer = target.merge(THING, &json!({"spec": {"l": -1}}));
    assert_eq!((answer.refusal(), answer.warnings.len()), ("422 spec.l Invalid".to_owned(), 1));
}

#[test]
fn cel_031_transitions_compare_with_the_stored_object() {
    let target = Target::with(&ruled());
    target.create(THINGS, &thing("a", &json!({"n": 2})));
    assert_eq!(target.merge(THING, &json!({"spec": {"n": 1}})).refusal(), "422 spec.n Invalid");
    assert_eq!(target.merge(THING, &json!({"spec": {"n": 3}})).refusal(), "200");
}

#[test]
fn rules_of_the_whole_are_asked_about_a_status() {
    let target = Target::with(&ruled());
    target.create(THINGS, &thing("a", &json!({"n": 2})));
    let write = |r: i64| target.merge(STATUS, &json!({"status": {"r": r}}));
    assert_eq!(write(3).refusal(), "422 <nil> Invalid");
    assert_eq!(write(2).refusal(), "200");
    assert_eq!(target.put(STATUS, &target.get(THING).body.with("/status/r", 5)).refusal(), "422 <nil> Invalid");
}

fn create(property: &Value) -> Answer {
    Target::new().post(DEFINITIONS, &definition_of(&schema(&json!({"a": property}))))
}

#[rstest]
#[case::kept(json!({"type": "integer", "default": 1}), "201")]
#[case::broken(json!({"type": "integer", "default": 0}), "default Invalid")]
fn crdval_053_defaults_keep_rules(#[case] property: Value, #[case] expected: &str) {
    let answer = create(&property.with("/x-kubernetes-validations", json!([{"rule": "self > 0"}])));
    assert!(answer.refusal().ends_with(expected), "{}", answer.text);
}

#[test]
fn cel_001_a_rule_that_does_not_compile_is_refused() {
    let rule = json!([{"rule": "self > no"}]);
    let answer = create(&json!({"type": "integer", "x-kubernetes-validations": rule}));
    let field = "spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].rule";
    assert_eq!(answer.causes(), [format!("{field} Invalid")]);
    assert!(answer.message().contains("undeclared reference to 'no'"), "{}", answer.message());
}

#[test]
fn rules_of_objects_are_ignored_by_option() {
    let target = Target::with_options(Options { ignore_rules: true, ..Options::default() }).having(&ruled());
    assert_eq!(target.post(THINGS, &thing("a", &json!({"n": 0}))).code, 201);
}
