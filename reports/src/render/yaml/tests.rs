#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Map, Number, Value, json};

use super::yaml;

/// As Kubernetes' tools read: YAML 1.1, where `yes` is a boolean and `0777` a number.
fn read(text: &str) -> Value {
    let options = serde_saphyr::options! { legacy_octal_numbers: true, with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[rstest]
#[case("yes", "\"yes\"")]
#[case("No", "\"No\"")]
#[case("ON", "\"ON\"")]
#[case("y", "\"y\"")]
#[case("null", "\"null\"")]
#[case("~", "\"~\"")]
#[case("", "\"\"")]
#[case("1", "\"1\"")]
#[case("0777", "\"0777\"")]
#[case("1e3", "\"1e3\"")]
#[case(".5", "\".5\"")]
#[case("-.inf", "\"-.inf\"")]
#[case("NaN", "\"NaN\"")]
#[case("12:30:45", "\"12:30:45\"")]
#[case("2001-01-01", "\"2001-01-01\"")]
#[case("<<", "\"<<\"")]
#[case("=", "\"=\"")]
#[case("- a", "\"- a\"")]
#[case("*a", "\"*a\"")]
#[case("a: b", "\"a: b\"")]
#[case("a:", "\"a:\"")]
#[case("a #b", "\"a #b\"")]
#[case(" a", "\" a\"")]
#[case("a ", "\"a \"")]
#[case("a\nb", "\"a\\nb\"")]
#[case("\u{1}\u{85}\u{2028}\u{feff}", "\"\\x01\\x85\\u2028\\ufeff\"")]
#[case("---", "\"---\"")]
#[case("v1", "v1")]
#[case("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1")]
#[case("https://a/b", "https://a/b")]
#[case("two words", "two words")]
#[case("größe", "\"größe\"")]
fn strings(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(yaml(&json!(text)), format!("{expected}\n"));
    assert_eq!(read(&yaml(&json!({ text: text }))), json!({ text: text }));
}

#[test]
fn collections_are_written_like_kubectl() {
    let value = json!({
        "a": [1, {"b": 2, "c": [{"d": null}]}, [[3], []], {}],
        "e": {"f": {"g": true}, "h": {}},
        "i": [],
    });
    assert_eq!(
        yaml(&value),
        "a:\n- 1\n- b: 2\n  c:\n  - d: null\n- - - 3\n  - []\n- {}\ne:\n  f:\n    g: true\n  h: {}\ni: []\n"
    );
    assert_eq!(read(&yaml(&value)), value);
}

#[rstest]
#[case(json!(1e300), "1.0e+300\n")]
#[case(json!(1.5e-7), "1.5e-7\n")]
#[case(json!(-0.5), "-0.5\n")]
#[case(json!(1.0), "1.0\n")]
#[case(json!(u64::MAX), "18446744073709551615\n")]
#[case(json!(i64::MIN), "-9223372036854775808\n")]
fn numbers(#[case] value: Value, #[case] expected: &str) {
    assert_eq!(yaml(&value), expected);
    assert_eq!(read(expected), value);
}

#[test]
fn long_keys_use_the_explicit_form() {
    let key = "k".repeat(1500);
    let value = json!({"a": [{ &key: {"x": 1}, "z": {&key: 2}}]});
    assert_eq!(read(&yaml(&value)), value);
}

fn some_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-?:,\\[\\]{}#&*!|>'\"%@` ~=<.+0-9eExXoOybn_/\n\t]{0,6}",
        "\\PC{0,8}",
        prop::collection::vec(any::<char>(), 0..5).prop_map(|characters| characters.into_iter().collect()),
        prop::sample::select(vec![
            "yes",
            "Off",
            "0x1F",
            "0b1",
            "1_000",
            "1:20",
            "null",
            "!!str x",
            "2001-12-14t21:59:43Z"
        ])
        .prop_map(str::to_owned),
    ]
}

fn some_value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("finite", |float| Number::from_f64(float).map(Value::Number)),
        some_text().prop_map(Value::String),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((some_text(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_written_is_read_back(value in some_value()) {
        let text = yaml(&value);
        prop_assert!(text.ends_with('\n'));
        prop_assert_eq!(read(&text), value, "{}", text);
    }
}
