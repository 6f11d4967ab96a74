//! The YAML reader compared with another library. The suite reads answers with it, so it must be right by itself.

use crdible_reference::yaml::read;
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// A word that YAML 1.1, which Kubernetes reads, does not take for a string: the library writes YAML 1.2.
fn is_word_of_yaml_1_1(text: &str) -> bool {
    const WORDS: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ""];
    let is_number_like = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    WORDS.contains(&text.to_lowercase().as_str()) || is_number_like
}

fn string() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "a: b", "# x", "- a", "a\nb", " a ", "'", "\"", "\\n", "é😀", "[a", "{", "&a", "*a", "!a", "|", "%a", "@", "`",
        "a #b", "a\tb",
    ]);
    let any = "[a-z:#\\-'\"\\\\\\n\\t {}\\[\\],&*!|>%@`é😀]{0,12}";
    prop_oneof![odd.prop_map(str::to_owned), any].prop_filter("a word of YAML 1.1", |text| !is_word_of_yaml_1_1(text))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(|float| Number::from_f64(float + 0.5).map_or(Value::Null, Value::Number)),
        string().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(string(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_another_library_writes_is_read_back(value in value()) {
        let text = serde_saphyr::to_string(&value).expect("YAML");
        prop_assert_eq!(read(text.as_bytes()).expect("valid YAML"), value, "{}", text);
    }
}

#[test]
fn hand_written_documents_are_read_as_by_another_library() {
    const DOCUMENTS: &[&str] = &[
        "a: 1\nb:\n- x\n- z: {c: [1, 2.5, null]}\n",
        "text: |\n  one\n  two\nfolded: >-\n  one\n  two\n",
        "base: &b {a: 1}\nother: *b\n",
        "? a\n: b\n",
        "\"quoted \\u00e9\": 'it''s'\n",
        "empty:\nlist: []\nobject: {}\n",
        "plain text with spaces: and a # comment\n",
        "--- {a: b}\n",
    ];
    for text in DOCUMENTS {
        let expected: Value = serde_saphyr::from_str(text).expect("valid YAML");
        assert_eq!(read(text.as_bytes()).expect("valid YAML"), expected, "{text}");
    }
}
