//! Reads the fields of a JSON value, and says where one has another type. The value itself is never quoted: it may be a
//! secret.

use serde_json::{Map, Value};

use crate::connection::secret::Secret;

/// A value and its path in the document.
pub(super) struct At<'v> {
    value: &'v Value,
    path: Vec<String>,
}

/// A field has another type than expected.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WrongType {
    /// The keys and indices that lead to the field.
    pub(super) path: Vec<String>,
    expected: &'static str,
}

impl WrongType {
    /// What is wrong, in one sentence.
    pub(super) fn message(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            match step.parse::<usize>() {
                Ok(index) => place.push_str(&format!("[{index}]")),
                Err(_) if place.is_empty() => place.push_str(step),
                Err(_) => place.push_str(&format!(".{step}")),
            }
        }
        let place = if place.is_empty() { "the document" } else { &place };
        format!("{place} must be {}", self.expected)
    }
}

impl<'v> At<'v> {
    pub(super) fn root(value: &'v Value) -> Self {
        Self { value, path: Vec::new() }
    }

    fn wrong(&self, expected: &'static str) -> WrongType {
        WrongType { path: self.path.clone(), expected }
    }

    fn child(&self, step: &str, value: &'v Value) -> Self {
        let mut path = self.path.clone();
        path.push(step.to_owned());
        Self { value, path }
    }

    /// The value of a field; null counts as absent.
    pub(super) fn member(&self, field: &str) -> Option<Self> {
        let value = self.value.get(field).filter(|value| !value.is_null())?;
        Some(self.child(field, value))
    }

    fn map(&self) -> Result<&'v Map<String, Value>, WrongType> {
        self.value.as_object().ok_or_else(|| self.wrong("a map"))
    }

    /// Checks that this is a map.
    pub(super) fn object(&self) -> Result<(), WrongType> {
        self.map().map(|_| ())
    }

    /// The keys of this map.
    pub(super) fn keys(&self) -> Result<impl Iterator<Item = &'v String>, WrongType> {
        Ok(self.map()?.keys())
    }

    fn as_text(&self) -> Result<&'v str, WrongType> {
        self.value.as_str().ok_or_else(|| {
            let is_scalar = self.value.is_number() || self.value.is_boolean();
            self.wrong(if is_scalar { "a text: put it in quotes" } else { "a text" })
        })
    }

    pub(super) fn text(&self, field: &str) -> Result<Option<String>, WrongType> {
        self.member(field).map(|at| at.as_text().map(str::to_owned)).transpose()
    }

    pub(super) fn required_text(&self, field: &str) -> Result<String, WrongType> {
        self.text(field)?.ok_or_else(|| self.child(field, &Value::Null).wrong("set"))
    }

    pub(super) fn secret(&self, field: &str) -> Result<Option<Secret>, WrongType> {
        self.member(field).map(|at| at.as_text().map(Secret::from)).transpose()
    }

    pub(super) fn flag(&self, field: &str) -> Result<Option<bool>, WrongType> {
        self.member(field).map(|at| at.value.as_bool().ok_or_else(|| at.wrong("true or false"))).transpose()
    }

    /// The items of a list.
    pub(super) fn items(&self, field: &str) -> Result<Option<Vec<Self>>, WrongType> {
        let Some(list) = self.member(field) else {
            return Ok(None);
        };
        let items = list.value.as_array().ok_or_else(|| list.wrong("a list"))?;
        Ok(Some(items.iter().enumerate().map(|(index, item)| list.child(&index.to_string(), item)).collect()))
    }

    /// The texts of a list.
    pub(super) fn texts(&self, field: &str) -> Result<Option<Vec<String>>, WrongType> {
        let Some(items) = self.items(field)? else {
            return Ok(None);
        };
        items.iter().map(|item| item.as_text().map(str::to_owned)).collect::<Result<_, _>>().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field_and_not_its_value() {
        let value = serde_json::json!({"users": [{"token": 4711, "env": "hunter2"}], "n": null});
        let root = At::root(&value);
        let users = root.items("users").ok().flatten().unwrap_or_default();
        let message = |error: Option<WrongType>| error.map(|error| error.message()).unwrap_or_default();
        assert_eq!(message(users[0].secret("token").err()), "users[0].token must be a text: put it in quotes");
        assert_eq!(message(users[0].texts("env").err()), "users[0].env must be a list");
        assert_eq!(message(users[0].required_text("name").err()), "users[0].name must be set");
        assert_eq!(message(At::root(&Value::Null).object().err()), "the document must be a map");
        assert_eq!(root.text("n"), Ok(None));
    }
}
