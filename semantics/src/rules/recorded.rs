//! Rules of schemas, compared with upstream's own code (`upstream/rules`): types, estimates, values and costs.
//!
//! `schemas.jsonl` has the answers of release 1.36, which `upstream/rules/golden.sh` renews. If `CRDIBLE_RULES_ORACLE`
//! names the program `crdible-rules` of any release, it is asked the same.

use std::sync::Arc;

use crdible_cel::{Environment, Type, Value as CelValue};
use serde_json::{Value, json};

use self::compared::{answer, ask, difference, minor_of, release_of, requests};
use super::bind::bound;
use super::declared::Declared;
use crate::{Release, Schema};

#[path = "../../../cel/tests/all/compared.rs"]
mod compared;

/// The rules: each line is a text, and `#!` has the schema and the values of those below it.
const RULES: &str = include_str!("../../../cel/tests/data/schemas.txt");

/// The minor release of the recorded answers.
const RECORDED: u32 = 36;

#[test]
fn upstream_answered_in_the_same_way() {
    let requests = requests(RULES, "eval");
    let answers = include_str!("../../../cel/tests/data/schemas.jsonl").lines();
    let answers: Vec<Value> = answers.map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!(requests.len(), answers.len(), "upstream/rules/golden.sh writes the answers");
    for (request, answer) in requests.iter().zip(&answers) {
        assert_eq!(request["text"], answer["text"], "upstream/rules/golden.sh writes the answers");
    }
    compare(RECORDED, requests.iter().zip(answers.iter().map(|line| &line["answer"])));
}

#[test]
fn upstream_answers_in_the_same_way() {
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let requests = requests(RULES, "eval");
    compare(minor_of(&oracle), requests.iter().zip(&ask(&oracle, &requests)));
}

fn compare<'a>(server: u32, both: impl Iterator<Item = (&'a Value, &'a Value)>) {
    let mut same = 0;
    let mut differences = Vec::new();
    let mut needless = Vec::new();
    for (request, upstream) in both.filter(|(request, _)| is_known(request)) {
        let own = own(request, server);
        match (difference(&own, upstream), explanation(server, request, upstream)) {
            (None, None) => same += 1,
            (None, Some(why)) => needless.push(format!("{}: {why}", request["text"])),
            (Some(_), Some(_)) => {}
            (Some(kind), None) => differences.push(format!("{kind}: {request}\n  - {upstream}\n  + {own}")),
        }
    }
    assert!(differences.is_empty(), "{same} are the same, {} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(needless.is_empty(), "nothing to explain: {needless:?}");
    assert!(same > 750, "only {same} are the same");
}

/// Why an answer of upstream is not ours.
fn explanation(server: u32, request: &Value, upstream: &Value) -> Option<&'static str> {
    if !upstream["panic"].is_null() {
        return Some("upstream panics: an optional element in a literal whose value is no list of constants");
    }
    let repeats = server < 37 && request["text"] == "self == ['a', 'a']";
    repeats.then_some("until 1.36, a set is the same as a list that repeats an element (upstream/known-defects.toml)")
}

/// Whether the functions of the release are known that a request must be compatible with: of one before 1.32, those of
/// 1.32 are.
fn is_known(request: &Value) -> bool {
    const OLDEST: u32 = 32;
    let compatibility = request["compat"].as_str().and_then(|of| of.strip_prefix("1.")?.parse::<u32>().ok());
    request["stored"] == true || compatibility.is_none_or(|minor| minor >= OLDEST)
}

/// Our answer to a request.
fn own(request: &Value, server: u32) -> Value {
    let (schema, _) = Schema::parse(&request["schema"]).expect("a schema");
    let is_resource = request["root"] == true;
    let release = Release::nearest(u16::try_from(server).expect("a minor release"));
    let Some(declared) = Declared::of(&schema, is_resource, release) else {
        return json!({"refused": "the schema has no type for rules"});
    };
    let is_optional = request["optionalOldSelf"] == true;
    let (of, old) = (declared.of.clone(), declared.of.clone());
    let environment = Environment::new(release_of(request, server))
        .with_objects(Arc::new(declared.types()))
        .with_variable("self", of)
        .with_variable("oldSelf", if is_optional { Type::optional(old) } else { old });
    let given = |name: &str| request.get(name).map(|value| bound(value, &schema, is_resource, release));
    let old = match (given("oldSelf"), is_optional) {
        (Some(old), true) => Some(old.map(CelValue::some)),
        (None, true) => Some(Ok(CelValue::Optional(None))),
        (old, false) => old,
    };
    let own = given("self");
    let variables = |name: &str| if name == "self" { own.clone() } else { old.clone() };
    let text = request["text"].as_str().expect("a text");
    answer(text, &environment, &declared, Some(&variables))
}
