//! Scalars that are valid for their node.

use crdible_semantics::{Schema, validate::strings::enforced_format};
use serde_json::Value;

use super::boundary;
use super::bounds::{length, range, whole};
use crate::{choice::Choices, format, number, pattern, text};

/// At most this many strings are tried if several keywords must hold.
const ATTEMPTS: usize = 4;
/// One scalar in this many is at a boundary of its node, if that is valid.
const AT_BOUNDARY: u64 = 3;

/// Draws a string with the node's length, pattern and format.
pub(super) fn string(c: &mut Choices, schema: &Schema) -> Value {
    let values = &schema.values;
    let least = length(values.min_length, 0);
    let most = length(values.max_length, least.saturating_add(24));
    if most < least {
        c.discard("minLength above maxLength");
    }
    let format = enforced_format(c.release(), schema);
    let pattern = values.pattern.compiled().ok().flatten();
    let has_length = |text: &String| (least..=most).contains(&text.chars().count());
    let is_valid = |text: &String| {
        let has_format = format.is_none_or(|format| format.accepts(text));
        has_length(text) && has_format && pattern.is_none_or(|pattern| pattern.is_match(text))
    };
    let at_boundary = |c: &mut Choices| boundary::text(c, schema).filter(is_valid);
    if let Some(text) = c.keyed("@mark", |c| if c.chance(1, AT_BOUNDARY) { at_boundary(c) } else { None }) {
        return Value::String(text);
    }
    if pattern.is_none() && format.is_none() {
        return Value::String(text::text(c, least, most));
    }
    let drawn = |c: &mut Choices| match (pattern, format) {
        (Some(pattern), _) => pattern::matching(c, pattern),
        (None, Some(format)) => Some(format::valid(c, format)),
        (None, None) => None,
    };
    let is_accepted = |text: &String| {
        let count = text.chars().count();
        let is_long_enough = values.min_length.is_none() || count >= least;
        let is_short_enough = values.max_length.is_none() || count <= most;
        is_long_enough && is_short_enough && format.is_none_or(|format| format.accepts(text))
    };
    let text = (0..ATTEMPTS).find_map(|_| drawn(c).filter(is_accepted));
    let text = text.or_else(|| pattern::simplest(values.pattern.as_str()).filter(is_accepted));
    if text.is_none() {
        c.discard("no string was found for a pattern or format");
    }
    Value::String(text.unwrap_or_default())
}

/// Draws an integer within the node's bounds and format, and a multiple of `multipleOf`.
pub(super) fn integer(c: &mut Choices, schema: &Schema) -> Value {
    let (low, high) = range(schema);
    if high < low {
        c.discard("no integer between the bounds");
        return Value::from(low);
    }
    let step = schema.values.multiple_of.map(whole).filter(|&step| step > 1);
    let is_valid = |value: &i64| (low..=high).contains(value) && step.is_none_or(|step| value % step == 0);
    let at_boundary = |c: &mut Choices| boundary::integer(c, schema).filter(is_valid);
    if let Some(value) = c.keyed("@mark", |c| if c.chance(1, AT_BOUNDARY) { at_boundary(c) } else { None }) {
        return Value::from(value);
    }
    let Some(step) = step else {
        return Value::from(number::integer(c, low, high));
    };
    let (least, most) = (low.div_euclid(step) + i64::from(low.rem_euclid(step) > 0), high.div_euclid(step));
    if most < least {
        c.discard("no multiple between the bounds");
    }
    Value::from(number::integer(c, least, most).saturating_mul(step))
}

/// Draws an integer or a fraction within the node's bounds.
pub(super) fn number(c: &mut Choices, schema: &Schema) -> Value {
    let values = &schema.values;
    if c.chance(1, 3) {
        let fraction = number::fraction(c);
        let float = fraction.as_f64().unwrap_or(0.0);
        let is_low = values.minimum.is_some_and(|minimum| float <= minimum);
        let is_high = values.maximum.is_some_and(|maximum| float >= maximum);
        if !is_low && !is_high && values.multiple_of.is_none() {
            return fraction;
        }
    }
    integer(c, schema)
}

/// Draws a boolean, with as many choices as the empty string; with fewer, the shrinker would prefer booleans to
/// strings.
pub(super) fn boolean(c: &mut Choices) -> Value {
    let value = c.draw(1) == 1;
    c.flag(false, 1, 1);
    Value::Bool(value)
}

/// Draws an integer or a string; the node may have keywords for both (VALUE-006).
pub(super) fn int_or_string(c: &mut Choices, schema: &Schema) -> Value {
    if c.keyed("@kind", |c| c.draw(1)) == 0 { integer(c, schema) } else { string(c, schema) }
}
