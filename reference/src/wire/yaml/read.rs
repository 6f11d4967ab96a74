//! Reading YAML documents outside of requests, for programs that use this crate: kubeconfigs, and responses in YAML.

use serde_json::Value;
use thiserror::Error;

use super::YamlError;
use super::compose::{Key, key_of, parse_within};
use super::tree::{Content, Id, Tree};
use crate::wire::json::Repeated;

/// The limit of nesting, as of other JSON parsers.
const MAX_DEPTH: usize = 128;

/// Why a text is not a valid document. The message never quotes the text, which may contain secrets.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{problem}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct InvalidYaml {
    /// The line, counted from 1, if it is known.
    pub line: Option<usize>,
    problem: String,
}

/// Reads the first document of a text as the equivalent JSON.
///
/// # Errors
/// The text is not valid YAML, has no equivalent in JSON, repeats a key, or is nested deeper than 128 levels.
pub fn read(text: &[u8]) -> Result<Value, InvalidYaml> {
    let parsed = parse_within(text, MAX_DEPTH).map_err(|error| invalid(&error))?;
    match parsed.duplicates.first() {
        None => Ok(parsed.value),
        Some(repeated) => {
            let line = match repeated {
                Repeated::Key { line, .. } => Some(*line),
                Repeated::Field(_) => None,
            };
            Err(InvalidYaml { line, problem: "a key is repeated".to_owned() })
        }
    }
}

/// The line, counted from 1, of the value at a path of keys and indices in the first document of a text. Without such a
/// value, it is the line of the nearest value around it.
pub fn line_of<'k>(text: &[u8], path: impl IntoIterator<Item = &'k str>) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let tree = Tree::read(text).ok()?;
    let mut at = tree.root()?;
    for step in path {
        match child(&tree, at, step) {
            Some(found) => at = found,
            None => break,
        }
    }
    Some(tree.node(at).line)
}

fn child(tree: &Tree<'_>, parent: Id, step: &str) -> Option<Id> {
    match &tree.node(parent).content {
        Content::Sequence(items) => items.get(step.parse::<usize>().ok()?).copied(),
        Content::Mapping(children) => {
            let is_key = |key: Id| match &tree.node(key).content {
                Content::Scalar(scalar) => key_of(scalar, 0).as_ref().map(Key::text).as_deref() == Ok(step),
                _ => false,
            };
            children.chunks_exact(2).rev().find(|pair| is_key(pair[0])).map(|pair| pair[1])
        }
        // An alias refers to an earlier node that is not an alias.
        Content::Alias(target) if !matches!(tree.node(*target).content, Content::Alias(_)) => {
            child(tree, *target, step)
        }
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

fn invalid(error: &YamlError) -> InvalidYaml {
    let (line, problem) = match error {
        YamlError::Syntax { line, .. } => (Some(*line), "invalid syntax".to_owned()),
        YamlError::Cycle { line } => (Some(*line), "an anchor contains itself".to_owned()),
        YamlError::Key { line } => (Some(*line), "a key is neither a text, a number nor a truth value".to_owned()),
        YamlError::Tag { tag, .. } => (None, format!("a value does not fit its tag !!{tag}")),
        YamlError::TooDeep(_) => (None, format!("a value is nested deeper than {MAX_DEPTH} levels")),
        YamlError::Encoding
        | YamlError::Binary
        | YamlError::ExcessiveAliasing
        | YamlError::Merge
        | YamlError::NotFinite(_) => (None, error.to_string()),
    };
    InvalidYaml { line, problem }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[test]
    fn documents_are_read() {
        assert_eq!(read(b"a: [yes, 1, 'x']\n---\nb: 1\n"), Ok(json!({"a": [true, 1, "x"]})));
        assert_eq!(read(b""), Ok(Value::Null));
    }

    #[rstest]
    #[case::syntax("a: 1\nb: [hunter2", "invalid syntax")]
    #[case::repeated("a: 1\nb: 1\na: hunter2\n", "line 3: a key is repeated")]
    #[case::tag("a: !!int hunter2", "a value does not fit its tag !!int")]
    #[case::key("? [hunter2]\n: 1\n", "line 1: a key is neither a text, a number nor a truth value")]
    #[case::depth(&"[".repeat(200), "invalid syntax")]
    #[case::closed_depth(&format!("{}{}", "[".repeat(200), "]".repeat(200)), "nested deeper than 128 levels")]
    fn errors_say_where_and_quote_nothing(#[case] text: &str, #[case] expected: &str) {
        let error = read(text.as_bytes()).expect_err("an invalid document").to_string();
        assert!(error.contains(expected) && !error.contains("hunter2"), "{error}");
    }

    #[rstest]
    #[case::root(&[], 1)]
    #[case::key(&["b"], 3)]
    #[case::item(&["b", "1", "c"], 4)]
    #[case::through_an_alias(&["d", "1"], 4)]
    #[case::nearest(&["b", "1", "x", "y"], 4)]
    #[case::other_key(&["1"], 7)]
    fn lines_of_values(#[case] path: &[&str], #[case] line: usize) {
        let text = "a: 1\nb: &x\n  - 1\n  - c: 2\nd:\n  *x\n0x1: 2\n";
        assert_eq!(line_of(text.as_bytes(), path.iter().copied()), Some(line), "{path:?}");
    }
}
