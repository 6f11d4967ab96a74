//! Comparison with upstream's own code, if `CRDIBLE_RULES_ORACLE` names the program `crdible-rules`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::answers::of_expression;

/// The release of the rules that the program takes by default.
const COMPATIBILITY: u32 = 35;

/// Each line of the file in `CRDIBLE_RULES_REQUESTS`, if there is one.
#[test]
fn upstream_answers_in_the_same_way() {
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let Ok(requests) = std::env::var("CRDIBLE_RULES_REQUESTS") else { return };
    let requests = std::fs::read_to_string(requests).expect("the requests");
    let mut program =
        Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = program.stdin.take().expect("its input");
    let lines = requests.clone();
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()).expect("it reads"));
    let output = BufReader::new(program.stdout.take().expect("its output"));
    let (mut same, mut differences) = (0, Vec::new());
    for (request, answer) in requests.lines().zip(output.lines()) {
        let request: Json = serde_json::from_str(request).expect("a request");
        // Too deep for this library: the trees of the deepest expressions.
        let Ok(upstream) = serde_json::from_str::<Json>(&answer.expect("an answer")) else { continue };
        if !request["compat"].is_null() || !request["stored"].is_null() || !request["values"].is_null() {
            continue;
        }
        let own = of_expression(&request, COMPATIBILITY);
        match difference(&own, &upstream) {
            None => same += 1,
            Some(kind) => differences.push(format!("{kind}\t{}\t{own}\t{upstream}", request["text"])),
        }
    }
    writing.join().expect("all was written");
    program.wait().expect("it ends");
    differences.sort();
    std::fs::write(std::env::var("CRDIBLE_RULES_DIFFERENCES").unwrap_or_default(), differences.join("\n")).ok();
    assert!(differences.is_empty(), "{same} are the same, {} differ", differences.len());
}

fn class(answer: &Json) -> &'static str {
    ["issues", "refused", "error", "value"].into_iter().find(|key| !answer[*key].is_null()).unwrap_or("none")
}

fn difference(own: &Json, upstream: &Json) -> Option<String> {
    let (ours, theirs) = (class(own), class(upstream));
    if ours != theirs {
        return Some(format!("{ours} instead of {theirs}"));
    }
    let fields: &[&str] = match ours {
        "issues" => &["issues"],
        "value" => &["type", "overloads", "value", "spent", "estimate"],
        "error" => &["type", "overloads", "spent", "estimate"],
        "none" => &["type", "overloads", "estimate"],
        _ => &[],
    };
    let differs = |field: &&&str| normal_entry(field, &own[**field]) != normal_entry(field, &upstream[**field]);
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
