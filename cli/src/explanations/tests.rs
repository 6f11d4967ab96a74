//! What is said of recorded requests, word for word.

use crdible_reports::{
    journal::{Body, Request, RequestHeader},
    render::{self, Style},
};
use crdible_semantics::Release;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Answers, of_requests};

const THINGS: &str = "/apis/g.dev/v1/namespaces/n/things";

fn sent(method: &str, path: &str, body: &Value, status: u16, response: &Value) -> Request {
    let content_type = match (method, body) {
        ("PATCH", Value::Array(_)) => "application/json-patch+json",
        ("PATCH", _) => "application/merge-patch+json",
        _ => "application/json",
    };
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        headers: vec![RequestHeader { name: "Content-Type".to_owned(), value: content_type.to_owned() }],
        body: Some(Body::Text(body.to_string())),
        status: Some(status),
        response: Some(Body::Text(response.to_string())),
        about: None,
    }
}

/// Creates the definition of things, whose specs have these rules. A status is written by itself.
fn defined(rules: &Value) -> Request {
    let number = json!({ "type": "integer" });
    let hosts = json!({ "type": "array", "items": {
        "type": "string", "x-kubernetes-validations": [{ "rule": "self != 'x'" }, { "rule": "self.size() < 4" }],
    } });
    let spec = json!({
        "type": "object", "x-kubernetes-validations": rules,
        "properties": { "min": number, "max": { "type": "integer", "default": 3 }, "hosts": hosts },
    });
    let status = json!({ "type": "object", "properties": { "n": {
        "type": "integer", "x-kubernetes-validations": [{ "rule": "self >= oldSelf" }],
    } } });
    let schema = json!({ "type": "object", "properties": { "spec": spec, "status": status } });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.g.dev" },
        "spec": { "group": "g.dev", "scope": "Namespaced", "names": { "plural": "things", "kind": "Thing" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": schema } }] },
    });
    sent("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &definition, 201, &definition)
}

fn thing(spec: &Value) -> Value {
    json!({ "apiVersion": "g.dev/v1", "kind": "Thing", "metadata": { "name": "a" }, "spec": spec })
}

/// A create that is accepted as it is.
fn created(spec: &Value) -> Request {
    sent("POST", THINGS, &thing(spec), 201, &thing(spec))
}

/// A refusal with these causes.
fn refusal(causes: &[(&str, &str)]) -> Value {
    let cause =
        |(field, message): &(&str, &str)| json!({ "reason": "FieldValueInvalid", "field": field, "message": message });
    json!({ "kind": "Status", "code": 422, "details": { "causes": causes.iter().map(cause).collect::<Vec<_>>() } })
}

fn said_by(requests: &[Request], answers: Answers) -> String {
    let text = render::rules(&of_requests(requests, Release::BASELINE, answers), Style::default());
    text.strip_prefix("\nwhat the rules say\n").unwrap_or(&text).to_owned()
}

fn said(requests: &[Request]) -> String {
    said_by(requests, Answers::OfTheTarget)
}

fn ordered() -> Value {
    json!([{ "rule": "!has(self.min) || self.min <= self.max" }])
}

const MIN_AND_MAX: &str = "  rule: !has(self.min) || self.min <= self.max
  written at: openAPIV3Schema.properties[spec].x-kubernetes-validations[0] of v1
";

#[test]
fn an_accepted_object_that_a_rule_refuses() {
    // The default counts, and an unknown field does not.
    let text = said(&[defined(&ordered()), created(&json!({ "min": 5, "unknown": 1 }))]);
    let expected = format!(
        "POST {THINGS} was accepted (201), although this rule is false
{MIN_AND_MAX}  self, spec: {{\"max\":3,\"min\":5}}
  because !has(self.min) is false
    has(self.min) is true
  because self.min <= self.max is false
    self.min is 5
    self.max is 3
"
    );
    assert_eq!(text, expected);
}

#[test]
fn an_object_that_is_refused_although_its_rules_hold() {
    let spec = json!({ "min": 1, "max": 2 });
    let refused = refusal(&[("spec", "Invalid value: failed rule")]);
    let text = said(&[defined(&ordered()), sent("POST", THINGS, &thing(&spec), 422, &refused)]);
    let expected = format!(
        "POST {THINGS} was refused (422), although this rule is true
{MIN_AND_MAX}  self, spec: {{\"max\":2,\"min\":1}}
  because self.min <= self.max is true
    self.min is 1
    self.max is 2
"
    );
    assert_eq!(text, expected);
}

/// Of two causes one is right, and the other one names a rule that holds.
#[test]
fn a_cause_of_a_rule_that_holds() {
    let rules = json!([{ "rule": "self.min > 1" }, { "rule": "self.max > 1" }]);
    let causes =
        [("spec", "Invalid value: failed rule: self.min > 1"), ("spec", "Invalid value: failed rule: self.max > 1")];
    let refused = |count: usize| sent("POST", THINGS, &thing(&json!({ "min": 1 })), 422, &refusal(&causes[..count]));
    let text = said(&[defined(&rules), refused(2)]);
    let expected = format!(
        "POST {THINGS} was refused (422), although this rule is true
  rule: self.max > 1
  written at: openAPIV3Schema.properties[spec].x-kubernetes-validations[1] of v1
  self, spec: {{\"max\":3,\"min\":1}}
  because self.max is 3
"
    );
    assert_eq!(text, expected);
    // The answer is right in every word: the rule that refuses is shown, because nothing says more.
    let text = said(&[defined(&rules), refused(1)]);
    assert!(
        text.starts_with(&format!("POST {THINGS} was refused (422), and this rule is false\n  rule: self.min > 1\n"))
    );
    assert!(!text.contains("self.max"), "{text}");
}

#[test]
fn elements_are_named_with_their_places() {
    let text = said(&[defined(&json!([])), created(&json!({ "hosts": ["ab", "abcde"] }))]);
    let expected = format!(
        "POST {THINGS} was accepted (201), although this rule is false
  rule: self.size() < 4
  written at: openAPIV3Schema.properties[spec].properties[hosts].items.x-kubernetes-validations[1] of v1
  self, spec.hosts[1]: \"abcde\"
  because self.size() is 5
"
    );
    assert_eq!(text, expected);
}

#[test]
fn a_rule_without_a_value_says_its_error() {
    let text = said(&[defined(&json!([{ "rule": "self.min > 0" }])), created(&json!({}))]);
    let expected = format!(
        "POST {THINGS} was accepted (201), although this rule has no value
  rule: self.min > 0
  written at: openAPIV3Schema.properties[spec].x-kubernetes-validations[0] of v1
  self, spec: {{\"max\":3}}
  error: no such key: min
  because self.min is error: no such key: min
"
    );
    assert_eq!(text, expected);
}

/// The value before is that of the last answer, however the new one is written.
#[rstest]
#[case::put("PUT", "", &thing(&json!({ "min": 1, "max": 9 })))]
#[case::merge_patch("PATCH", "", &json!({ "spec": { "min": 1 } }))]
#[case::json_patch("PATCH", "", &json!([{ "op": "replace", "path": "/spec/min", "value": 1 }]))]
#[case::dry_run("PATCH", "?dryRun=All", &json!({ "spec": { "min": 1 }, "status": { "n": 0 } }))]
fn transitions_name_the_old_value(#[case] method: &str, #[case] query: &str, #[case] body: &Value) {
    let path = format!("{THINGS}/a{query}");
    let old = json!({ "min": 2, "max": 9 });
    let mut stored = thing(&old);
    stored["status"] = json!({ "n": 7 });
    let rules = json!([{ "rule": "self.min >= oldSelf.min" }]);
    let read = sent("GET", &format!("{THINGS}/a"), &Value::Null, 200, &stored);
    let write = sent(method, &path, body, 200, &thing(&json!({ "min": 1, "max": 9 })));
    let text = said(&[defined(&rules), created(&old), read, write]);
    let expected = format!(
        "{method} {path} was accepted (200), although this rule is false
  rule: self.min >= oldSelf.min
  written at: openAPIV3Schema.properties[spec].x-kubernetes-validations[0] of v1
  self, spec: {{\"max\":9,\"min\":1}}
  oldSelf: {{\"max\":9,\"min\":2}}
  because self.min is 1
  because oldSelf.min is 2
"
    );
    assert_eq!(text, expected);
}

/// A write of the status changes nothing else, and other writes do not change the status.
#[test]
fn a_status_is_written_by_itself() {
    let mut stored = thing(&json!({ "min": 1 }));
    stored["status"] = json!({ "n": 7 });
    let read = || sent("GET", &format!("{THINGS}/a"), &Value::Null, 200, &stored);
    let mut wanted = thing(&json!({ "min": 99 }));
    wanted["status"] = json!({ "n": 6 });
    let written = |path: &str| {
        said(&[defined(&ordered()), created(&json!({ "min": 1 })), read(), sent("PUT", path, &wanted, 200, &stored)])
    };
    let text = written(&format!("{THINGS}/a/status"));
    let of_status = "  rule: self >= oldSelf
  written at: openAPIV3Schema.properties[status].properties[n].x-kubernetes-validations[0] of v1
  self, status.n: 6
  oldSelf: 7
  because self is 6
  because oldSelf is 7
";
    assert_eq!(text, format!("PUT {THINGS}/a/status was accepted (200), although this rule is false\n{of_status}"));
    let text = written(&format!("{THINGS}/a"));
    assert!(text.contains(MIN_AND_MAX) && !text.contains("status"), "{text}");
}

#[test]
fn what_was_there_before_only_warns() {
    let broken = json!({ "min": 5 });
    let mut labelled = thing(&broken);
    labelled["metadata"]["labels"] = json!({ "l": "v" });
    let refused = refusal(&[("spec", "Invalid value: failed rule: !has(self.min) || self.min <= self.max")]);
    let path = format!("{THINGS}/a");
    let requests = |status: u16, answer: &Value| {
        let read = sent("GET", &path, &Value::Null, 200, &thing(&broken));
        [defined(&ordered()), read, sent("PUT", &path, &labelled, status, answer)]
    };
    let text = said(&requests(422, &refused));
    let start = format!(
        "PUT {path} was refused (422), although this rule, which is false, only warns: the value was there before\n\
         {MIN_AND_MAX}"
    );
    assert!(text.starts_with(&start), "{text}");
    let text = said(&requests(200, &labelled));
    assert!(text.starts_with(&format!("PUT {path} was accepted (200), and this rule, which is false, only")), "{text}");
}

/// What a changed definition says counts from then on; and nothing, once that is not known.
#[test]
fn a_definition_may_change() {
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.g.dev";
    let change = |body: &Value| sent("PATCH", definitions, body, 200, &json!({}));
    let versions = |rules: &Value| {
        let Some(Body::Text(text)) = defined(rules).body else { panic!("it has a body") };
        let definition: Value = serde_json::from_str(&text).expect("JSON");
        json!({ "spec": { "versions": definition["spec"]["versions"] } })
    };
    let write = || created(&json!({ "min": 5 }));
    let looser = versions(&json!([{ "rule": "self.min <= 9" }]));
    assert_eq!(said(&[defined(&ordered()), change(&looser), write()]), "");
    let stricter = versions(&json!([{ "rule": "self.min <= 4" }]));
    assert!(said(&[defined(&ordered()), change(&stricter), write()]).contains("  rule: self.min <= 4\n"));
    assert_eq!(said(&[defined(&ordered()), change(&json!([])), write()]), "");
    let mut refused = change(&looser);
    refused.status = Some(422);
    assert!(said(&[defined(&ordered()), refused, write()]).contains(MIN_AND_MAX));
}

/// Nothing is said where rules decide nothing, or where it is not known what they see.
#[rstest]
#[case::accepted_rightly(created(&json!({ "min": 1 })))]
#[case::rules_are_not_asked(created(&json!({ "min": "text" })))]
#[case::conflict(sent("POST", THINGS, &thing(&json!({ "min": 5 })), 409, &json!({ "kind": "Status" })))]
#[case::never_read(sent("PUT", &format!("{THINGS}/b"), &thing(&json!({ "min": 5 })), 200, &json!({})))]
#[case::scale(sent("PUT", &format!("{THINGS}/a/scale"), &thing(&json!({ "min": 5 })), 200, &json!({})))]
#[case::read(sent("GET", &format!("{THINGS}/a"), &thing(&json!({ "min": 5 })), 200, &json!({})))]
#[case::another_group(sent("POST", "/apis/h.dev/v1/namespaces/n/things", &thing(&json!({ "min": 5 })), 201, &json!({})))]
#[case::another_version(sent("POST", "/apis/g.dev/v2/namespaces/n/things", &thing(&json!({ "min": 5 })), 201, &json!({})))]
#[case::refused_for_its_type(
    sent("POST", THINGS, &thing(&json!({ "min": "x" })), 422, &refusal(&[("spec.min", "Invalid value: \"string\": …")]))
)]
fn otherwise_nothing_is_said(#[case] request: Request) {
    assert_eq!(said(&[defined(&ordered()), created(&json!({ "min": 1 })), request]), "");
}

#[test]
fn without_answers_true_rules_are_named_unless_one_is_false() {
    let with = |spec: &Value| said_by(&[defined(&ordered()), created(spec)], Answers::Own);
    let text = with(&json!({ "min": 1, "hosts": ["a", "b"] }));
    assert!(text.starts_with(&format!("POST {THINGS}: this rule is true\n{MIN_AND_MAX}")), "{text}");
    assert_eq!(text.matches("  rule: ").count(), 2, "{text}");
    let text = with(&json!({ "min": 5, "hosts": ["a", "b"] }));
    assert!(text.starts_with(&format!("POST {THINGS}: this rule is false\n{MIN_AND_MAX}")), "{text}");
    assert_eq!(text.matches("  rule: ").count(), 1, "{text}");
}

#[test]
fn the_list_is_short_and_says_so() {
    let hosts: Vec<String> = (0..20).map(|number| format!("{number:05}")).collect();
    let text = said(&[defined(&json!([])), created(&json!({ "hosts": hosts }))]);
    assert_eq!(text.matches("  rule: ").count(), 6, "{text}");
    assert_eq!(text.matches("although").count(), 1, "the request is named once: {text}");
    assert!(text.ends_with("and 14 more evaluations, which are not listed\n"), "{text}");
}
