//! JSON Schema (draft 2020-12), as far as the published forms and the models of an API server use it.
//!
//! A keyword that is not known here is an error, so that nothing which a schema demands is passed over in silence. The
//! tests compare with a library that knows all of JSON Schema; that one is not part of the program, because it is a
//! fifth of all that must be compiled.

mod number;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::HashMap;

use crdible_text::pattern::Pattern;
use serde_json::{Map, Value};

use number::{compare, is_integral, is_multiple};

/// A schema that values can be checked against.
#[derive(Debug)]
pub struct Schema {
    root: Value,
    /// Its regular expressions by their text.
    patterns: HashMap<String, Pattern>,
}

/// One way in which a value is not what a schema demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where in the value, as a JSON pointer; empty for all of it.
    pub place: String,
    /// The keyword that is violated.
    pub keyword: &'static str,
    /// What is wrong, as a sentence without a full stop. Holds the value unless that is long.
    pub what: String,
}

/// A value is shown in a message if its text is not longer, in bytes.
const LONGEST_SHOWN: usize = 250;

/// Whether a number is beyond a limit, by how it compares with the limit.
type IsBeyond = fn(Ordering) -> bool;

/// What says something to people, and nothing about values.
const ANNOTATIONS: [&str; 7] = ["$schema", "$defs", "title", "description", "default", "format", "$comment"];

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    ///
    /// A sentence that names the keyword, the reference or the regular expression that is unknown or invalid.
    pub fn parse(root: &Value) -> Result<Self, String> {
        let mut schema = Self { root: root.clone(), patterns: HashMap::new() };
        schema.read(root)?;
        Ok(schema)
    }

    fn read(&mut self, node: &Value) -> Result<(), String> {
        let keywords = match node {
            Value::Bool(_) => return Ok(()),
            Value::Object(keywords) => keywords,
            other => return Err(format!("a schema is an object or a boolean, not {other}")),
        };
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("$defs" | "properties", Value::Object(nodes)) => {
                    nodes.values().try_for_each(|node| self.read(node))?;
                }
                ("items" | "additionalProperties" | "not" | "if" | "then", node) => self.read(node)?,
                ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(nodes)) => {
                    nodes.iter().try_for_each(|node| self.read(node))?;
                }
                ("pattern", Value::String(text)) => {
                    let pattern = Pattern::parse(text).map_err(|error| format!("the pattern {text:?}: {error}"))?;
                    self.patterns.insert(text.clone(), pattern);
                }
                ("$ref", Value::String(reference)) => {
                    self.referred(reference).ok_or_else(|| format!("the reference {reference:?} leads nowhere"))?;
                }
                ("const", _)
                | ("type", Value::String(_) | Value::Array(_))
                | ("enum" | "required", Value::Array(_))
                | ("uniqueItems", Value::Bool(_))
                | (
                    "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength"
                    | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties",
                    Value::Number(_),
                ) => {}
                (annotation, _) if ANNOTATIONS.contains(&annotation) => {}
                (unknown, value) => return Err(format!("the keyword {unknown:?} with the value {value} is not known")),
            }
        }
        Ok(())
    }

    /// The node that a reference such as `#/$defs/name` names.
    fn referred(&self, reference: &str) -> Option<&Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    /// All ways in which a value violates the schema; none if it is valid.
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        let mut found = Vec::new();
        self.check(&self.root, value, &mut String::new(), &mut found);
        found
    }

    fn admits(&self, node: &Value, value: &Value) -> bool {
        let mut found = Vec::new();
        self.check(node, value, &mut String::new(), &mut found);
        found.is_empty()
    }

    fn check(&self, node: &Value, value: &Value, place: &mut String, found: &mut Vec<Violation>) {
        let Value::Object(keywords) = node else {
            if *node == Value::Bool(false) {
                let what = format!("false schema does not allow {}", shown(value));
                found.push(Violation { place: place.clone(), keyword: "false", what });
            }
            return;
        };
        let mut violated = |keyword, what: String| found.push(Violation { place: place.clone(), keyword, what });
        if let Some(stated) = keywords.get("type")
            && !types(stated).any(|name| is_of_type(value, name))
        {
            let names: Vec<String> = types(stated).map(|name| format!("{name:?}")).collect();
            let kind = if names.len() == 1 { "type" } else { "types" };
            violated("type", format!("{} is not of {kind} {}", shown(value), names.join(", ")));
        }
        if let Some(Value::Array(values)) = keywords.get("enum")
            && !values.iter().any(|one| equal(one, value))
        {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            violated("enum", format!("{} is not one of {}", shown(value), values.join(", ")));
        }
        if let Some(constant) = keywords.get("const").filter(|constant| !equal(constant, value)) {
            violated("const", format!("{} was expected", shown(constant)));
        }
        self.check_scalar(keywords, value, &mut violated);
        check_counts(keywords, value, &mut violated);
        self.check_branches(keywords, value, &mut violated);
        match value {
            Value::Object(fields) => self.check_fields(keywords, fields, place, found),
            Value::Array(items) => self.check_items(keywords, items, place, found),
            _ => {}
        }
        // What holds besides: its violations are reported as they are.
        let condition = keywords.get("if").filter(|condition| self.admits(condition, value));
        let besides = [
            condition.and_then(|_| keywords.get("then")),
            keywords.get("$ref").and_then(Value::as_str).and_then(|reference| self.referred(reference)),
        ];
        let all = nodes(keywords, "allOf");
        besides.into_iter().flatten().chain(all).for_each(|node| self.check(node, value, place, found));
    }

    /// Keywords about numbers and texts.
    fn check_scalar(
        &self,
        keywords: &Map<String, Value>,
        value: &Value,
        violated: &mut impl FnMut(&'static str, String),
    ) {
        let limit = |keyword| keywords.get(keyword).and_then(Value::as_number);
        match value {
            Value::Number(number) => {
                let bounds: [(_, IsBeyond, _); 4] = [
                    ("minimum", Ordering::is_lt, "less than the minimum"),
                    ("maximum", Ordering::is_gt, "greater than the maximum"),
                    ("exclusiveMinimum", Ordering::is_le, "less than or equal to the minimum"),
                    ("exclusiveMaximum", Ordering::is_ge, "greater than or equal to the maximum"),
                ];
                for (keyword, is_beyond, words) in bounds {
                    if let Some(limit) = limit(keyword).filter(|limit| is_beyond(compare(number, limit))) {
                        violated(keyword, format!("{number} is {words} of {limit}"));
                    }
                }
                if let Some(factor) = limit("multipleOf").filter(|factor| !is_multiple(number, factor)) {
                    violated("multipleOf", format!("{number} is not a multiple of {factor}"));
                }
            }
            Value::String(text) => {
                let pattern = keywords.get("pattern").and_then(Value::as_str);
                let pattern = pattern.and_then(|pattern| self.patterns.get(pattern));
                if let Some(pattern) = pattern.filter(|pattern| !pattern.is_match(text)) {
                    violated("pattern", format!("{} does not match {:?}", shown(value), pattern.as_str()));
                }
            }
            _ => {}
        }
    }

    fn check_branches(
        &self,
        keywords: &Map<String, Value>,
        value: &Value,
        violated: &mut impl FnMut(&'static str, String),
    ) {
        let admitting = |keyword| nodes(keywords, keyword).filter(|node| self.admits(node, value)).count();
        if keywords.contains_key("anyOf") && admitting("anyOf") == 0 {
            violated("anyOf", format!("{} is not valid under any of the schemas of anyOf", shown(value)));
        }
        if keywords.contains_key("oneOf") {
            match admitting("oneOf") {
                1 => {}
                0 => violated("oneOf", format!("{} is not valid under any of the schemas of oneOf", shown(value))),
                _ => violated("oneOf", format!("{} is valid under more than one schema of oneOf", shown(value))),
            }
        }
        if keywords.get("not").is_some_and(|node| self.admits(node, value)) {
            violated("not", format!("{} is valid under the schema of not", shown(value)));
        }
    }

    fn check_fields(
        &self,
        keywords: &Map<String, Value>,
        fields: &Map<String, Value>,
        place: &mut String,
        found: &mut Vec<Violation>,
    ) {
        for name in nodes(keywords, "required").filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
            let what = format!("{name:?} is a required property");
            found.push(Violation { place: place.clone(), keyword: "required", what });
        }
        let declared = keywords.get("properties").and_then(Value::as_object);
        let others = keywords.get("additionalProperties");
        for (name, value) in fields {
            let node = declared.and_then(|declared| declared.get(name));
            if node.is_none() && others == Some(&Value::Bool(false)) {
                let what = format!("the property {name:?} is not allowed");
                found.push(Violation { place: place.clone(), keyword: "additionalProperties", what });
            } else if let Some(node) = node.or(others) {
                let name = name.replace('~', "~0").replace('/', "~1");
                self.check_at(node, value, &name, place, found);
            }
        }
    }

    fn check_items(
        &self,
        keywords: &Map<String, Value>,
        items: &[Value],
        place: &mut String,
        found: &mut Vec<Violation>,
    ) {
        let mut first = nodes(keywords, "prefixItems");
        for (index, item) in items.iter().enumerate() {
            if let Some(node) = first.next().or_else(|| keywords.get("items")) {
                self.check_at(node, item, &index.to_string(), place, found);
            }
        }
    }

    fn check_at(&self, node: &Value, value: &Value, step: &str, place: &mut String, found: &mut Vec<Violation>) {
        let length = place.len();
        place.push('/');
        place.push_str(step);
        self.check(node, value, place, found);
        place.truncate(length);
    }
}

/// Keywords about how much of something there is, and whether items are different.
fn check_counts(keywords: &Map<String, Value>, value: &Value, violated: &mut impl FnMut(&'static str, String)) {
    let (count, [least, most], things) = match value {
        Value::String(text) => (text.chars().count(), ["minLength", "maxLength"], "characters"),
        Value::Array(items) => (items.len(), ["minItems", "maxItems"], "items"),
        Value::Object(fields) => (fields.len(), ["minProperties", "maxProperties"], "properties"),
        _ => return,
    };
    let count = serde_json::Number::from(count);
    let limit = |keyword| keywords.get(keyword).and_then(Value::as_number);
    if let Some(limit) = limit(least).filter(|limit| compare(&count, limit).is_lt()) {
        violated(least, format!("{} has less than {limit} {things}", shown(value)));
    }
    if let Some(limit) = limit(most).filter(|limit| compare(&count, limit).is_gt()) {
        violated(most, format!("{} has more than {limit} {things}", shown(value)));
    }
    if let (Value::Array(items), Some(Value::Bool(true))) = (value, keywords.get("uniqueItems")) {
        let is_double = |(index, item): (usize, &Value)| items[..index].iter().any(|other| equal(other, item));
        if items.iter().enumerate().any(is_double) {
            violated("uniqueItems", format!("{} has non-unique elements", shown(value)));
        }
    }
}

/// The elements of a keyword that is a list.
fn nodes<'a>(keywords: &'a Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'a Value> {
    keywords.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

fn types(stated: &Value) -> impl Iterator<Item = &str> {
    let several = stated.as_array().into_iter().flatten();
    std::iter::once(stated).chain(several).filter_map(Value::as_str)
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => is_integral(number),
        _ => false,
    }
}

/// Equality of JSON Schema: numbers are equal if their values are, however they are written.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b).is_eq(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

/// A value may be as large as a file.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= LONGEST_SHOWN { text } else { "value".to_owned() }
}
