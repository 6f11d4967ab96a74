//! What a path of fields leads to, in a schema and in an object.

use serde_json::Value;

use super::declared::field;
use crate::ratchet::correlate::is_map_list;
use crate::{Schema, Semantics};

/// Why an expression cannot be examined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// There is nothing at the path.
    #[error("{0}")]
    Path(String),
    /// It cannot be compiled, in the words of kube-apiserver.
    #[error("{0}")]
    Expression(String),
}

/// What is at a path.
#[derive(Clone, Copy)]
pub(super) struct Located<'a> {
    pub(super) schema: &'a Schema,
    pub(super) is_resource: bool,
    /// Nothing if there is no object.
    pub(super) value: Option<&'a Value>,
    /// The old value that transition rules see.
    pub(super) old: Option<&'a Value>,
}

/// A step of a path.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// `.name`
    Name(String),
    /// `[0]`, `[key]`, `[*]`
    Bracket(String),
}

impl Step {
    fn text(&self) -> &str {
        let (Self::Name(text) | Self::Bracket(text)) = self;
        text
    }
}

/// Finds what is at a path. `object`: with the object that it replaces.
pub(super) fn locate<'a>(
    semantics: &Semantics,
    schema: &'a Schema,
    path: &str,
    object: Option<(&'a Value, Option<&'a Value>)>,
) -> Result<Located<'a>, ExpressionError> {
    let steps = steps(path).ok_or_else(|| {
        ExpressionError::Path(format!("`{path}` is not a path; write it like spec.hosts[0].name or spec.labels[key]"))
    })?;
    let (value, old) = (object.map(|(object, _)| object), object.and_then(|(_, old)| old));
    let mut at = Located { schema, is_resource: true, value, old };
    let mut walked = String::new();
    for step in &steps {
        at = below(semantics, &at, step).map_err(|why| {
            let place = if walked.is_empty() { "the object" } else { &walked };
            ExpressionError::Path(format!("there is no `{path}`: {place} {why}"))
        })?;
        match step {
            Step::Name(name) if walked.is_empty() => walked.push_str(name),
            Step::Name(name) => walked = format!("{walked}.{name}"),
            Step::Bracket(key) => walked = format!("{walked}[{key}]"),
        }
    }
    Ok(at)
}

fn below<'a>(semantics: &Semantics, at: &Located<'a>, step: &Step) -> Result<Located<'a>, String> {
    let key = step.text();
    let (schema, value, old) = match step {
        Step::Bracket(index) if at.schema.item_schema().is_some() => {
            let schema = at.schema.item_schema().ok_or("has no elements")?;
            let Some(elements) = at.value.map(|value| value.as_array().ok_or("is not a list")).transpose()? else {
                return Ok(Located { schema, is_resource: schema.embedded_resource, value: None, old: None });
            };
            let position: usize = index
                .parse()
                .map_err(|_| format!("is a list: name one of its elements by its index, as in [0], not [{index}]"))?;
            let has = || format!("has {} elements", elements.len());
            let element = elements.get(position).ok_or_else(has)?;
            let before = at.old.and_then(Value::as_array).filter(|_| is_map_list(at.schema));
            let olds = before.map(|old| semantics.correlate_map_list(elements, old, &at.schema.list_map_keys));
            (schema, Some(element), olds.and_then(|olds| olds.get(position).copied().flatten()))
        }
        _ => {
            let declared = match step {
                Step::Name(name) => field(at.schema, name, at.is_resource).or(at.schema.value_schema()),
                Step::Bracket(_) => at.schema.value_schema().or_else(|| field(at.schema, key, at.is_resource)),
            };
            let known: Vec<&str> = at.schema.properties.keys().map(String::as_str).collect();
            let schema = declared.ok_or_else(|| match known.as_slice() {
                [] if at.schema.item_schema().is_some() => "is a list: name one of its elements, as in [0]".to_owned(),
                [] => "has no fields in the schema".to_owned(),
                known => format!("has in the schema: {}", known.join(", ")),
            })?;
            let Some(value) = at.value else {
                return Ok(Located { schema, is_resource: schema.embedded_resource, value: None, old: None });
            };
            let members = value.as_object().ok_or("is not an object")?;
            let found = members.get(key).filter(|value| !value.is_null()).ok_or_else(|| {
                let keys: Vec<&str> = members.keys().map(String::as_str).take(20).collect();
                if keys.is_empty() { "is empty".to_owned() } else { format!("has: {}", keys.join(", ")) }
            })?;
            (schema, Some(found), at.old.and_then(|old| old.get(key)).filter(|old| !old.is_null()))
        }
    };
    Ok(Located { schema, is_resource: schema.embedded_resource, value, old })
}

/// The steps of a path; nothing if it is none.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path.trim().strip_prefix('.').unwrap_or(path.trim());
    if rest.is_empty() {
        return Some(steps);
    }
    let mut is_name = !rest.starts_with('[');
    loop {
        if is_name {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            steps.push(Step::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            let inside = rest.strip_prefix('[')?;
            let end = inside.find(']')?;
            let key = inside[..end].trim_matches(['\'', '"']);
            steps.push(Step::Bracket(key.to_owned()));
            rest = &inside[end + 1..];
        }
        match rest.chars().next() {
            None => return Some(steps),
            Some('.') => (is_name, rest) = (true, &rest[1..]),
            Some('[') => is_name = false,
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::steps;

    #[rstest]
    #[case("", Some(0))]
    #[case("spec", Some(1))]
    #[case(".spec.hosts[0].name", Some(4))]
    #[case("spec.labels['a.b/c']", Some(3))]
    #[case("[a][b].c", Some(3))]
    #[case("spec..a", None)]
    #[case("spec.", None)]
    #[case("spec[0", None)]
    #[case("spec]", None)]
    #[case("spec[0]a", None)]
    fn paths_have_steps(#[case] path: &str, #[case] expected: Option<usize>) {
        assert_eq!(steps(path).map(|steps| steps.len()), expected);
    }
}
