//! Helpers on JSON values. None of them recurses, so values may nest to any depth.

use serde_json::{Number, Value};

/// Converts numbers to the form that kube-apiserver has after decoding (VALUE-005): integers within 64 bits are kept,
/// larger ones become floats, and a negative zero becomes `0`.
pub fn normalise_numbers(value: &mut Value) {
    for_each_number(value, &|number| {
        if let Some(large) = number.as_u64().filter(|large| i64::try_from(*large).is_err()) {
            // Upstream loses the same digits.
            #[allow(clippy::cast_precision_loss)]
            return Number::from_f64(large as f64);
        }
        (number.is_f64() && number.as_f64() == Some(0.0) && number.as_f64().is_some_and(f64::is_sign_negative))
            .then(|| Number::from(0))
    });
}

/// Converts numbers to the form that they have after a round trip through the store (VALUE-005). The store writes a
/// float without a fraction without a point (`1.0` → `1`), so it becomes an integer, if the written number is within
/// 64 bits.
pub fn store_form(value: &mut Value) {
    normalise_numbers(value);
    for_each_number(value, &|number| {
        let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
        // By its literal, which beyond 2^53 has zeros in place of the float's last digits.
        float.to_string().parse::<i64>().ok().map(Number::from)
    });
}

fn for_each_number(value: &mut Value, change: &dyn Fn(&Number) -> Option<Number>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => {
                if let Some(changed) = change(number) {
                    *number = changed;
                }
            }
            Value::Array(elements) => open.extend(elements),
            Value::Object(object) => open.extend(object.values_mut()),
            _ => {}
        }
    }
}

/// The nesting depth of a value: 0 for a scalar, 1 for `{}`.
pub fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 0)];
    while let Some((value, above)) = open.pop() {
        match value {
            Value::Array(elements) => {
                deepest = deepest.max(above + 1);
                open.extend(elements.iter().map(|element| (element, above + 1)));
            }
            Value::Object(object) => {
                deepest = deepest.max(above + 1);
                open.extend(object.values().map(|value| (value, above + 1)));
            }
            _ => {}
        }
    }
    deepest
}

/// Drops a value without recursion. An ordinary drop recurses, and overflows the stack of a thread for a value that is
/// nested several thousand levels deep.
pub fn dismantle(value: Value) {
    if !is_compound(&value) {
        return;
    }
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements.into_iter().filter(is_compound)),
            Value::Object(object) => open.extend(object.into_iter().map(|(_, value)| value).filter(is_compound)),
            _ => {}
        }
    }
}

/// Copies a value without recursion, for the same reason as [`dismantle`].
pub(crate) fn copied(value: &Value) -> Value {
    enum Step<'v> {
        Copy(&'v Value),
        Array(usize),
        Object(&'v serde_json::Map<String, Value>),
    }
    let (mut steps, mut done) = (vec![Step::Copy(value)], Vec::new());
    while let Some(step) = steps.pop() {
        match step {
            Step::Copy(Value::Array(elements)) => {
                steps.push(Step::Array(elements.len()));
                steps.extend(elements.iter().rev().map(Step::Copy));
            }
            Step::Copy(Value::Object(entries)) => {
                steps.push(Step::Object(entries));
                steps.extend(entries.values().rev().map(Step::Copy));
            }
            Step::Copy(scalar) => done.push(scalar.clone()),
            Step::Array(length) => {
                let elements = done.split_off(done.len() - length);
                done.push(Value::Array(elements));
            }
            Step::Object(entries) => {
                let values = done.split_off(done.len() - entries.len());
                done.push(Value::Object(entries.keys().cloned().zip(values).collect()));
            }
        }
    }
    done.pop().unwrap_or_default()
}

fn is_compound(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Whether two values are equal, with `1` equal to `1.0`.
pub fn equal_by_value(a: &Value, b: &Value) -> bool {
    equal(a, b, &|a, b| compare_numbers(a, b).is_eq())
}

/// Whether two values are equal, with an integer literal never equal to a float (VALUE-018).
pub(crate) fn equal_as_written(a: &Value, b: &Value) -> bool {
    equal(a, b, &|a, b| a.is_f64() == b.is_f64() && compare_numbers(a, b).is_eq())
}

fn equal(a: &Value, b: &Value, numbers: &dyn Fn(&Number, &Number) -> bool) -> bool {
    let mut open = vec![(a, b)];
    while let Some(pair) = open.pop() {
        let same = match pair {
            (Value::Number(a), Value::Number(b)) => numbers(a, b),
            (Value::Array(a), Value::Array(b)) => {
                open.extend(a.iter().zip(b));
                a.len() == b.len()
            }
            (Value::Object(a), Value::Object(b)) => {
                open.extend(a.values().zip(b.values()));
                a.len() == b.len() && a.keys().eq(b.keys())
            }
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            _ => false,
        };
        if !same {
            return false;
        }
    }
    true
}

/// Compares two numbers by value, exactly: an integer beyond 2^53 is not rounded for the comparison with a float.
pub fn compare_numbers(a: &Number, b: &Number) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(a), None) => compare_integer(a, float(b)),
        (None, Some(b)) => compare_integer(b, float(a)).reverse(),
        (None, None) => float(a).partial_cmp(&float(b)).unwrap_or(Ordering::Equal),
    }
}

/// Compares an integer with a float by value, exactly.
pub(crate) fn compare_integer(integer: i128, float: f64) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    // Every integer literal is far within ±2^96, where the cast below is exact without the fraction.
    const FAR: f64 = 7.9e28;
    if float >= FAR {
        return Ordering::Less;
    }
    if float <= -FAR {
        return Ordering::Greater;
    }
    let whole = float.floor();
    #[allow(clippy::cast_possible_truncation)]
    let order = integer.cmp(&(whole as i128));
    if order.is_eq() && float > whole { Ordering::Less } else { order }
}

/// The number as an integer, if it is an integer literal.
pub(crate) fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(0.0)
}

/// The name of the JSON type of a value, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The number as a 64-bit integer, if its value is one, even if it is written as a float.
pub(crate) fn whole(number: &Number) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if let Some(integer) = number.as_i64() {
        return Some(integer);
    }
    let float =
        number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && (-LIMIT..LIMIT).contains(float))?;
    #[allow(clippy::cast_possible_truncation)] // whole and within 64 bits
    Some(float as i64)
}

/// A hash that is equal for values that are equal by value (`1` and `1.0`).
pub(crate) fn hash_by_value(value: &Value) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        std::mem::discriminant(value).hash(&mut hasher);
        match value {
            Value::Null => {}
            Value::Bool(flag) => flag.hash(&mut hasher),
            // Rounding can give unequal numbers the same hash, but never equal numbers different ones. Adding 0.0 turns
            // -0.0 into 0.0.
            Value::Number(number) => (float(number) + 0.0).to_bits().hash(&mut hasher),
            Value::String(text) => text.hash(&mut hasher),
            Value::Array(elements) => {
                elements.len().hash(&mut hasher);
                open.extend(elements);
            }
            Value::Object(object) => {
                object.len().hash(&mut hasher);
                object.keys().for_each(|key| key.hash(&mut hasher));
                open.extend(object.values());
            }
        }
    }
    hasher.finish()
}

/// Whether a float is integral and within ±(2^53 − 1). Upstream tolerates a relative error of 1e-9 above a
/// positive integer.
pub(crate) fn is_nearly_integral(float: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    const TOLERANCE: f64 = 1e-9;
    if !(-LARGEST..=LARGEST).contains(&float) {
        return false;
    }
    // Only the integer below it is compared, so 0.9999999999 is not an integer.
    let whole = float.trunc();
    float.fract() == 0.0 || whole > 0.0 && (float - whole).abs() / (float.abs() + whole.abs()) < TOLERANCE
}
