//! What users declare of a converter: losses and refusals that are intended.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

/// A field that conversion loses on purpose: what is at and below it at this version need not come back (CONV-035).
///
/// As text: `v1:.spec.hosts[*].weight`; `[*]` is any element, `.*` any key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The name of the version that has the field.
    pub version: String,
    /// The way to it; none for any key or element.
    pub(super) path: Vec<Option<String>>,
}

impl Loss {
    /// Whether the field is at this way of keys and indices, or above it.
    pub fn covers(&self, way: &[impl AsRef<str>]) -> bool {
        let fits = |(own, actual): (&Option<String>, &str)| own.as_deref().is_none_or(|own| own == actual);
        way.len() >= self.path.len() && self.path.iter().zip(way.iter().map(AsRef::as_ref)).all(fits)
    }
}

impl FromStr for Loss {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "write VERSION:.PATH, such as v1:.spec.hosts[*].weight";
        let (version, path) = text.split_once(':').ok_or(FORM)?;
        let path = path.strip_prefix('.').filter(|path| !path.is_empty()).ok_or(FORM)?;
        let path = path.replace("[*]", ".*");
        let segments: Vec<Option<String>> =
            path.split('.').map(|segment| (segment != "*").then(|| segment.to_owned())).collect();
        if version.is_empty() || segments.iter().flatten().any(String::is_empty) {
            return Err(FORM.to_owned());
        }
        Ok(Self { version: version.to_owned(), path: segments })
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:", self.version)?;
        self.path.iter().try_for_each(|segment| write!(formatter, ".{}", segment.as_deref().unwrap_or("*")))
    }
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Loss {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Objects that a converter refuses on purpose, since another version cannot express them: those of a version that have
/// a field, or a field with a value (CONV-045).
///
/// As text: `v1:.spec.hosts` or `v1:.spec.mode=legacy`; the value is JSON, or a text without quotes. `[1]` is the second
/// element of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The version and the field.
    pub(super) field: Loss,
    /// The value; none if any value may be refused.
    value: Option<Value>,
}

impl Refusal {
    /// Whether it covers an object of this version.
    pub fn covers(&self, version: &str, object: &Value) -> bool {
        self.field.version == version && self.is_at(&self.field.path, object)
    }

    fn is_at(&self, path: &[Option<String>], value: &Value) -> bool {
        let Some((key, rest)) = path.split_first() else {
            return self.value.as_ref().is_none_or(|refused| refused == value);
        };
        let of_list = |elements: &[Value]| match key {
            None => elements.iter().any(|element| self.is_at(rest, element)),
            Some(key) => key.parse::<usize>().is_ok_and(|at| elements.get(at).is_some_and(|one| self.is_at(rest, one))),
        };
        match value {
            Value::Object(fields) => match key {
                None => fields.values().any(|value| self.is_at(rest, value)),
                Some(key) => fields.get(key).is_some_and(|value| self.is_at(rest, value)),
            },
            Value::Array(elements) => of_list(elements),
            _ => false,
        }
    }
}

impl FromStr for Refusal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (field, value) = match text.split_once('=') {
            Some((field, value)) => (field, Some(value)),
            None => (text, None),
        };
        let field = field.replace('[', ".").replace(']', "");
        let value = value.map(|value| serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned())));
        let field =
            field.parse().map_err(|_| "write VERSION:.PATH or VERSION:.PATH=VALUE, such as v1:.spec.mode=legacy")?;
        Ok(Self { field, value })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.field)?;
        self.value.iter().try_for_each(|value| write!(formatter, "={value}"))
    }
}

impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Refusal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Loss, Refusal};

    #[rstest]
    #[case("v1:.spec.x", &["spec", "x"], true)]
    #[case("v1:.spec.x", &["spec", "x", "0", "y"], true)]
    #[case("v1:.spec.x", &["spec"], false)]
    #[case("v1:.spec.x", &["spec", "y"], false)]
    #[case("v1:.spec.a[*].b", &["spec", "a", "7", "b"], true)]
    #[case("v1:.spec.m.*", &["spec", "m", "any"], true)]
    fn losses_cover_what_is_below(#[case] loss: &str, #[case] way: &[&str], #[case] expected: bool) {
        let loss: Loss = loss.parse().expect("a loss");
        assert_eq!(loss.covers(way), expected);
        assert_eq!(loss.to_string().parse(), Ok(loss));
    }

    #[rstest]
    #[case(".spec")]
    #[case("v1:spec")]
    #[case("v1:.")]
    #[case("v1:.a..b")]
    #[case(":.spec")]
    fn what_is_no_loss(#[case] text: &str) {
        assert!(text.parse::<Loss>().is_err());
    }

    #[rstest]
    #[case("v1:.spec.x", json!({ "spec": { "x": 0 } }), true)]
    #[case("v1:.spec.x", json!({ "spec": {} }), false)]
    #[case("v1:.spec.mode=legacy", json!({ "spec": { "mode": "legacy" } }), true)]
    #[case("v1:.spec.mode=legacy", json!({ "spec": { "mode": "new" } }), false)]
    #[case("v1:.spec.size=1", json!({ "spec": { "size": 1 } }), true)]
    #[case("v1:.spec.list[1]", json!({ "spec": { "list": [1] } }), false)]
    #[case("v1:.spec.list[1]", json!({ "spec": { "list": [1, 2] } }), true)]
    #[case("v1:.spec.list[*].x=2", json!({ "spec": { "list": [{ "x": 1 }, { "x": 2 }] } }), true)]
    #[case("v2:.spec.x", json!({ "spec": { "x": 0 } }), false)]
    fn refusals_cover_objects_with_the_field(#[case] refusal: &str, #[case] object: Value, #[case] expected: bool) {
        let refusal: Refusal = refusal.parse().expect("a refusal");
        assert_eq!(refusal.covers("v1", &object), expected);
        assert_eq!(refusal.to_string().parse(), Ok(refusal));
    }
}
