//! JSON pointers (RFC 6901): `/spec/containers/0/a~1b`.
//!
//! A pointer is the empty string for the whole document, or a list of segments with a slash before each. In a segment,
//! `~` is written `~0` and `/` is written `~1`. [`Value::pointer`] reads the value at a pointer; this module builds and
//! splits pointers, and edits documents.

use std::borrow::Cow;

use serde_json::Value;

/// Escapes a key for use as a segment.
pub fn escape(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

/// The key that a segment denotes. A `~` that starts no escape is kept.
pub fn unescape(segment: &str) -> Cow<'_, str> {
    // `~1` first, so that `~01` becomes `~1` and not `/`.
    if segment.contains('~') { segment.replace("~1", "/").replace("~0", "~").into() } else { segment.into() }
}

/// Appends a key to a pointer.
pub fn push(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&escape(key));
}

/// The pointer to a key of the value at `parent`.
pub fn join(parent: &str, key: &str) -> String {
    format!("{parent}/{}", escape(key))
}

/// Splits a pointer into the pointer to the parent and the last key. Returns `None` for the whole document, which has
/// no parent.
pub fn split(pointer: &str) -> Option<(&str, Cow<'_, str>)> {
    pointer.rsplit_once('/').map(|(parent, segment)| (parent, unescape(segment)))
}

/// The keys of a pointer, from the root of the document on.
pub fn keys(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescape)
}

/// Sets the value at a pointer: replaces the document, a member or an element, or adds a member. Returns whether it
/// did; a parent that is missing or a scalar, and an element that does not exist, change nothing.
pub fn set(document: &mut Value, pointer: &str, value: Value) -> bool {
    let Some((parent, key)) = split(pointer) else {
        *document = value;
        return true;
    };
    match document.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.insert(key.into_owned(), value);
            true
        }
        Some(Value::Array(elements)) => match index(&key).and_then(|index| elements.get_mut(index)) {
            Some(element) => {
                *element = value;
                true
            }
            None => false,
        },
        _ => false,
    }
}

/// Removes the member or element at a pointer, and returns it. Returns `None` if it does not exist. The whole document
/// cannot be removed.
pub fn remove(document: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, key) = split(pointer)?;
    match document.pointer_mut(parent)? {
        Value::Object(members) => members.remove(key.as_ref()),
        Value::Array(elements) => {
            let index = index(&key).filter(|index| *index < elements.len())?;
            Some(elements.remove(index))
        }
        _ => None,
    }
}

/// The index that a key denotes: decimal digits without leading zeros.
fn index(key: &str) -> Option<usize> {
    let is_canonical = key == "0" || !key.starts_with(['0', '+']);
    key.parse().ok().filter(|_| is_canonical)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{escape, join, keys, push, remove, set, split, unescape};

    #[rstest]
    #[case::plain("a.b", "a.b")]
    #[case::empty("", "")]
    #[case::slash("a/b", "a~1b")]
    #[case::tilde("a~b", "a~0b")]
    #[case::like_an_escape("~1", "~01")]
    #[case::both("~/", "~0~1")]
    fn keys_are_escaped(#[case] key: &str, #[case] segment: &str) {
        assert_eq!(escape(key), segment);
        assert_eq!(unescape(segment), key);
    }

    #[rstest]
    #[case::at_the_end("a~", "a~")]
    #[case::unknown("~2", "~2")]
    fn a_tilde_that_starts_no_escape_is_kept(#[case] segment: &str, #[case] key: &str) {
        assert_eq!(unescape(segment), key);
    }

    #[rstest]
    #[case::document("", None)]
    #[case::member("/a", Some(("", "a")))]
    #[case::empty_key("/", Some(("", "")))]
    #[case::nested("/a/b~1c/~0", Some(("/a/b~1c", "~")))]
    fn pointers_are_split(#[case] pointer: &str, #[case] expected: Option<(&str, &str)>) {
        let found = split(pointer);
        assert_eq!(found.as_ref().map(|(parent, key)| (*parent, key.as_ref())), expected);
    }

    #[test]
    fn keys_are_listed_from_the_root() {
        assert_eq!(keys("/a~1b//0").collect::<Vec<_>>(), ["a/b", "", "0"]);
        assert_eq!(keys("").count(), 0);
    }

    fn document() -> Value {
        json!({"a/b": {"c": [1, 2]}, "s": "t"})
    }

    #[rstest]
    #[case::document("", Some(json!(3)))]
    #[case::member("/s", Some(json!({"a/b": {"c": [1, 2]}, "s": 3})))]
    #[case::new_member("/a~1b/~0", Some(json!({"a/b": {"c": [1, 2], "~": 3}, "s": "t"})))]
    #[case::element("/a~1b/c/1", Some(json!({"a/b": {"c": [1, 3]}, "s": "t"})))]
    #[case::element_after_the_last("/a~1b/c/2", None)]
    #[case::append("/a~1b/c/-", None)]
    #[case::leading_zero("/a~1b/c/01", None)]
    #[case::sign("/a~1b/c/+1", None)]
    #[case::member_of_a_list("/a~1b/c/x", None)]
    #[case::member_of_a_scalar("/s/x", None)]
    #[case::missing_parent("/x/y", None)]
    fn values_are_set(#[case] pointer: &str, #[case] expected: Option<Value>) {
        let mut edited = document();
        assert_eq!(set(&mut edited, pointer, json!(3)), expected.is_some());
        assert_eq!(edited, expected.unwrap_or_else(document));
    }

    #[rstest]
    #[case::member("/s", Some((json!("t"), json!({"a/b": {"c": [1, 2]}}))))]
    #[case::element("/a~1b/c/0", Some((json!(1), json!({"a/b": {"c": [2]}, "s": "t"}))))]
    #[case::element_after_the_last("/a~1b/c/2", None)]
    #[case::leading_zero("/a~1b/c/00", None)]
    #[case::missing_member("/x", None)]
    #[case::missing_parent("/x/y", None)]
    #[case::member_of_a_scalar("/s/x", None)]
    #[case::document("", None)]
    fn values_are_removed(#[case] pointer: &str, #[case] expected: Option<(Value, Value)>) {
        let mut edited = document();
        let removed = remove(&mut edited, pointer);
        let (value, left) = expected.map_or_else(|| (None, document()), |(value, left)| (Some(value), left));
        assert_eq!((removed, edited), (value, left));
    }

    proptest! {
        #[test]
        fn any_key_is_found_again(key in "[~/01a\u{e9}]{0,6}", parent in "(/[~/01a]{0,3}){0,3}") {
            let pointer = join(&parent, &key);
            let mut pushed = parent.clone();
            push(&mut pushed, &key);
            prop_assert_eq!(&pushed, &pointer);
            let (found, last) = split(&pointer).expect("a parent");
            prop_assert_eq!((found, last.as_ref()), (parent.as_str(), key.as_str()));
            let mut document = json!({});
            let pointer = join("", &key);
            prop_assert!(set(&mut document, &pointer, json!(1)));
            prop_assert_eq!(document.get(&key), Some(&json!(1)));
            prop_assert_eq!(document.pointer(&pointer), Some(&json!(1)));
        }
    }
}
