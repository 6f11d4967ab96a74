//! The words of causes: those of kube-apiserver 1.36. They are not normative (VALUE-043).
//!
//! The message of a cause is a title, which follows from its reason, and a detail. Where the reason is about a value,
//! the detail begins with it. Here is what many kinds of causes share; what one kind says stands where it is found.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Display,
};

use serde_json::Value;

use crate::{FieldPath, MAX_DEPTH, Reason, Violation, go_json, go_text, json};

/// A value, and what is wrong with it.
pub fn about(value: impl Display, fault: impl Display) -> String {
    format!("{value}: {fault}")
}

/// A text and what is wrong with it.
pub fn about_text(text: &str, fault: impl Display) -> String {
    about(go_text::quoted(text), fault)
}

/// A value and the values that are allowed in its place.
pub fn unsupported<'a>(value: impl Display, allowed: impl IntoIterator<Item = &'a str>) -> String {
    let allowed: Vec<String> = allowed.into_iter().map(go_text::quoted).collect();
    about(value, format_args!("supported values: {}", allowed.join(", ")))
}

/// What a message says about a value of another type or format than the schema's.
pub(crate) fn expected_instead(path: &FieldPath<'_>, type_name: &str, found: &str) -> String {
    in_body(path, format_args!("must be of type {type_name}: {}", go_text::quoted(found)))
}

/// The detail of something that is too long.
pub fn too_long(limit: impl Display) -> String {
    let limit = limit.to_string();
    if limit.starts_with('-') {
        return "value is too long".to_owned();
    }
    let unit = if limit == "1" { "byte" } else { "bytes" };
    format!("may not be more than {limit} {unit}")
}

/// The detail of something that has too many parts.
pub fn too_many(count: impl Display, limit: impl Display) -> String {
    let limit = limit.to_string();
    if limit.starts_with('-') {
        return format!("{count}: has too many items");
    }
    let items = if limit == "1" { "item" } else { "items" };
    format!("{count}: must have at most {limit} {items}")
}

/// What is wrong with a kind, whose lower case must be a label.
pub fn mixed_case(faults: &[&str]) -> String {
    format!("may have mixed case, but should otherwise match: {}", faults.join(","))
}

/// What is wrong with the name of a manager of fields.
pub fn faults_of_manager(manager: &str) -> Vec<(Reason, String)> {
    const LONGEST: usize = 128;
    let longer = (manager.len() > LONGEST).then(|| (Reason::TooLong, too_long(LONGEST)));
    let unprintable = manager.char_indices().filter(|(_, letter)| !go_text::is_printable(*letter));
    let invalid = unprintable.map(|(at, letter)| {
        let fault = format_args!("invalid character U+{:04X} (at position {at})", u32::from(letter));
        (Reason::Invalid, about_text(manager, fault))
    });
    longer.into_iter().chain(invalid).collect()
}

/// A rule that the value at a path breaks, as the validation of values says it.
pub fn in_body(path: &FieldPath<'_>, rule: impl Display) -> String {
    format!("{} in body {rule}", path.in_body())
}

/// Violations as one text: each once, and in brackets if there are several. `None` if there are none.
pub fn list_of(violations: &[Violation]) -> Option<String> {
    let mut texts: Vec<String> = Vec::with_capacity(violations.len());
    let mut seen = HashSet::with_capacity(violations.len());
    for violation in violations {
        let text = format!("{}: {}", violation.field, violation.message());
        if seen.insert(text.clone()) {
            texts.push(text);
        }
    }
    match texts.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}

/// Some members of an object, as a cause shows an object.
pub fn shown_members<'v>(members: impl IntoIterator<Item = (&'v str, &'v Value)>) -> String {
    let sorted: BTreeMap<&str, &Value> = members.into_iter().collect();
    let json = |value: &Value| if json::depth(value) > MAX_DEPTH { TOO_DEEP.into() } else { go_json::html_safe(value) };
    let members = sorted.into_iter().map(|(key, value)| format!("{}:{}", json(&Value::from(key)), json(value)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// In place of a value whose text would need too much of the stack.
const TOO_DEEP: &str = "\"…\"";

/// A value as a cause shows it.
pub fn shown(value: &Value) -> String {
    match value {
        deep if json::depth(deep) > MAX_DEPTH => TOO_DEEP.to_owned(),
        Value::String(text) => go_text::quoted(text),
        Value::Number(number) => go_text::number(number),
        other => go_json::html_safe(other),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!(null), "null")]
    #[case(json!(11), "11")]
    #[case(json!(1e6), "1e+06")]
    #[case(json!([1e6, 1.0]), "[1000000,1]")]
    #[case(json!("<"), r#""<""#)]
    #[case(json!({"b": [1, "<"], "a": null}), r#"{"a":null,"b":[1,"\u003c"]}"#)]
    fn values_are_shown(#[case] value: Value, #[case] expected: &str) {
        assert_eq!(shown(&value), expected);
    }
}
