//! Where the documents of two scenarios differ.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::Document;

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DocumentPlace {
    /// Which document.
    pub(crate) document: usize,
    /// The segments of its JSON pointer.
    pub(crate) pointer: Vec<String>,
}

/// Places of documents, and what others have there; `None` if they have nothing.
pub(crate) type Changes = BTreeMap<DocumentPlace, Option<Value>>;

/// The places of the first documents that are different in the others. What is only in the others is at the place in
/// which it is, unless something else is different. `None` if the others are not of the same form.
pub(crate) fn changed(these: &[Document], others: &[Document]) -> Option<Changes> {
    let same_form =
        these.len() == others.len() && these.iter().zip(others).all(|(one, other)| one.title == other.title);
    if !same_form {
        return None;
    }
    let mut found = Found::default();
    for (document, (one, other)) in these.iter().zip(others).enumerate() {
        found.compare(&one.content, &other.content, &mut DocumentPlace { document, pointer: Vec::new() });
    }
    Some(if found.changed.is_empty() { found.grown } else { found.changed })
}

#[derive(Default)]
struct Found {
    changed: Changes,
    grown: Changes,
}

impl Found {
    fn compare(&mut self, one: &Value, other: &Value, at: &mut DocumentPlace) {
        match (one, other) {
            (Value::Object(fields), Value::Object(others)) => {
                for (key, field) in fields {
                    at.pointer.push(key.clone());
                    match others.get(key) {
                        Some(other) => self.compare(field, other, at),
                        None => drop(self.changed.insert(at.clone(), None)),
                    }
                    at.pointer.pop();
                }
                if others.keys().any(|key| !fields.contains_key(key)) {
                    self.grown.insert(at.clone(), Some(other.clone()));
                }
            }
            (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
                for (index, (item, other)) in items.iter().zip(others).enumerate() {
                    at.pointer.push(index.to_string());
                    self.compare(item, other, at);
                    at.pointer.pop();
                }
            }
            _ if one != other => drop(self.changed.insert(at.clone(), Some(other.clone()))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::documents::Document, changed};

    fn document(content: Value) -> Document {
        Document { title: "t".to_owned(), content }
    }

    #[rstest]
    #[case::same(json!({"a": 1}), json!({"a": 1}), &[])]
    #[case::value(json!({"a": {"b": 1, "c": 2}}), json!({"a": {"b": 3, "c": 2}}), &["a/b"])]
    #[case::missing(json!({"a": 1, "b": 2}), json!({"b": 2}), &["a"])]
    #[case::more(json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 2}}), &["a"])]
    #[case::more_beside_another_value(json!({"a": {"b": 1}}), json!({"a": {"b": 2, "c": 2}}), &["a/b"])]
    #[case::element(json!([1, 2]), json!([1, 3]), &["1"])]
    #[case::length(json!({"l": [1, 2]}), json!({"l": [1]}), &["l"])]
    #[case::kind(json!({"l": [1]}), json!({"l": {"x": 1}}), &["l"])]
    fn differences(#[case] one: Value, #[case] other: Value, #[case] expected: &[&str]) {
        let found = changed(&[document(one)], &[document(other)]).expect("the same form");
        assert_eq!(found.keys().map(|place| place.pointer.join("/")).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn other_requests_are_of_another_form() {
        let one = document(json!(1));
        assert_eq!(changed(&[one.clone(), one.clone()], std::slice::from_ref(&one)), None);
        assert_eq!(changed(std::slice::from_ref(&one), &[Document { title: "u".to_owned(), ..one.clone() }]), None);
    }
}
