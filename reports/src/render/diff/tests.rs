use proptest::prelude::*;
use serde_json::{Value, json};

use super::diff;
use crate::render::Style;

#[test]
fn plain() {
    let expected = json!({"z": 1, "a": {"b": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, "name": "left"});
    let actual = json!({"name": "light", "a": {"b": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}, "z": 1});
    insta::assert_snapshot!(diff(&expected, &actual, Style::default()), @r"
    - expected
    + actual
        - 7
        - 8
        - 9
    - name: left
    +   - 10
    + name: light
      z: 1
    ");
}

#[test]
fn far_apart_changes_leave_out_what_is_between() {
    let list: Vec<u32> = (10..40).collect();
    let text = diff(&json!({"a": 1, "l": list, "z": 1}), &json!({"a": 2, "l": list, "z": 2}), Style::default());
    assert!(text.contains("  …\n") && !text.contains("- 25"), "{text}");
}

#[test]
fn changed_parts_are_emphasised_in_color() {
    let text = diff(&json!({"image": "registry/a:1"}), &json!({"image": "registry/a:2"}), Style { color: true });
    insta::assert_snapshot!(text.escape_debug().to_string().replace("\\n", "\n"));
}

#[test]
fn equal_values_are_reported_as_equal() {
    assert_eq!(
        diff(&json!({"a": 1, "b": 2}), &json!({"b": 2, "a": 1}), Style::default()),
        "  (expected and actual look the same)\n"
    );
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

proptest! {
    #[test]
    fn colors_change_no_text(
        left in prop::collection::vec("[a-c\n]{0,4}", 0..5),
        right in prop::collection::vec("[a-c\n]{0,4}", 0..5),
    ) {
        let (left, right): (Value, Value) = (json!(left), json!(right));
        let plain = diff(&left, &right, Style::default());
        prop_assert_eq!(without_escapes(&diff(&left, &right, Style { color: true })), &*plain);
        let escaped = plain.contains('\u{1b}');
        prop_assert!(!escaped);
        prop_assert_eq!(left == right, plain.contains("look the same"));
    }
}
