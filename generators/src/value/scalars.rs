//! Scalars that keep the keywords of their node.

use crdible_semantics::{Schema, validate::strings::enforced_format};
use serde_json::Value;

use super::marks;
use crate::{choice::Choices, format, number, pattern, text};

/// How often a text is made anew if it lacks one of several keywords.
const ATTEMPTS: usize = 4;
/// One scalar in this many lies beside what the keywords of its node speak of, where it is valid there.
const MARKED: u64 = 3;

/// A text of the node's length, pattern and format.
pub(super) fn string(c: &mut Choices, schema: &Schema) -> Value {
    let values = &schema.values;
    let least = length(values.min_length, 0);
    let most = length(values.max_length, least.saturating_add(24));
    if most < least {
        c.discard("minLength above maxLength");
    }
    let format = enforced_format(schema);
    let pattern = values.pattern.compiled().ok().flatten();
    let has_length = |text: &String| (least..=most).contains(&text.chars().count());
    let is_valid = |text: &String| {
        let has_format = format.is_none_or(|format| format.accepts(text));
        has_length(text) && has_format && pattern.is_none_or(|pattern| pattern.is_match(text))
    };
    let marked = |c: &mut Choices| marks::text(c, schema).filter(is_valid);
    if let Some(text) = c.keyed("@mark", |c| if c.chance(1, MARKED) { marked(c) } else { None }) {
        return Value::String(text);
    }
    if pattern.is_none() && format.is_none() {
        return Value::String(text::text(c, least, most));
    }
    let judged = |c: &mut Choices| match (pattern, format) {
        (Some(pattern), _) => pattern::matching(c, pattern),
        (None, Some(format)) => Some(format::valid(c, format)),
        (None, None) => None,
    };
    let fits = |text: &String| {
        let count = text.chars().count();
        let is_long_enough = values.min_length.is_none() || count >= least;
        let is_short_enough = values.max_length.is_none() || count <= most;
        is_long_enough && is_short_enough && format.is_none_or(|format| format.accepts(text))
    };
    let text = (0..ATTEMPTS).find_map(|_| judged(c).filter(fits));
    let text = text.or_else(|| pattern::simplest(values.pattern.as_str()).filter(fits));
    if text.is_none() {
        c.discard("no text was found for a pattern");
    }
    Value::String(text.unwrap_or_default())
}

/// An integer within the node's bounds and format, and a multiple of what it must be a multiple of.
pub(super) fn integer(c: &mut Choices, schema: &Schema) -> Value {
    let (low, high) = range(schema);
    if high < low {
        c.discard("no integer between the bounds");
        return Value::from(low);
    }
    let step = schema.values.multiple_of.map(whole).filter(|&step| step > 1);
    let is_valid = |value: &i64| (low..=high).contains(value) && step.is_none_or(|step| value % step == 0);
    let marked = |c: &mut Choices| marks::integer(c, schema).filter(is_valid);
    if let Some(value) = c.keyed("@mark", |c| if c.chance(1, MARKED) { marked(c) } else { None }) {
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
