//! Names of properties in expressions (CEL-014, CEL-015).

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

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

/// The name of the property that a name in an expression means, as the server reads it: a name with nothing to read is
/// itself (CEL-015). Nothing if something in it stands for nothing.
pub(crate) fn unescaped(name: &str) -> Option<Cow<'_, str>> {
    if !name.contains("__") {
        return Some(Cow::Borrowed(name));
    }
    let mut unescaped = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let word = rest.strip_prefix("__").map(|after| &after[..after.find('_').unwrap_or(0)]);
        match word.filter(|word| !word.is_empty() && rest[word.len() + 2..].starts_with("__")) {
            Some(word) => {
                unescaped.push_str(match word {
                    "underscores" => "__",
                    "dot" => ".",
                    "dash" => "-",
                    "slash" => "/",
                    _ if RESERVED.contains(&word) && name.len() == word.len() + 4 => word,
                    _ => return None,
                });
                rest = &rest[word.len() + 4..];
            }
            None => {
                unescaped.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    Some(Cow::Owned(unescaped))
}

/// A field of a type, by a name in an expression: escaped, or a word of the language as it is (CEL-015).
pub(crate) fn field<'f, T>(fields: &'f BTreeMap<Arc<str>, T>, name: &str) -> Option<&'f T> {
    let is_word = || RESERVED.contains(&name);
    fields.get(name).or_else(|| fields.get(format!("__{name}__").as_str()).filter(|_| is_word()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{escaped, unescaped};

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

    #[rstest]
    #[case::plain("a_b", Some("a_b"))]
    #[case::all("x__dash__a__dot__b__slash__c__underscores__d", Some("x-a.b/c__d"))]
    #[case::word("__in__", Some("in"))]
    #[case::word_as_part("a__in__", None)]
    #[case::unknown("__a__", None)]
    #[case::three("a___dot__", Some("a_."))]
    #[case::open("a__dot_", Some("a__dot_"))]
    #[case::other_letters("ü", Some("ü"))]
    fn names_that_are_read(#[case] name: &str, #[case] expected: Option<&str>) {
        assert_eq!(unescaped(name).as_deref(), expected);
    }
}
