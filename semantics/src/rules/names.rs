//! Names of properties in expressions (CEL-014, CEL-015).

use std::{collections::BTreeMap, sync::Arc};

/// Words of the language.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// The name of a property in expressions; nothing if no expression can name it.
pub(crate) fn escaped(name: &str) -> Option<String> {
    let first = name.bytes().next()?;
    if first.is_ascii_digit() {
        return None;
    }
    if RESERVED.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let mut escaped = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let (part, replacement) = match character {
            '_' if rest.starts_with("__") => ("__", "__underscores__"),
            '.' => (".", "__dot__"),
            '-' => ("-", "__dash__"),
            '/' => ("/", "__slash__"),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => (&rest[..1], &rest[..1]),
            _ => return None,
        };
        escaped.push_str(replacement);
        rest = &rest[part.len()..];
    }
    Some(escaped)
}

/// A field of an object, by a name in an expression: escaped, or a word of the language as it is (CEL-015).
pub(crate) fn field<'f, T>(fields: &'f BTreeMap<Arc<str>, T>, name: &str) -> Option<&'f T> {
    let is_word = || RESERVED.contains(&name);
    fields.get(name).or_else(|| fields.get(format!("__{name}__").as_str()).filter(|_| is_word()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::escaped;

    #[rstest]
    #[case::plain("replicas", Some("replicas"))]
    #[case::one_underscore("a_b", Some("a_b"))]
    #[case::two_underscores("a__b", Some("a__underscores__b"))]
    #[case::dash("my-key", Some("my__dash__key"))]
    #[case::all("x-a.b/c", Some("x__dash__a__dot__b__slash__c"))]
    #[case::reserved("namespace", Some("__namespace__"))]
    #[case::reserved_as_part("iffy", Some("iffy"))]
    #[case::digit("1a", None)]
    #[case::other("a$b", None)]
    #[case::empty("", None)]
    fn names_in_expressions(#[case] name: &str, #[case] expected: Option<&str>) {
        assert_eq!(escaped(name).as_deref(), expected);
    }
}
