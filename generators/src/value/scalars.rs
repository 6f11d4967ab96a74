//! Scalars that keep the keywords of their node.

use crdible_semantics::Schema;
use serde_json::Value;

use super::samples;
use crate::{choice::Choices, number, text};

/// A text of the node's length, format and enumeration. A `pattern` is not honoured: the case is discarded.
pub(super) fn string(c: &mut Choices, schema: &Schema) -> Value {
    let values = &schema.values;
    if !values.pattern.is_empty() {
        c.discard("no value is made for a pattern");
    }
    if let Some(samples) = samples::of_format(&values.format) {
        return Value::String((*c.pick(samples)).to_owned());
    }
    let least = length(values.min_length, 0);
    let most = length(values.max_length, least.saturating_add(24));
    if most < least {
        c.discard("minLength above maxLength");
    }
    Value::String(text::text(c, least, most))
}

/// An integer within the node's bounds and format, and a multiple of what it must be a multiple of.
pub(super) fn integer(c: &mut Choices, schema: &Schema) -> Value {
    let (low, high) = range(schema);
    if high < low {
        c.discard("no integer between the bounds");
        return Value::from(low);
    }
    let Some(step) = schema.values.multiple_of.map(whole).filter(|&step| step > 1) else {
        return Value::from(number::integer(c, low, high));
    };
    let (least, most) = (low.div_euclid(step) + i64::from(low.rem_euclid(step) > 0), high.div_euclid(step));
    if most < least {
        c.discard("no multiple between the bounds");
    }
    Value::from(number::integer(c, least, most).saturating_mul(step))
}

/// An integer or a fraction within the node's bounds.
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

/// True or false. As many choices as the empty text has: else a shrinker would rather have a boolean than a text.
pub(super) fn boolean(c: &mut Choices) -> Value {
    let value = c.draw(1) == 1;
    c.flag(false, 1, 1);
    Value::Bool(value)
}

/// An integer or a text; keywords of both kinds may stand on the node (VALUE-006).
pub(super) fn int_or_string(c: &mut Choices, schema: &Schema) -> Value {
    if c.keyed("@kind", |c| c.draw(1)) == 0 { integer(c, schema) } else { string(c, schema) }
}

/// The integers that the bounds and the format leave.
pub(super) fn range(schema: &Schema) -> (i64, i64) {
    let values = &schema.values;
    let is_integer = schema.type_name == "integer";
    let (mut low, mut high) = match values.format.as_str() {
        "int32" if is_integer => (i64::from(i32::MIN), i64::from(i32::MAX)),
        // Beyond 2^53 some integers are no float64, and a node of `type: number` is read as one by many clients.
        _ if schema.type_name == "number" => (-number::EXACT, number::EXACT),
        _ => (i64::MIN, i64::MAX),
    };
    if let Some(minimum) = values.minimum {
        let bound = whole(minimum.ceil());
        low = low.max(if values.exclusive_minimum && minimum.fract() == 0.0 { bound.saturating_add(1) } else { bound });
    }
    if let Some(maximum) = values.maximum {
        let bound = whole(maximum.floor());
        high =
            high.min(if values.exclusive_maximum && maximum.fract() == 0.0 { bound.saturating_sub(1) } else { bound });
    }
    (low, high)
}

/// A bound as an integer; beyond int64 the end of int64.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is what is wanted")]
pub(super) fn whole(bound: f64) -> i64 {
    bound as i64
}

/// A length or a count as a number of elements.
pub(super) fn length(bound: Option<i64>, otherwise: usize) -> usize {
    bound.map_or(otherwise, |bound| usize::try_from(bound.max(0)).unwrap_or(usize::MAX))
}
