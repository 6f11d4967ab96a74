//! One step of a path into an object, as in `fieldsV1`.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::malformed::Malformed;
use crate::go_json::html_safe;

/// A step from a value to one inside it.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    /// `f:`, the field with this name.
    Field(String),
    /// `k:`, the element of a list whose keys have these values. Keys are sorted by name.
    Key(Vec<(String, Value)>),
    /// `v:`, the element of a list with this value.
    Value(Value),
    /// `i:`, the element of a list at this index.
    Index(i64),
}

impl Element {
    /// The text of this step in `fieldsV1`.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(keys) => {
                let keys: Map<String, Value> = keys.iter().cloned().collect();
                format!("k:{}", html_safe(&Value::Object(keys)))
            }
            Self::Value(value) => format!("v:{}", html_safe(value)),
            Self::Index(index) => format!("i:{index}"),
        }
    }

    /// Parses a step of `fieldsV1`; `None` if its kind is unknown. Numbers become floats, as upstream (REST-040 `[Q]`).
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, Malformed> {
        let (kind, content) = text.split_at_checked(2).ok_or(Malformed)?;
        let element = match kind {
            "f:" => Self::Field(content.to_owned()),
            "k:" => match first_value(content)? {
                Value::Object(keys) => Self::Key(keys.into_iter().map(|(name, value)| (name, floats(value))).collect()),
                Value::Null => Self::Key(Vec::new()),
                _ => return Err(Malformed),
            },
            "v:" => Self::Value(floats(first_value(content)?)),
            "i:" => Self::Index(content.parse().map_err(|_| Malformed)?),
            _ if kind.ends_with(':') => return Ok(None),
            _ => return Err(Malformed),
        };
        Ok(Some(element))
    }

    /// The sort order of kinds: fields, then keys, values and indices.
    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

impl Ord for Element {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(a), Self::Field(b)) => a.cmp(b),
            (Self::Key(a), Self::Key(b)) => compare_members(
                a.iter().map(|(name, value)| (name, value)),
                b.iter().map(|(name, value)| (name, value)),
            ),
            (Self::Value(a), Self::Value(b)) => compare_values(a, b),
            (Self::Index(a), Self::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Element {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Element {}

/// Orders values: numbers by value, integers or floats, before strings, booleans, lists, objects and null.
pub(super) fn compare_values(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => {
            let differing = a.iter().zip(b).map(|(a, b)| compare_values(a, b)).find(|order| order.is_ne());
            differing.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Object(a), Value::Object(b)) => compare_members(a.iter(), b.iter()),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// Whether two values are equal; `1` equals `1.0`.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    a == b || compare_values(a, b).is_eq()
}

fn compare_members<'v>(
    mut a: impl Iterator<Item = (&'v String, &'v Value)>,
    mut b: impl Iterator<Item = (&'v String, &'v Value)>,
) -> Ordering {
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((name, value)), Some((other_name, other))) => {
                let order = name.cmp(other_name).then_with(|| compare_values(value, other));
                if order.is_ne() {
                    return order;
                }
            }
        }
    }
}

fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

/// The JSON value at the start of a text; the rest is ignored.
fn first_value(text: &str) -> Result<Value, Malformed> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next().and_then(Result::ok).ok_or(Malformed)
}

/// The same value with all numbers as floats.
fn floats(mut value: Value) -> Value {
    match &mut value {
        Value::Number(number) => {
            if let Some(float) = number.as_f64().and_then(Number::from_f64) {
                *number = float;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = floats(item.take())),
        Value::Object(members) => members.values_mut().for_each(|member| *member = floats(member.take())),
        _ => {}
    }
    value
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    // As written by kube-apiserver 1.36.3.
    #[rstest]
    #[case(Element::Field("a.b/c".into()), "f:a.b/c")]
    #[case(Element::Key(vec![("name".into(), json!("a<b")), ("port".into(), json!(80))]), r#"k:{"name":"a\u003cb","port":80}"#)]
    #[case(Element::Value(json!("x")), r#"v:"x""#)]
    #[case(Element::Value(json!(1.5)), "v:1.5")]
    #[case(Element::Index(3), "i:3")]
    fn rest_041_elements_are_written_and_read(#[case] element: Element, #[case] text: &str) {
        assert_eq!(element.to_text(), text);
        assert_eq!(Element::parse(text).unwrap(), Some(element));
    }

    #[test]
    fn rest_040_integers_are_read_as_floats() {
        let read = Element::parse("v:10202829123520905").unwrap().unwrap();
        assert_eq!(read.to_text(), "v:10202829123520904");
    }

    #[rstest]
    #[case("x:a", Ok(None))]
    #[case("f:", Ok(Some("f:")))]
    #[case("k:{}", Ok(Some("k:{}")))]
    #[case("k:null", Ok(Some("k:{}")))]
    #[case("v:1 2", Ok(Some("v:1")))]
    #[case("f", Err(()))]
    #[case("fa", Err(()))]
    #[case("k:1", Err(()))]
    #[case("v:", Err(()))]
    #[case("i:x", Err(()))]
    fn malformed_elements_differ_from_unknown_ones(#[case] text: &str, #[case] expected: Result<Option<&str>, ()>) {
        let read = Element::parse(text).map_err(|_| ()).map(|read| read.map(|element| element.to_text()));
        assert_eq!(read, expected.map(|element| element.map(str::to_owned)));
    }

    #[test]
    fn elements_are_ordered() {
        let mut elements = [
            Element::Index(0),
            Element::Value(json!(null)),
            Element::Value(json!("a")),
            Element::Value(json!(2.5)),
            Element::Value(json!(2)),
            Element::Key(vec![("a".into(), json!(1)), ("b".into(), json!(0))]),
            Element::Key(vec![("a".into(), json!(1))]),
            Element::Field("b".into()),
            Element::Field("a".into()),
        ];
        let reversed: Vec<String> = elements.iter().rev().map(Element::to_text).collect();
        elements.sort();
        assert_eq!(elements.iter().map(Element::to_text).collect::<Vec<_>>(), reversed);
    }
}
