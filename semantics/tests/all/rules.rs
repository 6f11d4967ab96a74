//! Rules of definitions, and of objects (chapter 7), compared with upstream's own code (`upstream/rules`).
//!
//! `data/rules.jsonl` has requests with the answers of release 1.36, which `upstream/rules/golden.sh` renews. If
//! `CRDIBLE_RULES_ORACLE` names the program `crdible-rules` of any release, it is asked the same, or what the file
//! `CRDIBLE_RULES_REQUESTS` has.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
};

use crdible_semantics::{Release, Rules, Schema, Semantics, Violation, release::Version};
use serde_json::{Value, json};

#[test]
fn upstream_found_the_same() {
    let (requests, answers): (Vec<Value>, Vec<Value>) = recorded().into_iter().unzip();
    compare(Release::BASELINE, &requests, &answers);
}

#[test]
fn upstream_finds_the_same() {
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let (requests, recorded): (Vec<Value>, Vec<Value>) = match std::env::var("CRDIBLE_RULES_REQUESTS") {
        Ok(file) => {
            read(&std::fs::read_to_string(file).unwrap()).into_iter().map(|request| (request, json!({}))).unzip()
        }
        Err(_) => recorded().into_iter().unzip(),
    };
    let version = &ask(&oracle, &[json!({"op": "version"})])[0];
    let version: Version = version["kubernetes"].as_str().unwrap().parse().unwrap();
    let mut answers = ask(&oracle, &requests);
    // What varies was found out when it was recorded: each request was asked several times then.
    for (answer, recorded) in answers.iter_mut().zip(recorded) {
        answer["varies"] = recorded["varies"].clone();
    }
    compare(version.nearest(), &requests, &answers);
}

fn compare(release: Release, requests: &[Value], answers: &[Value]) {
    let semantics = Semantics::at(release);
    let both = requests.iter().zip(answers);
    let differences: Vec<String> =
        both.filter_map(|(request, answer)| difference(&semantics, request, answer)).collect();
    let count = requests.len();
    assert!(differences.is_empty(), "{} of {count} differ:\n{}", differences.len(), differences.join("\n"));
}

fn read(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The requests, and what upstream answered.
fn recorded() -> Vec<(Value, Value)> {
    let lines = read(include_str!("../data/rules.jsonl")).into_iter();
    lines.map(|mut line| (line["request"].take(), line["answer"].take())).collect()
}

/// What the program answers to each request.
fn ask(oracle: &str, requests: &[Value]) -> Vec<Value> {
    let mut program = Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = program.stdin.take().unwrap();
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect::<Vec<_>>().concat();
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = BufReader::new(program.stdout.take().unwrap());
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    writing.join().unwrap();
    program.wait().unwrap();
    assert_eq!(answers.len(), requests.len());
    answers
}

/// Our answer and upstream's, if they differ.
fn difference(semantics: &Semantics, request: &Value, upstream: &Value) -> Option<String> {
    let (mut own, mut wanted) = (own(semantics, request), Answer::of_upstream(upstream));
    if semantics.release < Release::BASELINE {
        own.causes = own.causes.iter().map(|cause| without_words_of_a_release(cause)).collect();
        wanted.causes = wanted.causes.iter().map(|cause| without_words_of_a_release(cause)).collect();
        own.causes.sort();
        wanted.causes.sort();
    }
    // The order in which upstream walks a map decides where its budget ends, and which error of many it names.
    if upstream["varies"].as_array().is_some_and(|varies| varies.contains(&json!("causes"))) {
        assert!(!own.causes.is_empty(), "{request}");
        own.causes.clear();
        wanted.causes.clear();
    }
    (own != wanted).then(|| format!("{request}\n  - {wanted:?}\n  + {own:?}"))
}

/// A cause without what older releases write in another way: how a rule is printed (in 1.33, with addresses of the
/// server's memory), which member is wrong, and the plural of one.
fn without_words_of_a_release(cause: &str) -> String {
    let cause = cause.replace(": fieldPath must", ": must").replace(": message must", ": must");
    let cause = cause.replace("than 1 bytes", "than 1 byte").replace("most 1 items", "most 1 item");
    let printed = [("apiextensions.ValidationRule{", "OptionalOldSelf:"), ("{\"Rule\":", "\"OptionalOldSelf\":")];
    for (begin, last) in printed {
        let parts = cause.split_once(begin).and_then(|(before, rule)| {
            let (_, after) = rule.rsplit_once(last)?;
            Some((before, after.split_once("}: ")?.1))
        });
        if let Some((before, after)) = parts {
            return format!("{before}RULE: {after}");
        }
    }
    cause
}

/// What is wrong, in no order: upstream walks maps at random.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    causes: Vec<String>,
    warnings: Vec<String>,
}

impl Answer {
    fn new(mut causes: Vec<String>, mut warnings: Vec<String>) -> Self {
        causes.sort();
        warnings.sort();
        Self { causes, warnings }
    }

    fn of_upstream(answer: &Value) -> Self {
        let all = |what: &str| answer[what].as_array().into_iter().flatten();
        let part = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
        let causes = all("causes").map(|cause| ["field", "reason", "text"].map(|name| part(cause, name)).join(" | "));
        Self::new(causes.collect(), all("warnings").map(|one| one.as_str().unwrap_or_default().to_owned()).collect())
    }
}

fn own(semantics: &Semantics, request: &Value) -> Answer {
    let shown = |one: &Violation| [&one.field, one.reason.on_the_wire(), &one.message()].join(" | ");
    if request["op"] == "definition" {
        let new = &request["definition"];
        let found = match request.get("oldDefinition") {
            Some(old) => semantics.definition_update_violations(new, old),
            None => semantics.definition_violations(new),
        };
        // The requests have no status.
        let is_meant = |one: &&Violation| !one.field.starts_with("status");
        return Answer::new(found.iter().filter(is_meant).map(shown).collect(), Vec::new());
    }
    let (schema, _) = Schema::parse(&request["schema"]).unwrap();
    let rules = Rules::of(&schema, semantics);
    let found = semantics.rule_findings(&rules, &request["object"], &schema, request.get("oldObject"));
    Answer::new(found.violations.iter().map(shown).collect(), found.warnings)
}
