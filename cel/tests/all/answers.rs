//! Answers to the requests of `crdible-rules` (see `upstream/README.md`), as this crate gives them.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use crdible_cel::syntax::parse;
use crdible_cel::{
    Bounds, Environment, Evaluated, Issue, Reference, Release, Sizes, Span, Timestamp, Type, Value, check, estimate,
    plan,
};
use serde_json::{Map, Value as Json, json};

/// What one evaluation may spend.
const LIMIT: u64 = 1_000_000;

/// The answer to an `expression`: what upstream's has.
pub(crate) fn of_expression(request: &Json, release: Release) -> Json {
    let text = request["text"].as_str().unwrap_or_default();
    let given = |field: &str, read: fn(&Json) -> Value| -> Vec<(String, Value)> {
        let values = request[field].as_object().into_iter().flatten();
        values.map(|(name, value)| (name.clone(), read(value))).collect()
    };
    let variables: BTreeMap<String, Value> =
        given("variables", plain).into_iter().chain(given("values", untagged)).collect();
    let ast = match parse(text, &release.syntax()) {
        Ok(ast) => ast,
        Err(issues) => return of_issues(text, &issues),
    };
    let mut environment = Environment::new(release);
    for name in variables.keys() {
        environment = environment.with_variable(name, Type::Dyn);
    }
    for (name, of) in request["declared"].as_object().into_iter().flatten() {
        environment = environment.with_variable(name, declared(of.as_str().unwrap_or_default()));
    }
    let checked = match check(ast, &environment) {
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
    let bounds = estimate(&checked, &Written(&request["sizes"]));
    answer["estimate"] = json!({"min": bounds.least, "max": bounds.most});
    let program = match plan(&checked, &environment) {
        Ok(program) => program,
        Err(error) => return json!({"refused": error.message}),
    };
    if request["declared"].as_object().is_some_and(|names| names.keys().any(|name| !variables.contains_key(name))) {
        return answer;
    }
    let (value, spent) = program.evaluate(&|name| variables.get(name).cloned().map(Ok), LIMIT);
    match value {
        Ok(value) => answer["value"] = tagged(&value),
        Err(error) => answer["error"] = json!(error.message),
    }
    answer["spent"] = json!(spent.units);
    answer
}

/// The sizes that a request names.
struct Written<'a>(&'a Json);

impl Sizes for Written<'_> {
    fn size(&self, path: &[Arc<str>]) -> Option<Bounds> {
        let path: Vec<&str> = path.iter().map(|part| &**part).collect();
        let size = self.0[path.join(".")].as_array()?;
        Some(Bounds::new(size.first()?.as_u64()?, size.get(1)?.as_u64()?))
    }
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

/// A type as requests write it.
fn declared(text: &str) -> Type {
    let text = text.trim();
    let inner = |prefix: &str| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
    if let Some(element) = inner("list(") {
        return Type::list(declared(element));
    }
    if let Some(value) = inner("optional_type(") {
        return Type::optional(declared(value));
    }
    if let Some((key, value)) = inner("map(").and_then(|types| types.split_once(',')) {
        return Type::map(declared(key), declared(value));
    }
    if let Some(scalar) = inner("wrapper(") {
        return Type::Wrapper(Arc::new(declared(scalar)));
    }
    match text {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "null" => Type::Null,
        "duration" => Type::Duration,
        "timestamp" => Type::Timestamp,
        _ => Type::Dyn,
    }
}

/// A value of JSON: an integer is an int, another number a double.
fn plain(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Int(value),
            None => Value::Double(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => Value::list(elements.iter().map(plain).collect()),
        Json::Object(entries) => {
            Value::map(entries.iter().map(|(key, value)| (Value::from(key.as_str()), plain(value))).collect())
        }
    }
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
                let value = map.get(&key).unwrap_or(Ok(Value::Null));
                json!([tagged(&key), element(value)])
            };
            json!({"map": map.keys().into_iter().map(entry).collect::<Vec<_>>()})
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
                _ => "format",
            };
            json!({tag: opaque.print()})
        }
    }
}

/// A value of its tag.
fn untagged(value: &Json) -> Value {
    let (tag, content) = value.as_object().and_then(|tagged| tagged.iter().next()).expect("a tag");
    let text = || content.as_str().expect("a text");
    let all = || content.as_array().expect("a list").iter();
    match tag.as_str() {
        "null" => Value::Null,
        "bool" => Value::Bool(content.as_bool().expect("a boolean")),
        "int" => Value::Int(content.as_i64().expect("an integer")),
        "uint" => Value::Uint(content.as_u64().expect("an integer")),
        "double" => Value::Double(text().trim_start_matches('+').parse().expect("a double")),
        "string" => Value::from(text()),
        "bytes" => Value::Bytes(Arc::from(BASE64.decode(text()).expect("Base64"))),
        "duration" => Value::Duration(Span::of_nanoseconds(content.as_i64().expect("nanoseconds"))),
        "timestamp" => Value::Timestamp(Timestamp::read(text()).expect("a moment")),
        "list" => Value::list(all().map(untagged).collect()),
        "map" => Value::map(all().map(|entry| (untagged(&entry[0]), untagged(&entry[1]))).collect()),
        "optional" => all().next().map_or(Value::Optional(None), |value| Value::some(untagged(value))),
        "type" => Value::Type(Arc::from(text())),
        // As an expression makes it.
        function => made_by(function, text()),
    }
}

fn made_by(function: &str, text: &str) -> Value {
    let release = Release::stored_rules(37);
    let environment = Environment::new(release).with_variable("text", Type::String);
    let ast = parse(&format!("{function}(text)"), &release.syntax()).expect("a call");
    let program = plan(&check(ast, &environment).expect("a function"), &environment).expect("a program");
    program.evaluate(&|_| Some(Ok(Value::from(text))), LIMIT).0.expect("a value")
}

fn element(value: Evaluated) -> Json {
    value.map_or_else(|error| json!({"error": error.message}), |value| tagged(&value))
}
