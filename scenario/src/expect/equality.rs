//! Equality of JSON as defined by the specification, and where two values first differ.

use crdible_journal::text;
use crdible_semantics::pointer::push;
use serde_json::{Number, Value};

/// Values with more characters are not shown within a sentence.
const LONGEST: usize = 40;

/// Where and how two values first differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A JSON pointer.
    pub pointer: String,
    /// How.
    pub kind: DifferenceKind,
}

/// How two values differ at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Expected, but missing.
    Missing,
    /// Present, but not expected.
    Unexpected,
    /// A null instead of a value.
    NullInstead,
    /// A value instead of a null.
    ValueInsteadOfNull,
    /// Another number of elements.
    Length,
    /// Another value.
    Changed,
}

impl DifferenceKind {
    /// The rest of a sentence that begins with the place: how the value there should be, and how it is.
    pub(crate) fn phrase(self, expected: Option<&Value>, actual: Option<&Value>) -> String {
        let elements = |value: Option<&Value>| value.and_then(Value::as_array).map_or(0, Vec::len);
        match self {
            Self::Missing => "is missing".to_owned(),
            Self::Unexpected if actual.is_some_and(Value::is_null) => "is null, but should be absent".to_owned(),
            Self::Unexpected => "is unexpected".to_owned(),
            Self::Length => {
                let (expected, actual) = (elements(expected), elements(actual));
                format!("has {}, but should have {expected}", text::plural(actual as u64, "element"))
            }
            Self::NullInstead | Self::ValueInsteadOfNull | Self::Changed => match [expected, actual].map(short) {
                [Some(expected), Some(actual)] => format!("is {actual}, but should be {expected}"),
                [None, Some(actual)] => format!("is {actual}, but should have another value"),
                [Some(expected), None] => format!("has a value that is not {expected}"),
                [None, None] => "has another value".to_owned(),
            },
        }
    }

    /// A word for signatures.
    pub fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unexpected => "unexpected",
            Self::NullInstead => "null-instead",
            Self::ValueInsteadOfNull => "value-instead-of-null",
            Self::Length => "length",
            Self::Changed => "changed",
        }
    }
}

/// A value as it is shown within a sentence, unless it is too long for that.
fn short(value: Option<&Value>) -> Option<String> {
    let text = value?.to_string();
    (text.chars().count() <= LONGEST).then_some(text)
}

/// Whether two values are equal: numbers by value (`1` equals `1.0`; VALUE-005), objects without regard to key order.
pub fn equal(a: &Value, b: &Value) -> bool {
    difference(a, b).is_none()
}

/// The first difference in the order of keys and indices.
pub fn difference(expected: &Value, actual: &Value) -> Option<Difference> {
    let mut pointer = String::new();
    let kind = compare(expected, actual, &mut pointer)?;
    Some(Difference { pointer, kind })
}

fn compare(expected: &Value, actual: &Value, pointer: &mut String) -> Option<DifferenceKind> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            let length = pointer.len();
            for (key, value) in expected {
                push(pointer, key);
                let kind = match actual.get(key) {
                    Some(other) => compare(value, other, pointer),
                    None => Some(DifferenceKind::Missing),
                };
                if kind.is_some() {
                    return kind;
                }
                pointer.truncate(length);
            }
            let extra = actual.keys().find(|key| !expected.contains_key(*key))?;
            push(pointer, extra);
            Some(DifferenceKind::Unexpected)
        }
        (Value::Array(expected), Value::Array(actual)) => {
            let length = pointer.len();
            for (index, (value, other)) in expected.iter().zip(actual).enumerate() {
                push(pointer, &index.to_string());
                let kind = compare(value, other, pointer);
                if kind.is_some() {
                    return kind;
                }
                pointer.truncate(length);
            }
            (expected.len() != actual.len()).then_some(DifferenceKind::Length)
        }
        (Value::Number(expected), Value::Number(actual)) => {
            (!same_number(expected, actual)).then_some(DifferenceKind::Changed)
        }
        (Value::Null, Value::Null) => None,
        (Value::Null, _) => Some(DifferenceKind::ValueInsteadOfNull),
        (_, Value::Null) => Some(DifferenceKind::NullInstead),
        (expected, actual) => (expected != actual).then_some(DifferenceKind::Changed),
    }
}

/// By value. Two integers compare exactly; an integer and a float are equal only if the float is that integer exactly.
fn same_number(a: &Number, b: &Number) -> bool {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        (Some(integer), None) => is_exactly(b, integer),
        (None, Some(integer)) => is_exactly(a, integer),
        (None, None) => a.as_f64() == b.as_f64(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and the range is checked before")]
fn is_exactly(float: &Number, integer: i128) -> bool {
    float.as_f64().is_some_and(|float| float.fract() == 0.0 && float.abs() < 1e30 && float as i128 == integer)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{difference, equal};

    #[rstest]
    #[case::integer_and_float(json!(1), json!(1.0), true)]
    #[case::minus_zero(json!(0), json!(-0.0), true)]
    #[case::beyond_doubles(json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64), false)]
    #[case::adjacent_float(json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992.0), false)]
    #[case::text_is_no_number(json!("1"), json!(1), false)]
    #[case::null_is_not_absent(json!({"a": null}), json!({}), false)]
    fn equality(#[case] a: Value, #[case] b: Value, #[case] same: bool) {
        assert_eq!(equal(&a, &b), same);
        assert_eq!(equal(&b, &a), same);
    }

    #[rstest]
    #[case::missing(json!({"a": {"b": 1}}), json!({"a": {}}), "/a/b", "missing")]
    #[case::unexpected(json!({}), json!({"x/y": 1}), "/x~1y", "unexpected")]
    #[case::null_instead(json!([1]), json!([null]), "/0", "null-instead")]
    #[case::null_gone(json!({"a": null}), json!({"a": 2}), "/a", "value-instead-of-null")]
    #[case::length(json!({"a": [1]}), json!({"a": []}), "/a", "length")]
    fn first_difference(#[case] expected: Value, #[case] actual: Value, #[case] pointer: &str, #[case] word: &str) {
        let found = difference(&expected, &actual).expect("they differ");
        assert_eq!((found.pointer.as_str(), found.kind.word()), (pointer, word));
    }
}
