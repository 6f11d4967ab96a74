//! Numbers, and the keywords that apply to them.

use crdible_generators::json::Json;
use serde_json::Value;

use super::{Class, Found};

/// A number as it is written, and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<'a> {
    text: &'a str,
    float: f64,
    /// The exact value of plain digits.
    literal: Option<i128>,
}

impl<'a> Number<'a> {
    /// The number that a text writes.
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text, float: text.parse().unwrap_or(f64::INFINITY), literal: text.parse().ok() }
    }

    /// The value, if it is integral: exact for plain digits, else the nearest float64.
    pub(crate) fn integer(&self) -> Option<i128> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a float64 that is integral, or saturated beyond any bound"
        )]
        let rounded = (self.float.fract() == 0.0).then_some(self.float as i128);
        self.literal.or(rounded)
    }

    /// The value as a float64.
    pub(crate) fn float(&self) -> f64 {
        self.float
    }

    /// Whether both have the same value.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        match (self.integer(), other.integer()) {
            (Some(one), Some(other)) => one == other,
            _ => self.float.total_cmp(&other.float).is_eq(),
        }
    }
}

const END_OF_INT64: u128 = 1 << 63;

fn is_near(value: i128, corner: u128) -> bool {
    value.unsigned_abs().abs_diff(corner) <= 2
}

/// The classes of a number by itself.
pub(super) fn sort(found: &mut Found, number: &Number<'_>) {
    let Some(value) = number.integer() else { return found.add(Class::Fraction) };
    let is_plain = number.literal.is_some();
    let is_beyond = value > i128::from(i64::MAX) || value < i128::from(i64::MIN);
    found.add_if(value == 0 && is_plain, Class::Zero);
    found.add_if(value > 0 && is_plain, Class::Positive);
    found.add_if(value < 0 && is_plain, Class::Negative);
    found.add_if(is_near(value, 1 << 31), Class::Near31);
    found.add_if(is_near(value, 1 << 53), Class::Near53);
    found.add_if(is_near(value, END_OF_INT64) && !is_beyond, Class::Near63);
    found.add_if(is_beyond, Class::Huge);
    found.add_if(value == 0 && number.text.starts_with('-'), Class::NegativeZero);
    let has_exponent = number.text.contains(['e', 'E']);
    found.add_if(has_exponent, Class::Exponent);
    found.add_if(!is_plain && !has_exponent, Class::IntegralFloat);
}

/// A value under `minimum` or `maximum`.
pub(super) fn bound(found: &mut Found, is_least: bool, argument: &Value, value: &Json) {
    let Json::Number(text) = value else { return found.add(Class::OtherKind) };
    let (number, bound) = (Number::of(text), argument.to_string());
    let bound = Number::of(&bound);
    found.add_if(number.integer().is_none(), Class::Fraction);
    found.add_if(number.literal.is_none() && number.integer().is_some(), Class::IntegralFloat);
    let (Some(value), Some(bound)) = (number.integer(), bound.integer()) else { return };
    // Above zero is further inside.
    let inside = if is_least { value.saturating_sub(bound) } else { bound.saturating_sub(value) };
    found.add(match inside {
        0 => Class::OnBound,
        1 => Class::OneInside,
        -1 => Class::OneOutside,
        2.. => Class::Inside,
        _ => Class::Outside,
    });
    let is_beside = inside.unsigned_abs() <= 2;
    found.add_if(is_beside && is_near(bound, 1 << 31), Class::Bound31);
    // A bound of 2^53 - 3 is the last that has exact numbers on both of its sides.
    found.add_if(is_beside && bound.unsigned_abs().abs_diff(1 << 53) <= 4, Class::Bound53);
}

/// A value under a bound that may be exclusive; the classes are those of the bound.
pub(super) fn exclusive(found: &mut Found, is_least: bool, bound: Option<&Value>, value: &Json) {
    match bound {
        Some(argument) => self::bound(found, is_least, argument, value),
        None => found.add(if matches!(value, Json::Number(_)) { Class::NoBound } else { Class::OtherKind }),
    }
}

/// A value under `multipleOf`.
pub(super) fn multiple(found: &mut Found, argument: &Value, value: &Json) {
    let Json::Number(text) = value else { return found.add(Class::OtherKind) };
    let number = Number::of(text);
    found.add_if(number.literal.is_none() && number.integer().is_some(), Class::IntegralFloat);
    let Some((value, factor)) = number.integer().zip(Number::of(&argument.to_string()).integer()) else { return };
    match value.checked_rem(factor) {
        Some(0) if value == 0 => found.add(Class::Zero),
        Some(0) => found.add(if value > 0 { Class::Multiple } else { Class::NegativeMultiple }),
        Some(rest) => {
            let (rest, factor) = (rest.unsigned_abs(), factor.unsigned_abs());
            found.add_if(rest == 1 || rest + 1 == factor, Class::BesideMultiple);
        }
        None => {}
    }
}

/// A value near the limits of a format.
pub(super) fn format(found: &mut Found, name: &str, number: &Number<'_>) {
    let ends = match name {
        "int32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        "int64" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        _ => {
            let is_inside = name != "float" || number.float.abs() <= f64::from(f32::MAX);
            return found.add(if is_inside { Class::Inside } else { Class::Outside });
        }
    };
    let Some(value) = number.integer() else { return };
    found.add_if(value == ends.0 || value == ends.1, Class::OnBound);
    found.add_if(value == ends.0 + 1 || value == ends.1 - 1, Class::OneInside);
    found.add_if(value == ends.0 - 1 || value == ends.1 + 1, Class::OneOutside);
    found.add_if(value > ends.0 + 1 && value < ends.1 - 1, Class::Inside);
}
