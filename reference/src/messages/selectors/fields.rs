//! Field selectors (chapter 14).

use std::borrow::Cow;

use serde_json::Value;

use crate::base::status::Failure;
use crate::store::Document;

/// Conditions on fields that must all hold; without conditions it selects everything. `F` is a label, or the field that
/// it stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldSelector<F>(Vec<Condition<F>>);

#[derive(Debug, PartialEq, Eq)]
struct Condition<F> {
    field: F,
    equal: bool,
    value: String,
}

/// A selectable field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SelectableField {
    /// `metadata.name`.
    Name,
    /// `metadata.namespace`.
    Namespace,
    /// The value at this path.
    At(Vec<String>),
    /// The first non-empty value of these paths.
    FirstOf(Vec<Vec<String>>),
}

/// The operators; each precedes those that are a prefix of it.
const OPERATORS: [(&str, bool); 3] = [("!=", false), ("==", true), ("=", true)];

impl<F> FieldSelector<F> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FieldSelector<String> {
    /// Parses `metadata.name=a,spec.color!=red` (FSEL-004). Spaces are significant; a term without label and value
    /// selects everything.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut conditions = Vec::new();
        let mut terms = terms(text);
        // So the first mistake is that of the term that comes first in the alphabet.
        terms.sort_unstable();
        for term in terms.into_iter().filter(|term| !term.is_empty()) {
            let (label, equal, value) =
                split(term).ok_or_else(|| format!("invalid selector: '{text}'; can't understand '{term}'"))?;
            let value = unescaped(value)?;
            if !(label.is_empty() && value.is_empty()) {
                conditions.push(Condition { field: label.to_owned(), equal, value });
            }
        }
        Ok(Self(conditions))
    }

    /// Replaces labels by their fields; 400 for an unknown label, with what `field` says about it (FSEL-003).
    pub(crate) fn known(
        &self,
        field: impl Fn(&str) -> Result<SelectableField, String>,
    ) -> Result<FieldSelector<SelectableField>, Failure> {
        let known = self.0.iter().map(|Condition { field: label, equal, value }| match field(label) {
            Ok(field) => Ok(Condition { field, equal: *equal, value: value.clone() }),
            Err(why) => Err(Failure::bad_request(why)),
        });
        known.collect::<Result<_, _>>().map(FieldSelector)
    }
}

impl FieldSelector<SelectableField> {
    /// The selector of objects whose field has this value.
    pub(crate) fn equal(field: SelectableField, value: &str) -> Self {
        Self(vec![Condition { field, equal: true, value: value.to_owned() }])
    }

    /// The value that a field must have; the first condition counts.
    pub(crate) fn exact(&self, field: &SelectableField) -> Option<&str> {
        self.0
            .iter()
            .find(|condition| condition.equal && condition.field == *field)
            .map(|condition| condition.value.as_str())
    }

    /// Whether all conditions are on metadata, which is the same in all versions.
    pub(crate) fn is_of_metadata(&self) -> bool {
        self.0.iter().all(|condition| matches!(condition.field, SelectableField::Name | SelectableField::Namespace))
    }

    /// Whether an object meets the conditions on metadata.
    pub(crate) fn matches_metadata(&self, object: &Document) -> bool {
        self.0.iter().all(|condition| match condition.field {
            SelectableField::Name => condition.is_met_by(object.name()),
            SelectableField::Namespace => condition.is_met_by(object.namespace()),
            SelectableField::At(_) | SelectableField::FirstOf(_) => true,
        })
    }

    /// Whether an object meets the conditions on other fields.
    pub(crate) fn matches_others(&self, object: &Value) -> bool {
        self.0.iter().all(|condition| match &condition.field {
            SelectableField::Name | SelectableField::Namespace => true,
            SelectableField::At(keys) => condition.is_met_by(&text(object, keys)),
            SelectableField::FirstOf(places) => {
                let found = places.iter().map(|keys| text(object, keys)).find(|text| !text.is_empty());
                condition.is_met_by(&found.unwrap_or_default())
            }
        })
    }
}

impl<F> Condition<F> {
    fn is_met_by(&self, text: &str) -> bool {
        (text == self.value) == self.equal
    }
}

/// A field as text; empty if it is missing or null (FSEL-005, FSEL-006).
fn text<'o>(object: &'o Value, keys: &[String]) -> Cow<'o, str> {
    match keys.iter().try_fold(object, |at, key| at.get(key)) {
        None | Some(Value::Null) => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(other) => Cow::Owned(other.to_string()),
    }
}

/// Splits at commas that are not escaped by a backslash.
fn terms(text: &str) -> Vec<&str> {
    let mut terms = Vec::new();
    let (mut start, mut is_escaped) = (0, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ',' => {
                terms.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    terms.push(&text[start..]);
    terms
}

/// Splits a term at its first operator into label, whether the operator is equality, and value.
fn split(term: &str) -> Option<(&str, bool, &str)> {
    term.char_indices().find_map(|(at, _)| {
        let (operator, equal) = OPERATORS.into_iter().find(|(operator, _)| term[at..].starts_with(operator))?;
        Some((&term[..at], equal, &term[at + operator.len()..]))
    })
}

/// Removes the backslashes of a value.
fn unescaped(value: &str) -> Result<String, String> {
    let mut out = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(escaped @ ('\\' | ',' | '=')) => out.push(escaped),
                Some(other) => return Err(format!("invalid field selector: invalid escape sequence: \\{other}")),
                None => return Err("invalid field selector: invalid escape sequence: \\".into()),
            },
            // Upstream shows the number of the code point.
            ',' | '=' => {
                return Err(format!("invalid field selector: unescaped character in value: {}", u32::from(letter)));
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn field(label: &str) -> Option<SelectableField> {
        match label {
            "metadata.name" => Some(SelectableField::Name),
            "metadata.namespace" => Some(SelectableField::Namespace),
            path => path.strip_prefix("spec.").map(|key| SelectableField::At(vec!["spec".into(), key.into()])),
        }
    }

    #[rstest]
    #[case::fsel_001("metadata.name=a", Some(true))]
    #[case::fsel_004_and("metadata.name==a,metadata.namespace!=m", Some(true))]
    #[case::fsel_004_not("metadata.name!=a", Some(false))]
    #[case::fsel_004_empty("", Some(true))]
    #[case::fsel_004_empty_terms(",,metadata.name=a,", Some(true))]
    #[case::fsel_004_nothing("=", Some(true))]
    #[case::fsel_004_space_in_label("metadata.name =a", None)]
    #[case::fsel_004_space_in_value("metadata.name= a", Some(false))]
    #[case::fsel_004_escapes(r"spec.s=x\,y\=z\\", Some(true))]
    #[case::fsel_004_bad_escape(r"spec.s=\x", None)]
    #[case::fsel_004_incomplete_escape(r"spec.s=x\", None)]
    #[case::fsel_004_unescaped("spec.s=a=b", None)]
    #[case::fsel_004_no_operator("metadata.name", None)]
    #[case::fsel_004_in("metadata.name in (a)", None)]
    #[case::fsel_003_unknown_label("other=b", None)]
    #[case::fsel_003_no_label("=b", None)]
    #[case::fsel_005_integer("spec.i=3", Some(true))]
    #[case::fsel_005_zero("spec.i=03", Some(false))]
    #[case::fsel_005_boolean("spec.b=true", Some(true))]
    #[case::fsel_006_absent("spec.none=", Some(true))]
    #[case::fsel_006_null("spec.null=", Some(true))]
    #[case::fsel_006_not("spec.none!=x", Some(true))]
    fn field_selectors_match(#[case] selector: &str, #[case] expected: Option<bool>) {
        let object = json!({
            "metadata": {"name": "a", "namespace": "n"},
            "spec": {"s": "x,y=z\\", "i": 3, "b": true, "null": null},
        });
        let parsed = FieldSelector::parse(selector)
            .ok()
            .and_then(|selector| selector.known(|label| field(label).ok_or_else(String::new)).ok());
        assert_eq!(
            parsed.map(|selector| {
                selector.matches_metadata(&Document::text(&object)) && selector.matches_others(&object)
            }),
            expected
        );
    }
}
