//! The words of refusals are those of kube-apiserver 1.36.3 (VALUE-043): what clients print, and some read.
//!
//! The files beside this one hold what was sent to it, and what it answered. Causes have no order.

use rstest::rstest;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{DEFINITIONS, Target};

const OBJECTS: &str = "/apis/w.example.org/v1/namespaces/default/things";

/// What was sent, and the fields and messages of the causes, or the message of an answer without causes.
#[derive(Deserialize)]
struct Refused {
    body: Value,
    #[serde(default)]
    causes: Vec<(String, String)>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct OfObjects {
    definition: Value,
    objects: Vec<Refused>,
}

impl Refused {
    /// What a server says otherwise.
    fn differences(&self, target: &Target, path: &str) -> Option<String> {
        let answer = target.post(path, &self.body);
        if let Some(message) = &self.message {
            let said = answer.body["message"].as_str().unwrap_or_default();
            return (said != message).then(|| format!("{}\n  - {message}\n  + {said}", self.body));
        }
        let causes = answer.body["details"]["causes"].as_array().into_iter().flatten();
        let mut said: Vec<(String, String)> = causes
            .map(|cause| ["field", "message"].map(|key| cause[key].as_str().unwrap_or_default().to_owned()))
            .map(|[field, message]| (field, message))
            .collect();
        said.sort();
        let lines = |sign: &str, of: &[(String, String)], without: &[(String, String)]| {
            let others = of.iter().filter(|cause| !without.contains(cause));
            let lines: Vec<String> = others.map(|(field, message)| format!("\n  {sign} {field}: {message}")).collect();
            lines.concat()
        };
        (said != self.causes).then(|| {
            let (missing, further) = (lines("-", &self.causes, &said), lines("+", &said, &self.causes));
            format!("{}{missing}{further}", self.body)
        })
    }
}

fn assert_alike(refused: &[Refused], target: &Target, path: &str) {
    let differences: Vec<String> = refused.iter().filter_map(|row| row.differences(target, path)).collect();
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), refused.len(), differences.join("\n"));
}

#[test]
fn definitions_are_refused_in_upstreams_words() {
    let refused: Vec<Refused> = serde_json::from_str(include_str!("definitions.json")).unwrap();
    assert_alike(&refused, &Target::new(), &format!("{DEFINITIONS}?dryRun=All"));
}

#[test]
fn objects_are_refused_in_upstreams_words() {
    let OfObjects { definition, objects } = serde_json::from_str(include_str!("objects.json")).unwrap();
    assert_alike(&objects, &Target::with(&definition), &format!("{OBJECTS}?dryRun=All"));
}

/// A request that is refused with a message alone.
#[derive(Deserialize)]
struct Request {
    method: String,
    /// What follows the path of the objects.
    path: String,
    #[serde(default = "json")]
    r#type: String,
    #[serde(default)]
    body: String,
    message: String,
}

fn json() -> String {
    "application/json".to_owned()
}

/// Bodies that are not JSON or not objects, options, patches, selectors and tokens.
#[test]
fn requests_are_refused_in_upstreams_words() {
    let OfObjects { definition, .. } = serde_json::from_str(include_str!("objects.json")).unwrap();
    let requests: Vec<Request> = serde_json::from_str(include_str!("requests.json")).unwrap();
    let target = Target::with(&definition);
    target
        .create(OBJECTS, &json!({ "apiVersion": "w.example.org/v1", "kind": "Thing", "metadata": { "name": "real" } }));
    let differences = requests.iter().filter_map(|request| {
        let Request { method, path, r#type, body, message } = request;
        let answer = target.send_as(r#type, method, &format!("{OBJECTS}{path}"), body.clone());
        let said = answer.message();
        (said != message).then(|| format!("{method} {path} {body}\n  - {message}\n  + {said}"))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), requests.len(), differences.join("\n"));
}

#[rstest]
#[case("labelSelector=a%20b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt")]
#[case("labelSelector=a%3E%3Dx", "unable to parse requirement: found '=', expected: identifier")]
#[case("labelSelector=a%20in%20(b", "unable to parse requirement: found '', expected: ',' or ')'")]
#[case("labelSelector=,", "found ',', expected: !, identifier, or 'end of string'")]
#[case("labelSelector=!", "unable to parse requirement: found '', expected: identifier")]
#[case(
    "labelSelector=a%3Ex",
    "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"
)]
#[case(
    "resourceVersion=x",
    "invalid resource version: resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax"
)]
#[case("limit=x", "strconv.ParseInt: parsing \"x\": invalid syntax")]
fn queries_are_refused_in_upstreams_words(#[case] query: &str, #[case] message: &str) {
    let answer = Target::new().get(&format!("/api/v1/namespaces?{query}"));
    assert_eq!((answer.code, answer.body["message"].as_str()), (400, Some(message)));
}
