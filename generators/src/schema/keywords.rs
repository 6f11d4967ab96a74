//! Scalar nodes, and the keywords that validate their values.

use crdible_semantics::Schema;
use serde_json::{Value, json};

use super::site::Site;
use crate::{choice::Choices, format, number, pattern, text};

pub(super) fn typed(name: &str) -> Schema {
    Schema { type_name: name.to_owned(), ..Schema::default() }
}

pub(super) fn string(c: &mut Choices, Site { shape, .. }: Site<'_>) -> Schema {
    let mut schema = typed("string");
    let values = &mut schema.values;
    let weight = u32::from(shape.value_keywords);
    // There are many formats, so they weigh as much as all other keywords.
    let (patterns, formats) = (4 * u32::from(shape.patterns), 10 * u32::from(shape.formats));
    let ignored = u32::from(shape.formats);
    match c.weighted(&[10, 2 * weight, 2 * weight, weight, 2 * weight, patterns, formats, ignored]) {
        0 => {}
        1 => {
            c.reached("maxLength");
            values.max_length = Some(c.between(0, 12));
        }
        2 => {
            c.reached("minLength");
            values.min_length = Some(c.between(0, 4));
        }
        3 => {
            c.reached("minLength and maxLength");
            let least = c.between(0, 4);
            values.min_length = Some(least);
            values.max_length = Some(least + c.between(0, 6));
        }
        4 => {
            c.reached("enum of strings");
            values.enumeration = enumeration(c, |c| Value::String(text::word(c)));
        }
        5 => {
            c.reached("pattern");
            let drawn = c.keyed("@pattern", pattern::pattern);
            // If objects are created, a pattern that matches nothing would leave no valid value.
            if !shape.serving || pattern::simplest(&drawn).is_some() {
                values.pattern = drawn.into();
            }
        }
        6 => {
            c.reached("format");
            values.format = format::name(c);
        }
        _ => {
            c.reached("ignored format");
            values.format = ignored_format(c);
        }
    }
    schema
}

/// A format that is not enforced; some look like an enforced one (VALUE-016).
pub(super) fn ignored_format(c: &mut Choices) -> String {
    (*c.pick(&["x", "Date", "int8", "uuid6", "date_time"])).to_owned()
}

pub(super) fn integer(c: &mut Choices, Site { shape, .. }: Site<'_>) -> Schema {
    let mut schema = typed("integer");
    let weight = u32::from(shape.value_keywords);
    match c.weighted(&[10, 6 * weight, weight, 2 * weight, 2 * weight, weight]) {
        0 => {}
        1 => bounds(c, &mut schema),
        2 => {
            c.reached("enum of integers");
            schema.values.enumeration = enumeration(c, |c| json!(number::integer(c, -number::EXACT, number::EXACT)));
        }
        3 => {
            c.reached("multipleOf");
            // Only positive integers: fractions are a quirk (VALUE-010).
            schema.values.multiple_of = Some(f64::from(u32::try_from(c.draw(9)).unwrap_or(0) + 1));
        }
        4 => {
            c.reached("integer format");
            schema.values.format = String::from(*c.pick(&["int64", "int32", "uint32", "double"]));
        }
        _ => loose_flag(c, &mut schema),
    }
    schema
}

pub(super) fn number(c: &mut Choices, Site { shape, .. }: Site<'_>) -> Schema {
    let mut schema = typed("number");
    // No enumeration: 1.9 matches `[1]` (a defect of VALUE-018). No multipleOf: a defect of VALUE-044.
    let weight = u32::from(shape.value_keywords);
    match c.weighted(&[6, 3 * weight, 2 * weight, weight]) {
        0 => {}
        1 => bounds(c, &mut schema),
        2 => {
            c.reached("number format");
            schema.values.format = String::from(*c.pick(&["double", "float", "int64"]));
        }
        _ => loose_flag(c, &mut schema),
    }
    schema
}

/// An exclusive flag without a bound, which has no effect (VALUE-007).
fn loose_flag(c: &mut Choices, schema: &mut Schema) {
    c.reached("exclusive without a bound");
    let is_maximum = c.chance(1, 2);
    schema.values.exclusive_maximum = is_maximum;
    schema.values.exclusive_minimum = !is_maximum;
}

/// Draws as many choices as nodes of other scalar types.
pub(super) fn boolean(c: &mut Choices, Site { shape, .. }: Site<'_>) -> Schema {
    let mut schema = typed("boolean");
    if c.weighted(&[6, u32::from(shape.value_keywords)]) == 1 {
        c.reached("enum of booleans");
        schema.values.enumeration = enumeration(c, |c| Value::Bool(c.draw(1) == 0));
    }
    schema
}

/// Without a type, because a type next to the extension is only a SHOULD (STRUCT-014).
pub(super) fn int_or_string(c: &mut Choices, Site { shape, .. }: Site<'_>) -> Schema {
    let mut schema = Schema { int_or_string: true, ..Schema::default() };
    let weight = u32::from(shape.quantifiers);
    let pair = || vec![typed("integer"), typed("string")];
    match c.weighted(&[3, 2 * weight, weight]) {
        0 => {}
        1 => {
            c.reached("int-or-string with anyOf");
            schema.any_of = pair();
        }
        _ => {
            c.reached("int-or-string with allOf");
            let branch = Schema { any_of: pair(), ..Schema::default() };
            schema.all_of = vec![branch];
        }
    }
    if c.flag(shape.value_keywords, 1, 5) {
        c.reached("int-or-string with keywords");
        schema.values.max_length = Some(c.between(0, 12));
        schema.values.minimum = Some(0.0);
    }
    schema
}

/// Draws bounds that allow some values, integral and exact as float64 (VALUE-009, VALUE-044).
fn bounds(c: &mut Choices, schema: &mut Schema) {
    let bound = |c: &mut Choices| number::bound(c, number::EXACT - 3);
    #[expect(clippy::cast_precision_loss, reason = "within ±2^53")]
    let float = |bound: i64| bound as f64;
    match c.weighted(&[2, 2, 2]) {
        0 => {
            c.reached("minimum");
            schema.values.minimum = Some(float(bound(c)));
            schema.values.exclusive_minimum = c.chance(1, 4);
        }
        1 => {
            c.reached("maximum");
            schema.values.maximum = Some(float(bound(c)));
            schema.values.exclusive_maximum = c.chance(1, 4);
        }
        _ => {
            c.reached("minimum and maximum");
            let low = number::integer(c, -number::EXACT / 2, number::EXACT / 2);
            // At least two apart, so that both ends may be exclusive.
            let room = 2 + number::integer(c, 0, number::EXACT / 2);
            schema.values.minimum = Some(float(low));
            schema.values.maximum = Some(float(low + room));
            schema.values.exclusive_minimum = c.chance(1, 4);
            schema.values.exclusive_maximum = c.chance(1, 4);
        }
    }
}

/// Draws one to three different values of one type (mixed types are a defect of VALUE-018).
fn enumeration(c: &mut Choices, value: impl Fn(&mut Choices) -> Value) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    c.many("enum value", 1, 3, |c, _| {
        let value = value(c);
        if !values.contains(&value) {
            values.push(value);
        }
    });
    values
}

/// Documentation keywords, which change nothing (STRUCT-034).
pub(super) fn document(c: &mut Choices, schema: &mut Schema) {
    c.reached("documentation");
    let documentation = &mut schema.documentation;
    documentation.description = if c.chance(1, 2) { text::text(c, 0, 12) } else { "text".to_owned() };
    if c.chance(1, 3) {
        documentation.title = String::from("title");
    }
    if c.chance(1, 3) {
        documentation.example = Some(json!({"a": [1, "x"]}));
    }
    if c.chance(1, 3) {
        documentation.external_docs = Some(json!({"description": "more", "url": "https://example.com"}));
    }
}
