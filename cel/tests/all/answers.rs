//! Answers to the requests of `crdible-rules` (see `upstream/README.md`) for expressions without a schema.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use crdible_cel::syntax::parse;
use crdible_cel::{Bounds, Environment, Release, Sizes, Span, Timestamp, Type, Value, check, plan};
use serde_json::Value as Json;

use crate::compared::{LIMIT, answer};

/// The answer to an `expression`: what upstream's has.
pub(crate) fn of_expression(request: &Json, release: Release) -> Json {
    let text = request["text"].as_str().unwrap_or_default();
    let given = |field: &str, read: fn(&Json) -> Value| -> Vec<(String, Value)> {
        let values = request[field].as_object().into_iter().flatten();
        values.map(|(name, value)| (name.clone(), read(value))).collect()
    };
    let variables: BTreeMap<String, Value> =
        given("variables", plain).into_iter().chain(given("values", untagged)).collect();
    let mut environment = Environment::new(release);
    for name in variables.keys() {
        environment = environment.with_variable(name, Type::Dyn);
    }
    for (name, of) in request["declared"].as_object().into_iter().flatten() {
        environment = environment.with_variable(name, declared(of.as_str().unwrap_or_default()));
    }
    let sizes = Written(&request["sizes"]);
    let is_given = |name: &String| variables.contains_key(name);
    if request["declared"].as_object().is_some_and(|names| !names.keys().all(is_given)) {
        return answer(text, &environment, &sizes, None);
    }
    answer(text, &environment, &sizes, Some(&|name| variables.get(name).cloned().map(Ok)))
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
