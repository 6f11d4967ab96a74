//! Requests to `crdible-rules` (see `upstream/README.md`), our answers, and how they are compared with upstream's. The
//! tests of `crdible-semantics` have this file as well.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use crdible_cel::syntax::parse;
use crdible_cel::{Environment, Evaluated, Issue, Reference, Release, Sizes, Value, check, estimate, plan};
use serde_json::{Map, Value as Json, json};

/// The tag of a value that no key finds.
pub(crate) const UNFOUND: &str = "unfound";

/// What one evaluation may spend.
pub(crate) const LIMIT: u64 = 1_000_000;

/// The requests that a file stands for: each line is a text, and `#!` has the fields of those below it.
pub(crate) fn requests(file: &str, operation: &str) -> Vec<Json> {
    let mut common = json!({});
    let mut requests = Vec::new();
    for line in file.lines() {
        if let Some(fields) = line.strip_prefix("#!") {
            common = serde_json::from_str(fields).expect("fields of requests");
        } else if !line.is_empty() && !line.starts_with('#') {
            // A text with line breaks is written as JSON has it.
            let quoted = line.starts_with('"').then(|| serde_json::from_str::<String>(line).ok()).flatten();
            let mut request = common.clone();
            request["op"] = operation.into();
            request["text"] = quoted.unwrap_or_else(|| line.to_owned()).into();
            requests.push(request);
        }
    }
    requests
}

/// What the program answers to each question.
pub(crate) fn ask(oracle: &str, questions: &[Json]) -> Vec<Json> {
    let mut program =
        Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = program.stdin.take().expect("its input");
    let lines: Vec<String> = questions.iter().map(Json::to_string).collect();
    let lines = lines.join("\n") + "\n";
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

/// The minor release of Kubernetes whose code the program has.
pub(crate) fn minor_of(oracle: &str) -> u32 {
    let version = &ask(oracle, &[json!({"op": "version"})])[0];
    let minor = version["kubernetes"].as_str().and_then(|of| of.split('.').nth(1)).expect("a version");
    minor.parse().expect("a minor release")
}

/// The release that a request means, of a server of this minor release.
pub(crate) fn release_of(request: &Json, server: u32) -> Release {
    let compatibility = request["compat"].as_str().map(|of| of.trim_start_matches("1.").parse().expect("1.MINOR"));
    match (request["stored"] == true, compatibility) {
        (true, _) => Release::stored_rules(server),
        (false, Some(minor)) => Release::new_rules(server).compatible_with(minor),
        (false, None) => Release::new_rules(server),
    }
}

/// The values of variables.
pub(crate) type Variables<'a> = dyn Fn(&str) -> Option<Evaluated> + 'a;

/// Our answer: what upstream's has. Without variables, nothing is evaluated.
pub(crate) fn answer(
    text: &str,
    environment: &Environment,
    sizes: &dyn Sizes,
    variables: Option<&Variables<'_>>,
) -> Json {
    let ast = match parse(text, &environment.release().syntax()) {
        Ok(ast) => ast,
        Err(issues) => return of_issues(text, &issues),
    };
    let checked = match check(ast, environment) {
        Ok(checked) => checked,
        Err(issues) => return of_issues(text, &issues),
    };
    let overloads = (0..checked.ast().ids()).filter_map(|id| {
        let id = checked.ast().id(id)?;
        match checked.reference(id) {
            Some(Reference::Overloads(ids)) => Some((id.index().to_string(), json!(ids))),
            _ => None,
        }
    });
    let mut answer = json!({"type": checked.result().to_string(), "overloads": overloads.collect::<Map<_, _>>()});
    let bounds = estimate(&checked, sizes);
    answer["estimate"] = json!({"min": bounds.least, "max": bounds.most});
    let program = match plan(&checked, environment) {
        Ok(program) => program,
        Err(error) => return json!({"refused": error.message}),
    };
    let Some(variables) = variables else { return answer };
    let (value, spent) = program.evaluate(variables, LIMIT);
    match value {
        Ok(value) => answer["value"] = tagged(&value),
        Err(error) => answer["error"] = json!(error.message),
    }
    answer["spent"] = json!(spent.units);
    answer
}

fn of_issues(text: &str, issues: &[Issue]) -> Json {
    let place = |offset: u32| {
        let before: Vec<char> = text.chars().take(offset as usize).collect();
        let line = before.iter().filter(|one| **one == '\n').count();
        let column = before.iter().rev().take_while(|one| **one != '\n').count();
        (line + 1, column + 1)
    };
    let issue = |issue: &Issue| {
        let (line, column) = issue.offset.map_or((0, 0), place);
        json!({"line": line, "column": column, "text": issue.message})
    };
    // Upstream keeps those that it finds first, and prints them by place.
    let mut kept: Vec<&Issue> = issues.iter().take(100).collect();
    kept.sort_by_key(|issue| issue.offset);
    json!({"issues": kept.into_iter().map(issue).collect::<Vec<_>>()})
}

/// A value with its tag.
fn tagged(value: &Value) -> Json {
    match value {
        Value::Null => json!({"null": null}),
        Value::Bool(value) => json!({"bool": value}),
        Value::Int(value) => json!({"int": value}),
        Value::Uint(value) => json!({"uint": value}),
        Value::Double(value) => json!({"double": value.to_string()}),
        Value::String(text) => json!({"string": text}),
        Value::Bytes(bytes) => json!({"bytes": BASE64.encode(bytes)}),
        Value::Duration(span) => json!({"duration": span.nanoseconds()}),
        Value::Timestamp(moment) => json!({"timestamp": moment.to_string()}),
        Value::List(list) => {
            json!({"list": (0..list.size()).map(|position| element(list.get(position))).collect::<Vec<_>>()})
        }
        Value::Map(map) => {
            let entry = |key: Value| {
                let value = map.get(&key).map_or(json!({UNFOUND: null}), element);
                json!([tagged(&key), value])
            };
            let mut entries: Vec<Json> = map.keys().into_iter().map(entry).collect();
            // As upstream's are.
            entries.sort_by_cached_key(|entry| entry[0].to_string());
            json!({"map": entries})
        }
        Value::Optional(value) => {
            json!({"optional": value.iter().map(|present| tagged(present.value())).collect::<Vec<_>>()})
        }
        Value::Type(name) => json!({"type": name}),
        Value::Opaque(opaque) => {
            let tag = match opaque.type_name() {
                "net.IP" => "ip",
                "net.CIDR" => "cidr",
                "kubernetes.URL" => "url",
                "kubernetes.Quantity" => "quantity",
                "kubernetes.Semver" => "semver",
                "error" => "error",
                _ => "format",
            };
            json!({tag: opaque.print()})
        }
    }
}

fn element(value: Evaluated) -> Json {
    value.map_or_else(|error| json!({"error": error.message}), |value| tagged(&value))
}

/// How far an expression came.
fn class(answer: &Json) -> &'static str {
    ["issues", "refused", "error", "value", "panic"].into_iter().find(|key| !answer[*key].is_null()).unwrap_or("none")
}

/// What differs between two answers, if something does.
pub(crate) fn difference(own: &Json, upstream: &Json) -> Option<String> {
    let (ours, theirs) = (class(own), class(upstream));
    let varies = |field: &str| upstream["varies"].as_array().is_some_and(|all| all.iter().any(|one| one == field));
    if ours != theirs {
        return (!varies(theirs) && !varies(ours)).then(|| format!("{ours} instead of {theirs}"));
    }
    let fields: &[&str] = match ours {
        "issues" => &["issues"],
        "value" => &["type", "overloads", "value", "spent", "estimate"],
        "error" => &["type", "overloads", "error", "spent", "estimate"],
        "none" => &["type", "overloads", "estimate"],
        _ => &[],
    };
    // What was spent above the limit depends on how often it is looked at.
    let is_over = |field: &str| field == "spent" && [own, upstream].iter().all(|one| one[field].as_u64() > Some(LIMIT));
    let differs = |field: &&&str| {
        let is_same = normal_entry(field, &own[**field]) == normal_entry(field, &upstream[**field]);
        !is_same && !varies(field) && !is_over(field)
    };
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
        // Without a place; upstream names the first line of some.
        ("issues", Json::Array(issues)) => issues
            .iter()
            .map(|issue| {
                let mut issue = normal(issue);
                if issue["column"] == 0 {
                    issue["line"] = 0.into();
                }
                issue
            })
            .collect(),
        // Upstream writes the names of some in another way than rules do.
        ("format", Json::String(name)) => name.to_ascii_lowercase().into(),
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
