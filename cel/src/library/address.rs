//! URLs, as Go reads them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crdible_text::quoted;
use crdible_text::url::{Url, fault_of_request_uri, is_request_uri};

use super::arguments::{opaque, string, unconvertible};
use crate::value::{Evaluated, EvaluationError, Opaque, Value, make, make_text};

/// What a value of a query takes in memory beside its bytes.
const BESIDE_A_VALUE: usize = 200;

/// A URL.
#[derive(Debug)]
struct Address {
    scheme: String,
    /// With its port, without escapes.
    host: String,
    escaped_path: String,
    query: String,
    /// All of it, as it is compared and printed.
    text: String,
}

impl Opaque for Address {
    fn type_name(&self) -> &'static str {
        "kubernetes.URL"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        opaque::<Self>(other).map(|other| self.text == other.text)
    }

    fn print(&self) -> String {
        self.text.clone()
    }

    fn unwrapped(&self) -> Option<Evaluated> {
        unconvertible("*url.URL", self)
    }
}

pub(super) fn is_url(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(is_request_uri(string(&arguments[0])?)))
}

pub(super) fn url(arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    let wrong = |why: String| {
        let during = "URL parse error during conversion from string";
        EvaluationError::new(format!("{during}: parse {}: {why}", quoted(text)))
    };
    if let Some(why) = fault_of_request_uri(text) {
        return Err(wrong(why));
    }
    let url = Url::parse(text).ok_or_else(|| wrong("invalid URI for request".to_owned()))?;
    let (before_fragment, fragment) =
        text.split_once('#').map_or((&**text, None), |(text, fragment)| (text, Some(fragment)));
    let (before_query, query) =
        before_fragment.split_once('?').map_or((before_fragment, None), |(text, query)| (text, Some(query)));
    let rest = if url.scheme.is_empty() { before_query } else { &before_query[url.scheme.len() + 1..] };
    let has_authority = rest.starts_with("//") && !(url.scheme.is_empty() && rest.starts_with("///"));
    let (authority, path) = match rest.strip_prefix("//").filter(|_| has_authority) {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    // What does not begin with a slash is opaque.
    let is_opaque = !url.scheme.is_empty() && !rest.starts_with('/');
    let escaped_path = if is_opaque { String::new() } else { escaped(path) };
    let scheme = url.scheme.to_ascii_lowercase();
    let mut printed = String::new();
    if !scheme.is_empty() {
        printed.push_str(&scheme);
        printed.push(':');
    }
    if is_opaque {
        printed.push_str(rest);
    } else {
        if has_authority {
            printed.push_str("//");
            printed.push_str(authority);
        }
        printed.push_str(&escaped_path);
    }
    for (mark, part) in [('?', query), ('#', fragment.filter(|fragment| !fragment.is_empty()))] {
        if let Some(part) = part {
            printed.push(mark);
            printed.push_str(part);
        }
    }
    let query = query.unwrap_or_default().to_owned();
    Ok(Value::Opaque(Arc::new(Address { scheme, host: unescaped(url.host), escaped_path, query, text: printed })))
}

/// Without escapes: of those that are wrong, the `%` stays.
fn unescaped(text: &str) -> String {
    String::from_utf8_lossy(&unescaped_bytes(text)).into_owned()
}

fn unescaped_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut unescaped = Vec::with_capacity(bytes.len());
    let mut position = 0;
    while position < bytes.len() {
        let escape = text.get(position + 1..position + 3).filter(|_| bytes[position] == b'%');
        match escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                unescaped.push(byte);
                position += 3;
            }
            None => {
                unescaped.push(bytes[position]);
                position += 1;
            }
        }
    }
    unescaped
}

/// A path as it is written, if it is written in a valid way, and else with the usual escapes.
fn escaped(path: &str) -> String {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte);
    if path.bytes().all(|byte| is_usual(byte) || b"!'()*[]%".contains(&byte)) {
        return path.to_owned();
    }
    let mut escaped = String::with_capacity(path.len());
    for byte in unescaped_bytes(path) {
        match byte {
            byte if is_usual(byte) => escaped.push(char::from(byte)),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

/// A part of a URL, as a text.
fn part(text: &str) -> Evaluated {
    make_text(text.len())?;
    Ok(Value::from(text))
}

pub(super) fn scheme(arguments: &[Value]) -> Evaluated {
    part(&opaque::<Address>(&arguments[0])?.scheme)
}

pub(super) fn host(arguments: &[Value]) -> Evaluated {
    part(&opaque::<Address>(&arguments[0])?.host)
}

pub(super) fn hostname(arguments: &[Value]) -> Evaluated {
    let (host, _) = host_and_port(&opaque::<Address>(&arguments[0])?.host);
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    part(inner.unwrap_or(host))
}

pub(super) fn port(arguments: &[Value]) -> Evaluated {
    part(host_and_port(&opaque::<Address>(&arguments[0])?.host).1)
}

fn host_and_port(host: &str) -> (&str, &str) {
    let split = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    split.unwrap_or((host, ""))
}

pub(super) fn escaped_path(arguments: &[Value]) -> Evaluated {
    part(&opaque::<Address>(&arguments[0])?.escaped_path)
}

/// Each key with its values. What is wrongly escaped, or has a semicolon, is left out.
pub(super) fn query(arguments: &[Value]) -> Evaluated {
    let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for part in opaque::<Address>(&arguments[0])?.query.split('&') {
        make(part.len() + BESIDE_A_VALUE)?;
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        if part.is_empty() || part.contains(';') {
            continue;
        }
        if let (Some(key), Some(value)) = (query_text(key), query_text(value)) {
            values.entry(key).or_default().push(Value::from(value));
        }
    }
    Ok(Value::map(values.into_iter().map(|(key, values)| (Value::from(key), Value::list(values))).collect()))
}

fn query_text(text: &str) -> Option<String> {
    let is_escaped = |rest: &str| rest.get(..2).is_some_and(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
    text.split('%').skip(1).all(is_escaped).then(|| unescaped(&text.replace('+', " ")))
}
