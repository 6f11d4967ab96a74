//! Walks schema and value together: which keywords are where, and the value that each of them applies to.

use std::collections::BTreeSet;

use crdible_generators::json::Json;
use serde_json::{Map, Value};

use super::{
    cell::{Cell, Position},
    class::Class,
    classes::{self, Found},
    keywords::Keyword,
};

/// The cells that were hit, and the state needed to find more.
#[derive(Debug, Default)]
pub struct Counter {
    hit: BTreeSet<Cell>,
    /// Whether to leave out texts that just miss a pattern: finding them takes a thousand matches.
    is_brief: bool,
}

/// Where a node is.
#[derive(Clone, Copy)]
struct Place {
    step: Position,
    is_embedded: bool,
    is_preserved: bool,
}

impl Counter {
    /// A counter that leaves out [`Class::JustViolating`], which takes as long as all else together.
    pub fn brief() -> Self {
        Self { is_brief: true, ..Self::default() }
    }

    /// The cells hit so far, including those that the rules exclude.
    pub fn hit(&self) -> &BTreeSet<Cell> {
        &self.hit
    }

    /// Adds the cells of another counter.
    pub fn merge(&mut self, other: Self) {
        self.hit.extend(other.hit);
    }

    /// Counts the cells of an object's content in the schema of its version.
    pub fn count(&mut self, schema: &Value, content: &Json) {
        let root = Place { step: Position::Root, is_embedded: false, is_preserved: false };
        self.node(schema, Some(content), root);
    }

    fn node(&mut self, schema: &Value, value: Option<&Json>, place: Place) {
        let Some(schema) = schema.as_object() else { return };
        let is_root = place.step == Position::Root;
        for (name, argument) in schema {
            let Some(keyword) = keyword(schema, name, argument, place.step) else { continue };
            let mut found = Found::default();
            classes::classify(&mut found, name, argument, schema, value, is_root);
            if name == "pattern" && !self.is_brief && !self.has_just_missed(keyword, place) {
                classes::just_missed(&mut found, argument, value);
            }
            for class in found.classes() {
                self.hit.extend(positions(place).map(|position| Cell { keyword, position, class }));
            }
        }
        self.structure(schema, value, place);
        self.quantifiers(schema, value, place);
    }

    /// Testing whether a text just misses a pattern is slow: once for each position is enough.
    fn has_just_missed(&self, keyword: Keyword, place: Place) -> bool {
        let class = Class::JustViolating;
        positions(place).all(|position| self.hit.contains(&Cell { keyword, position, class }))
    }

    fn structure(&mut self, schema: &Map<String, Value>, value: Option<&Json>, place: Place) {
        let is_embedded_here = flag(schema, "x-kubernetes-embedded-resource");
        let below = Place {
            step: place.step,
            is_embedded: place.is_embedded || is_embedded_here,
            is_preserved: place.is_preserved || flag(schema, "x-kubernetes-preserve-unknown-fields"),
        };
        // Everything below a quantifier is within it.
        let step = |step: Position| if place.step.is_branch() { place.step } else { step };
        let properties = schema.get("properties").and_then(Value::as_object);
        match value {
            Some(Json::Object(entries)) => {
                let is_top = place.step == Position::Root;
                for (name, property) in properties.into_iter().flatten() {
                    // The meta fields of the root are not content.
                    if is_top && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
                        continue;
                    }
                    let position = step(if is_top { Position::Top } else { Position::Nested });
                    let value = entries.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value);
                    self.node(property, value, Place { step: position, ..below });
                }
                if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
                    let is_declared = |key: &str| properties.is_some_and(|properties| properties.contains_key(key));
                    for (_, value) in entries.iter().filter(|(key, _)| !is_declared(key)) {
                        self.node(values, Some(value), Place { step: step(Position::Values), ..below });
                    }
                }
            }
            Some(Json::Array(elements)) => {
                for element in elements {
                    if let Some(items) = schema.get("items") {
                        self.node(items, Some(element), Place { step: step(Position::Items), ..below });
                    }
                }
            }
            _ => {}
        }
    }

    fn quantifiers(&mut self, schema: &Map<String, Value>, value: Option<&Json>, place: Place) {
        let quantifiers = [
            ("allOf", Position::AllOf),
            ("anyOf", Position::AnyOf),
            ("oneOf", Position::OneOf),
            ("not", Position::Not),
        ];
        for (name, step) in quantifiers {
            let Some(branches) = schema.get(name) else { continue };
            let branches = branches.as_array().map_or(std::slice::from_ref(branches), Vec::as_slice);
            for branch in branches {
                self.node(branch, value, Place { step, ..place });
            }
        }
    }
}

/// The keywords that have an effect somewhere in a schema.
pub fn keywords(schema: &Value) -> BTreeSet<Keyword> {
    let mut found = BTreeSet::new();
    collect(schema, Position::Root, &mut found);
    found
}

fn collect(schema: &Value, step: Position, found: &mut BTreeSet<Keyword>) {
    let Some(schema) = schema.as_object() else { return };
    for (name, argument) in schema {
        found.extend(keyword(schema, name, argument, step));
        let below = |inner: Position| if step.is_branch() { step } else { inner };
        match (name.as_str(), argument) {
            ("properties", Value::Object(properties)) => {
                properties.values().for_each(|property| collect(property, below(Position::Nested), found));
            }
            ("items", items) => collect(items, below(Position::Items), found),
            ("additionalProperties", values) => collect(values, below(Position::Values), found),
            ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                branches.iter().for_each(|branch| collect(branch, Position::AllOf, found));
            }
            ("not", branch) => collect(branch, Position::Not, found),
            _ => {}
        }
    }
}

/// The positions that a place is at.
fn positions(place: Place) -> impl Iterator<Item = Position> {
    let is_structural = !place.step.is_branch();
    let embedded = (place.is_embedded && is_structural).then_some(Position::Embedded);
    let preserved = (place.is_preserved && is_structural).then_some(Position::Preserved);
    [Some(place.step), embedded, preserved].into_iter().flatten()
}

/// The keyword, unless it has no effect: a flag that is off, an empty string, a null.
fn keyword(schema: &Map<String, Value>, name: &str, argument: &Value, step: Position) -> Option<Keyword> {
    let is_zero = match argument {
        Value::Null | Value::Bool(false) => name != "additionalProperties" || argument.is_null(),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    };
    if is_zero {
        return None;
    }
    let text = argument.as_str().unwrap_or_default();
    match name {
        "format" => format(schema, text, step),
        "type" | "x-kubernetes-list-type" | "x-kubernetes-map-type" => Keyword::named(&format!("{name}: {text}")),
        "additionalProperties" => {
            let form = argument.as_bool().map_or("schema".to_owned(), |is_allowed| is_allowed.to_string());
            Keyword::named(&format!("{name}: {form}"))
        }
        name => Keyword::named(name),
    }
}

/// A format counts as itself if it is enforced (VALUE-008, VALUE-014), else as ignored.
fn format(schema: &Map<String, Value>, text: &str, step: Position) -> Option<Keyword> {
    let type_name = schema.get("type").and_then(Value::as_str);
    let is_enforced = match text {
        "int32" | "int64" => type_name == Some("integer"),
        "float" | "double" => type_name == Some("number"),
        _ => type_name == Some("string") || step.is_branch(),
    };
    let enforced = Keyword::named(&format!("format: {}", text.replace('-', ""))).filter(|_| is_enforced);
    enforced.or_else(|| Keyword::named("format: ignored"))
}

fn flag(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get(name) == Some(&Value::Bool(true))
}
