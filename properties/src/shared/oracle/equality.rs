//! Which values are equal.

use serde_json::Value;

use super::numbers;

/// Whether two values are equal (RATCHET-007, VALUE-018, VALUE-033): deeply, numbers by value, objects whatever the
/// order of their keys, lists in their order. `"1"` is not `1`, null equals null, and a key whose value is null is not
/// a missing one.
pub(in super::super::super) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => numbers::equal(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_same = |(name, value)| other.get(name).is_some_and(|other| equal(value, other));
            one.len() == other.len() && one.iter().all(is_same)
        }
        (one, other) => one == other,
    }
}

/// The index of the second occurrence of each repeated value (VALUE-033, VALUE-034).
pub(in super::super::super) fn repeated(values: &[Value]) -> Vec<usize> {
    let before = |at: usize| values[..at].iter().filter(|other| equal(other, &values[at])).count();
    (0..values.len()).filter(|at| before(*at) == 1).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{equal, repeated};

    /// The examples of RATCHET-007, VALUE-018, VALUE-033 and VALUE-047.
    #[rstest]
    #[case::order_of_keys(r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#, true)]
    #[case::order_of_elements("[1, 2]", "[2, 1]", false)]
    #[case::another_key(r#"{"a": 1}"#, r#"{"b": 1}"#, false)]
    #[case::one_key_more(r#"{"a": 1}"#, r#"{"a": 1, "b": 1}"#, false)]
    #[case::one_element_more("[1]", "[1, 1]", false)]
    #[case::null_is_not_absent(r#"{"a": null}"#, "{}", false)]
    #[case::nulls("null", "null", true)]
    #[case::text_is_no_number(r#""1""#, "1", false)]
    #[case::true_is_no_number("true", "1", false)]
    #[case::no_container_is_another("[]", "{}", false)]
    #[case::a_number_inside(r#"[{"a": 1}]"#, r#"[{"a": 1.0}]"#, true)]
    #[case::zeros("0.0", "-0.0", true)]
    fn which_are_equal(#[case] one: &str, #[case] other: &str, #[case] expected: bool) {
        let [one, other]: [Value; 2] = [one, other].map(|text| serde_json::from_str(text).expect("JSON"));
        assert_eq!(equal(&one, &other), expected);
        assert_eq!(equal(&other, &one), expected);
    }

    /// The examples of VALUE-033.
    #[rstest]
    #[case::distinct(json!([1, "1"]), vec![])]
    #[case::twice(json!(["1", 1, "1"]), vec![2])]
    #[case::each_once(json!(["a", "a", "a", "b", "b"]), vec![1, 4])]
    #[case::nulls(json!([null, null]), vec![1])]
    #[case::numbers(json!([{ "a": 1 }, { "a": 1.0 }]), vec![1])]
    fn second_occurrences(#[case] values: Value, #[case] expected: Vec<usize>) {
        assert_eq!(repeated(values.as_array().expect("a list")), expected);
    }
}
