//! Comparison with upstream's own code (`upstream/rules`).
//!
//! The files `data/*.jsonl` have upstream's answers of release 1.36. `upstream/rules/golden.sh` writes them. If
//! `CRDIBLE_RULES_ORACLE` names the program `crdible-rules` of any release, it is asked the same and more.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crdible_cel::Release;
use serde_json::{Value as Json, json};

use crate::answers::of_expression;
use crate::texts::{FILES, requests};

/// Where upstream's answer is not ours, and why. Each must occur in the comparison with release 1.36.
const EXPLAINED: [(&str, &str); 4] =
    [("cannot be bytes", "upstream panics: it has no hash of bytes"), ("", ""), ("", ""), ("", "")];

/// The minor release of the recorded answers.
const RECORDED: u32 = 36;

#[test]
fn upstream_answered_in_the_same_way() {
    let recorded =
        [("values", include_str!("../data/values.jsonl")), ("operators", include_str!("../data/operators.jsonl"))];
    let mut comparison = Comparison::new(RECORDED);
    for (name, answers) in recorded {
        let (_, file) = FILES.iter().find(|(file, _)| *file == name).expect("a file of texts");
        let requests = requests(file, "expression");
        assert_eq!(requests.len(), answers.lines().count(), "{name}: upstream/rules/golden.sh writes the answers");
        for (request, line) in requests.iter().zip(answers.lines()) {
            let line: Json = serde_json::from_str(line).expect("a line of JSON");
            assert_eq!(request["text"], line["text"], "{name}");
            comparison.add(request, &line["answer"]);
        }
    }
    comparison.finish();
}

#[test]
fn upstream_answers_in_the_same_way() {
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let version = &ask(&oracle, &[json!({"op": "version"})])[0];
    let minor = version["kubernetes"].as_str().and_then(|of| of.split('.').nth(1)).expect("a version");
    let mut comparison = Comparison::new(minor.parse().expect("a minor release"));
    let mut questions: Vec<Json> = FILES.iter().flat_map(|(_, file)| requests(file, "expression")).collect();
    questions.extend(harvest());
    for (question, answer) in questions.iter().zip(ask(&oracle, &questions)) {
        comparison.add(question, &answer);
    }
    comparison.finish();
}

/// What the program answers to each question.
pub(crate) fn ask(oracle: &str, questions: &[Json]) -> Vec<Json> {
    let mut program =
        Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = program.stdin.take().expect("its input");
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()).expect("it reads"));
    let output = BufReader::new(program.stdout.take().expect("its output"));
    // The issues of the deepest expressions are too deep for this library.
    let read = |line: String| serde_json::from_str(&line).unwrap_or_else(|error| json!({"unread": error.to_string()}));
    let answers: Vec<Json> = output.lines().map(|line| read(line.expect("a line"))).collect();
    writing.join().expect("all was written");
    program.wait().expect("it ends");
    assert_eq!(answers.len(), questions.len());
    answers
}

/// The expressions of upstream's own tests, which are in the cache of Go's modules where the program was built.
fn harvest() -> Vec<Json> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../upstream");
    let arguments = ["run", "-trimpath", "./rules/harvest", "-operations", "expression"];
    let output = Command::new("go").args(arguments).current_dir(folder).stderr(Stdio::inherit()).output();
    let Ok(output) = output else {
        eprintln!("without the expressions of upstream's tests: there is no Go here");
        return Vec::new();
    };
    assert!(output.status.success(), "the expressions of upstream's tests");
    output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Differences between our answers and upstream's.
struct Comparison {
    minor: u32,
    same: usize,
    unexplained: Vec<String>,
    /// How often each explanation was needed.
    explained: BTreeMap<&'static str, usize>,
}

impl Comparison {
    fn new(minor: u32) -> Self {
        Self { minor, same: 0, unexplained: Vec::new(), explained: BTreeMap::new() }
    }

    fn add(&mut self, request: &Json, upstream: &Json) {
        if ["compat", "stored", "values"].into_iter().any(|field| !request[field].is_null()) {
            return;
        }
        if !upstream["unread"].is_null() {
            return;
        }
        let own = of_expression(request, Release::new_rules(self.minor));
        let Some(kind) = difference(&own, upstream) else {
            self.same += 1;
            return;
        };
        let text = request["text"].as_str().expect("a text");
        match EXPLAINED.iter().find(|(explained, _)| *explained == text) {
            Some((explained, _)) => *self.explained.entry(explained).or_default() += 1,
            None => self.unexplained.push(format!("{kind}\t{text:?}\t{own}\t{upstream}")),
        }
    }

    fn finish(mut self) {
        self.unexplained.sort();
        if let Ok(path) = std::env::var("CRDIBLE_RULES_DIFFERENCES") {
            std::fs::write(path, self.unexplained.join("\n")).expect("the differences are written");
        }
        let (some, count) = (self.unexplained.iter().take(20).cloned().collect::<Vec<_>>(), self.unexplained.len());
        assert!(count == 0, "{} are the same, {count} differ:\n{}", self.same, some.join("\n"));
    }
}

/// How far an expression came.
fn class(answer: &Json) -> &'static str {
    ["issues", "refused", "error", "value", "panic"].into_iter().find(|key| !answer[*key].is_null()).unwrap_or("none")
}

/// What differs between two answers, if something does.
fn difference(own: &Json, upstream: &Json) -> Option<String> {
    let (ours, theirs) = (class(own), class(upstream));
    let varies = |field: &str| upstream["varies"].as_array().is_some_and(|all| all.iter().any(|one| one == field));
    if ours != theirs {
        return (!varies(theirs) && !varies(ours)).then(|| format!("{ours} instead of {theirs}"));
    }
    let fields: &[&str] = match ours {
        "issues" => &["issues"],
        "value" => &["type", "overloads", "value", "spent", "estimate"],
        "error" => &["type", "overloads", "spent", "estimate"],
        "none" => &["type", "overloads", "estimate"],
        _ => &[],
    };
    let differs =
        |field: &&&str| !varies(field) && normal_entry(field, &own[**field]) != normal_entry(field, &upstream[**field]);
    fields.iter().find(differs).map(|field| format!("{field} of {ours}"))
}

/// Without what is not compared.
fn normal(value: &Json) -> Json {
    match value {
        Json::Array(elements) => Json::Array(elements.iter().map(normal).collect()),
        Json::Object(entries) => {
            let entries = entries.iter().filter(|(key, _)| *key != "node");
            Json::Object(entries.map(|(key, value)| (key.clone(), normal_entry(key, value))).collect())
        }
        other => other.clone(),
    }
}

/// A double is printed in two ways, and overloads have no order.
fn normal_entry(key: &str, value: &Json) -> Json {
    match (key, value) {
        ("double", Json::String(text)) => text.parse::<f64>().map_or(Json::Null, |value| value.to_bits().into()),
        // Upstream prints the parameters of some.
        ("type", Json::String(of)) if of.starts_with("list(") || of.starts_with("map(") => {
            of.split('(').next().unwrap_or_default().into()
        }
        ("overloads", Json::Object(calls)) => calls
            .iter()
            .map(|(call, ids)| {
                let mut ids: Vec<&str> = ids.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
                ids.sort_unstable();
                (call.clone(), Json::from(ids))
            })
            .collect(),
        _ => normal(value),
    }
}
