//! Composes the nodes of a document into a JSON value.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value};

use super::YamlError;
use super::resolve::{self, Resolved};
use super::tree::{Content, Id, Scalar, Tree};
use crate::wire::json::{MAX_NESTING, Parsed, Repeated};

/// The limit of reported duplicate keys.
const MAX_DUPLICATES: usize = 100;
/// Up to this many nodes, nearly all may come from aliases, …
const FEW_NODES: usize = 400_000;
/// … and from this many on, a tenth.
const MANY_NODES: usize = 4_000_000;

/// Parses the first document of a text.
pub(crate) fn parse(body: &[u8]) -> Result<Parsed, YamlError> {
    parse_within(body, MAX_NESTING)
}

/// Parses the first document of a text, which may be nested up to this limit.
pub(super) fn parse_within(body: &[u8], max_depth: usize) -> Result<Parsed, YamlError> {
    let text = std::str::from_utf8(body).map_err(|_| YamlError::Encoding)?;
    let tree = Tree::read(text)?;
    let mut composer = Composer {
        tree: &tree,
        max_depth,
        aliases: HashSet::new(),
        nodes: 0,
        by_alias: 0,
        alias_depth: 0,
        repeated: Vec::new(),
    };
    let value = tree.root().map_or(Ok(Value::Null), |root| composer.value(root, 0))?;
    Ok(Parsed { value, duplicates: composer.repeated })
}

struct Composer<'t> {
    tree: &'t Tree<'t>,
    max_depth: usize,
    /// The aliases that are being resolved, to detect cycles.
    aliases: HashSet<Id>,
    nodes: usize,
    by_alias: usize,
    alias_depth: usize,
    repeated: Vec<Repeated>,
}

/// A key before it is converted to a string: `1` and `"1"` are different keys.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Text(String),
    Integer(i64),
    Float(u64),
    Bool(bool),
}

impl Composer<'_> {
    fn value(&mut self, id: Id, depth: usize) -> Result<Value, YamlError> {
        if depth > self.max_depth {
            return Err(YamlError::TooDeep(self.max_depth));
        }
        self.count()?;
        let node = self.tree.node(id);
        match &node.content {
            Content::Scalar(scalar) => scalar_value(scalar),
            Content::Sequence(items) => items.iter().map(|item| self.value(*item, depth + 1)).collect(),
            Content::Mapping(children) => {
                let mut members = Members::default();
                self.members(children, &mut members, depth)?;
                Ok(Value::Object(members.map))
            }
            Content::Alias(target) => self.through_alias(id, |this| this.value(*target, depth + 1)),
        }
    }

    fn members(&mut self, children: &[Id], members: &mut Members, depth: usize) -> Result<(), YamlError> {
        for pair in children.chunks_exact(2) {
            let (key, value) = (pair[0], pair[1]);
            if matches!(&self.tree.node(key).content, Content::Scalar(scalar) if scalar.is_merge()) {
                self.merge(value, members, depth + 1)?;
                continue;
            }
            let key = self.key(key)?;
            let found = self.value(value, depth + 1)?;
            members.map.insert(key.text(), found);
            if let Some(repeated) = members.keys.replace(key)
                && self.repeated.len() < MAX_DUPLICATES
            {
                self.repeated.push(Repeated::Key { line: self.tree.node(value).line, key: repeated.quoted() });
            }
        }
        Ok(())
    }

    /// Merges the members of a mapping, or of a sequence of mappings in which the first has precedence.
    fn merge(&mut self, id: Id, members: &mut Members, depth: usize) -> Result<(), YamlError> {
        if let Content::Sequence(items) = &self.tree.node(id).content {
            return items.iter().rev().try_for_each(|item| self.merge_one(*item, members, depth));
        }
        self.merge_one(id, members, depth)
    }

    fn merge_one(&mut self, id: Id, members: &mut Members, depth: usize) -> Result<(), YamlError> {
        if depth > self.max_depth {
            return Err(YamlError::TooDeep(self.max_depth));
        }
        self.count()?;
        match &self.tree.node(id).content {
            Content::Mapping(children) => self.members(children, members, depth),
            Content::Alias(target) if matches!(self.tree.node(*target).content, Content::Mapping(_)) => {
                self.through_alias(id, |this| this.merge_one(*target, members, depth + 1))
            }
            _ => Err(YamlError::Merge),
        }
    }

    fn key(&mut self, id: Id) -> Result<Key, YamlError> {
        self.count()?;
        let node = self.tree.node(id);
        match &node.content {
            Content::Scalar(scalar) => key_of(scalar, node.line),
            Content::Alias(target) => self.through_alias(id, |this| this.key(*target)),
            Content::Sequence(_) | Content::Mapping(_) => Err(YamlError::Key { line: node.line }),
        }
    }

    fn through_alias<T>(
        &mut self,
        alias: Id,
        work: impl FnOnce(&mut Self) -> Result<T, YamlError>,
    ) -> Result<T, YamlError> {
        if !self.aliases.insert(alias) {
            return Err(YamlError::Cycle { line: self.tree.node(alias).line });
        }
        self.alias_depth += 1;
        let done = work(self);
        self.alias_depth -= 1;
        self.aliases.remove(&alias);
        done
    }

    /// Counts a node, and refuses documents with excessive aliasing.
    fn count(&mut self) -> Result<(), YamlError> {
        self.nodes += 1;
        self.by_alias += usize::from(self.alias_depth > 0);
        #[allow(clippy::cast_precision_loss, reason = "a share")]
        let too_many = || {
            let beyond = self.nodes.clamp(FEW_NODES, MANY_NODES) - FEW_NODES;
            let allowed = 0.99 - 0.89 * (beyond as f64 / (MANY_NODES - FEW_NODES) as f64);
            self.by_alias as f64 / self.nodes as f64 > allowed
        };
        if self.by_alias > 100 && self.nodes > 1000 && too_many() {
            return Err(YamlError::ExcessiveAliasing);
        }
        Ok(())
    }
}

#[derive(Default)]
struct Members {
    map: Map<String, Value>,
    keys: HashSet<Key>,
}

/// A scalar as a key.
pub(super) fn key_of(scalar: &Scalar<'_>, line: usize) -> Result<Key, YamlError> {
    match resolved(scalar)? {
        (Resolved::Text | Resolved::Timestamp, text) => Ok(Key::Text(text)),
        (Resolved::Integer(integer), _) => Ok(Key::Integer(integer)),
        (Resolved::Float(float), _) => Ok(Key::Float(float.to_bits())),
        (Resolved::Bool(flag), _) => Ok(Key::Bool(flag)),
        (Resolved::Null | Resolved::Unsigned(_), _) => Err(YamlError::Key { line }),
    }
}

impl Key {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(integer) => integer.to_string(),
            Self::Bool(flag) => flag.to_string(),
            Self::Float(bits) => float_key(f64::from_bits(*bits)),
        }
    }
}

impl Key {
    /// The key as messages show it.
    fn quoted(&self) -> String {
        match self {
            Self::Text(text) => format!("{text:?}"),
            other => other.text(),
        }
    }
}

/// Floats as keys are rounded to 32 bits.
fn float_key(float: f64) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "upstream does so")]
    let single = float as f32;
    match single {
        single if single.is_nan() => ".nan".into(),
        f32::INFINITY => ".inf".into(),
        f32::NEG_INFINITY => "-.inf".into(),
        // The shortest digits of the 32-bit float, not those of its exact 64-bit value.
        single => single.to_string().parse().map_or_else(|_| single.to_string(), crdible_semantics::go_text::float),
    }
}

/// The type of a scalar, and its text.
fn resolved(scalar: &Scalar<'_>) -> Result<(Resolved, String), YamlError> {
    let text = || scalar.text.clone().into_owned();
    Ok(match (scalar.tag.as_deref(), scalar.plain) {
        (None, true) => (resolve::plain(&scalar.text), text()),
        (Some("binary"), _) => {
            let content: String = scalar.text.split(['\r', '\n']).collect();
            let content = STANDARD.decode(content).map_err(|_| YamlError::Binary)?;
            (Resolved::Text, String::from_utf8_lossy(&content).into_owned())
        }
        (Some(tag @ ("str" | "bool" | "int" | "float" | "null" | "timestamp")), _) => {
            (resolve::tagged(tag, &scalar.text)?, text())
        }
        _ => (Resolved::Text, text()),
    })
}

fn scalar_value(scalar: &Scalar<'_>) -> Result<Value, YamlError> {
    Ok(match resolved(scalar)? {
        (Resolved::Null, _) => Value::Null,
        (Resolved::Bool(flag), _) => flag.into(),
        (Resolved::Integer(integer), _) => integer.into(),
        #[allow(clippy::cast_precision_loss, reason = "integers beyond 63 bits are floats")]
        (Resolved::Unsigned(integer), _) => (integer as f64).into(),
        (Resolved::Float(float), _) => number(float)?,
        (Resolved::Text | Resolved::Timestamp, text) => text.into(),
    })
}

/// Upstream converts floats by JSON, where a float whose text is an integer becomes one.
fn number(float: f64) -> Result<Value, YamlError> {
    const LARGEST_WITHOUT_EXPONENT: f64 = 1e21;
    let text = float.to_string();
    if float.abs() < LARGEST_WITHOUT_EXPONENT
        && let Ok(integer) = text.parse::<i64>()
    {
        return Ok(integer.into());
    }
    Number::from_f64(float).map(Value::Number).ok_or(YamlError::NotFinite(text))
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, YamlError> {
        parse(text.as_bytes()).map(|parsed| parsed.value)
    }

    #[rstest]
    #[case::block("a:\n- 1\n- b: x\nc: ~\n", json!({"a": [1, {"b": "x"}], "c": null}))]
    #[case::json(r#"{"a": [1, 1.5, "x", true, null], "b": {}}"#, json!({"a": [1, 1.5, "x", true, null], "b": {}}))]
    #[case::words("[yes, on, y, no, 'no', 010, 0x10, 2001-01-01]", json!([true, true, true, false, "no", 8, 16, "2001-01-01"]))]
    #[case::numbers(
        "[1, 1.0, 1e3, 1.5, 9223372036854775807, 9223372036854775808]",
        json!([1, 1, 1000, 1.5, i64::MAX, 9_223_372_036_854_775_808.0]),
    )]
    #[case::shortest_digits("4611686018427387904.0", json!(4_611_686_018_427_388_000_i64))]
    #[case::keys("{1: a, true: b, 1.5: c, on: d}", json!({"1": "a", "true": "d", "1.5": "c"}))]
    #[case::anchors("a: &x {b: 1}\nc: *x\n", json!({"a": {"b": 1}, "c": {"b": 1}}))]
    #[case::merge("a: &x {b: 1, c: 2}\nd:\n  b: 3\n  <<: *x\n  c: 4\n", json!({"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 4}}))]
    #[case::merges("d: {<<: [{a: 1}, {a: 2, b: 2}]}", json!({"d": {"a": 1, "b": 2}}))]
    #[case::quoted_merge("{'<<': 1}", json!({"<<": 1}))]
    #[case::tags("[!!str 5, !!float 1, !!int 7, !foo 5, !!binary aGk=, ! 5]", json!(["5", 1, 7, "5", "hi", "5"]))]
    #[case::literal_at_the_end("a: |+\n  x", json!({"a": "x"}))]
    #[case::folded_at_the_end("a: >\n  x\n  y", json!({"a": "x y"}))]
    #[case::spaces_at_the_end("a: |\n  x\n   ", json!({"a": "x\n "}))]
    #[case::nested_literal_at_the_end("spec:\n  conf: |\n    user=x\n    pass=y", json!({"spec": {"conf": "user=x\npass=y"}}))]
    #[case::nested_folded_at_the_end("spec:\n  conf: >\n    user=x\n    pass=y", json!({"spec": {"conf": "user=x pass=y"}}))]
    #[case::kept_at_the_end("spec:\n  conf: |+\n    x=1", json!({"spec": {"conf": "x=1"}}))]
    #[case::stripped_at_the_end("spec:\n  conf: |-\n    x=1", json!({"spec": {"conf": "x=1"}}))]
    #[case::text_and_spaces_at_the_end("spec:\n  conf: |\n    x=1  ", json!({"spec": {"conf": "x=1  "}}))]
    #[case::break_at_the_end("spec:\n  conf: |\n    x=1  \n", json!({"spec": {"conf": "x=1  \n"}}))]
    #[case::indentation_at_the_end("a: |\n  x\n  ", json!({"a": "x\n"}))]
    #[case::deeper_spaces_before_the_end("a: |\n  x\n   \n  ", json!({"a": "x\n \n"}))]
    #[case::end_of_a_document("a: |\n  x\n...", json!({"a": "x\n"}))]
    #[case::literal("a: |\n  x\n  y\nb: >-\n  x\n  y\n", json!({"a": "x\ny\n", "b": "x y"}))]
    #[case::first_document("---\na: 1\n---\nb: 2\n", json!({"a": 1}))]
    #[case::nothing("", Value::Null)]
    #[case::comment("# nothing\n", Value::Null)]
    fn rest_011_yaml_is_parsed(#[case] text: &str, #[case] expected: Value) {
        assert_eq!(read(text), Ok(expected));
    }

    #[rstest]
    #[case::syntax("a: [")]
    #[case::tab("a:\n\t- b")]
    #[case::list_as_key("{[1]: 2}")]
    #[case::null_as_key("~: 1")]
    #[case::large_key("9223372036854775808: 1")]
    #[case::not_finite("a: .inf")]
    #[case::tag("a: !!int x")]
    #[case::binary("a: !!binary '*'")]
    #[case::cycle("a: &x [*x]")]
    #[case::unknown_alias("a: *x")]
    #[case::merge_of_a_text("<<: x")]
    fn invalid_documents_are_refused(#[case] text: &str) {
        read(text).unwrap_err();
    }

    #[test]
    fn a_body_that_is_not_utf8_is_refused() {
        assert_eq!(parse(b"a: \xff").unwrap_err(), YamlError::Encoding);
    }

    #[test]
    fn rest_051_duplicate_keys_are_reported_with_the_line_of_their_value() {
        let parsed = parse(b"a: 1\nb:\n  c: 1\n  c:\n    2\na: 2\non: 1\ntrue: 2\n").unwrap();
        let key = |line, key: &str| Repeated::Key { line, key: key.into() };
        assert_eq!(parsed.duplicates, [key(5, "\"c\""), key(6, "\"a\""), key(8, "true")]);
        assert_eq!(parsed.value, json!({"a": 2, "b": {"c": 2}, "true": 2}));
    }

    #[test]
    fn excessive_aliasing_is_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        assert_eq!(read(&text), Err(YamlError::ExcessiveAliasing));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in r#"([\[\]{}:,"' \n\-?#&*!|>%@a0.~<\t]|<<: |\*a|&a |- |: |\n  ){0,40}"#) {
            let _ = read(&text);
        }

        #[test]
        fn json_is_read_as_by_the_json_parser(text in r#"[\[\]{}:,"a0-9 ]{0,24}"#) {
            if let Ok(json) = serde_json::from_str::<Value>(&text)
                && let Ok(yaml) = read(&text)
            {
                proptest::prop_assert_eq!(yaml, crate::wire::json::parse(json.to_string().as_bytes()).unwrap().value);
            }
        }
    }
}
