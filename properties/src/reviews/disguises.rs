//! Values that careless converters take for something else: texts that look like numbers, texts that an encoder escapes
//! and a template fills in, and equal elements of lists.

use crdible_generators::choice::Choices;
use crdible_semantics::{Schema, Semantics};
use serde_json::{Map, Value, json};

use super::nodes::{items_of, values_of};

/// Texts that parsers of numbers, of YAML, of URLs and of templates read otherwise, and those that encoders escape.
const TEXTS: [&str; 31] = [
    "07",
    "1",
    "1.0",
    "1e3",
    "-0",
    "0x1F",
    "1_000",
    ".5",
    "true",
    "null",
    "yes",
    "~",
    "&",
    "<a href='x'>&amp;</a>",
    "a < b && b > c",
    "it's",
    "say \"so\"",
    "100%",
    "%s %d %20",
    "a+b=c",
    "a\tb",
    "\t",
    "two\nlines\n",
    "line\r\nline",
    "back\\slash \\n \\u0041",
    "$HOME ${x} {{ .x }}",
    "# no comment",
    "a: b",
    "- a",
    "\u{2028}\u{2029}",
    "\u{7f}\u{85}\u{feff}",
];

/// Keys that are none of a usual identifier.
const KEYS: [&str; 6] = ["07", "a&b<c>", "100%", "a\tb", "it's", "x: y"];

/// Draws one of these texts.
pub(super) fn text(c: &mut Choices) -> &'static str {
    c.pick::<&str>(&TEXTS)
}

/// Puts such values in some places below a node, as far as the schema admits them. In undeclared content, which has no
/// schema, any text may be another.
pub(super) fn disguise(c: &mut Choices, value: &mut Value, schema: Option<&Schema>) {
    match value {
        Value::Object(fields) => {
            if schema.is_some_and(|schema| schema.embedded_resource) {
                return;
            }
            for (key, value) in fields.iter_mut() {
                let below = schema.and_then(|schema| schema.properties.get(key).or(values_of(schema)));
                if below.is_some() || schema.is_none_or(Schema::is_preserving) {
                    c.keyed(key, |c| disguise(c, value, below));
                }
            }
            if let Some(schema) = schema {
                c.keyed("@more", |c| one_more(c, value, schema));
            }
        }
        Value::Array(elements) => {
            let below = schema.and_then(items_of);
            for (at, element) in elements.iter_mut().enumerate() {
                c.keyed(&at.to_string(), |c| disguise(c, element, below));
            }
            if c.keyed("@twice?", |c| c.chance(1, 3)) {
                c.keyed("@twice", |c| twice(c, value, schema));
            }
        }
        Value::String(_) => other_text(c, value, schema),
        Value::Number(_) if schema.is_some_and(|schema| schema.int_or_string) => other_text(c, value, schema),
        _ => {}
    }
}

fn other_text(c: &mut Choices, value: &mut Value, schema: Option<&Schema>) {
    if c.chance(1, 2) {
        let other = json!(text(c));
        replace(value, other, schema);
    }
}

/// One more entry in a map, or one more field in undeclared content.
fn one_more(c: &mut Choices, value: &mut Value, schema: &Schema) {
    let Value::Object(fields) = &*value else { return };
    let entry = if values_of(schema).is_some() {
        fields.values().next().cloned()
    } else {
        schema.is_preserving().then(|| json!(text(c)))
    };
    if let (Some(entry), true) = (entry, c.chance(1, 2)) {
        let mut more: Map<String, Value> = fields.clone();
        more.insert((*c.pick(&KEYS)).to_owned(), entry);
        replace(value, Value::Object(more), Some(schema));
    }
}

/// One element of a list twice.
fn twice(c: &mut Choices, value: &mut Value, schema: Option<&Schema>) {
    let is_any = schema.is_none_or(|schema| schema.list_type.as_deref().is_none_or(|kind| kind == "atomic"));
    let Value::Array(elements) = &*value else { return };
    if is_any && !elements.is_empty() {
        let mut more = elements.clone();
        more.push(c.pick(elements).clone());
        replace(value, Value::Array(more), schema);
    }
}

/// Replaces a value if that is valid.
fn replace(value: &mut Value, other: Value, schema: Option<&Schema>) {
    let is_valid = schema.is_none_or(|schema| Semantics::UPSTREAM.value_violations(&other, schema).is_empty());
    if is_valid {
        *value = other;
    }
}
