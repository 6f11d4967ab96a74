//! Values of expressions as short texts.

use crdible_cel::syntax::parse;
use crdible_cel::{Environment, Evaluated, Release, Type, Value, check, plan};

use crate::go_text::quoted;

/// A text is not longer than this number of characters, but for what ends it.
const LONGEST: usize = 160;
/// Values that are nested deeper are left out.
const DEEPEST: usize = 8;

/// The result of an expression: its value, or its error.
pub(in crate::rules) fn shown(result: &Evaluated) -> String {
    match result {
        Ok(value) => {
            let mut text = String::new();
            write(&mut text, value, 0);
            shortened(&text)
        }
        Err(error) => format!("error: {error}"),
    }
}

/// The beginning of a text that is too long.
pub(in crate::rules) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn write(text: &mut String, value: &Value, depth: usize) {
    if depth > DEEPEST || text.len() > 4 * LONGEST {
        text.push('…');
        return;
    }
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(flag) => text.push_str(&flag.to_string()),
        Value::Int(number) => text.push_str(&number.to_string()),
        Value::Uint(number) => text.push_str(&format!("{number}u")),
        Value::Double(_) => text.push_str(&in_its_words(value, Type::Double)),
        Value::String(string) => text.push_str(&quoted(&start_of(string))),
        Value::Bytes(bytes) => text.push_str(&format!("{} bytes", bytes.len())),
        Value::Duration(_) => text.push_str(&in_its_words(value, Type::Duration)),
        Value::Timestamp(_) => text.push_str(&in_its_words(value, Type::Timestamp)),
        Value::List(list) => {
            text.push('[');
            for position in 0..list.size() {
                if position > 0 {
                    text.push_str(", ");
                }
                if text.len() > LONGEST {
                    text.push('…');
                    break;
                }
                element(text, &list.get(position), depth);
            }
            text.push(']');
        }
        Value::Map(map) => {
            text.push('{');
            for (position, key) in map.keys().into_iter().enumerate() {
                if position > 0 {
                    text.push_str(", ");
                }
                if text.len() > LONGEST {
                    text.push('…');
                    break;
                }
                match &key {
                    Value::String(name) => text.push_str(&start_of(name)),
                    other => write(text, other, depth + 1),
                }
                text.push_str(": ");
                if let Some(value) = map.get(&key) {
                    element(text, &value, depth);
                }
            }
            text.push('}');
        }
        Value::Optional(None) => text.push_str("optional.none()"),
        Value::Optional(Some(value)) => {
            text.push_str("optional.of(");
            write(text, value.value(), depth + 1);
            text.push(')');
        }
        Value::Type(name) => text.push_str(name),
        Value::Opaque(opaque) => text.push_str(&start_of(&opaque.print())),
    }
}

fn element(text: &mut String, result: &Evaluated, depth: usize) {
    match result {
        Ok(value) => write(text, value, depth + 1),
        Err(error) => text.push_str(&format!("error: {error}")),
    }
}

/// Enough of a text to be cut later.
fn start_of(text: &str) -> String {
    text.chars().take(LONGEST + 1).collect()
}

/// What `string()` makes of it.
fn in_its_words(value: &Value, of: Type) -> String {
    let environment = Environment::new(Release::stored_rules(u32::from(crate::Release::NEWEST.minor())));
    let environment = environment.with_variable("value", of);
    let checked = parse("string(value)", &environment.release().syntax()).and_then(|ast| check(ast, &environment));
    let program = checked.ok().and_then(|checked| plan(&checked, &environment).ok());
    let printed = program.map(|program| program.evaluate(&|_| Some(Ok(value.clone())), u64::MAX).0);
    match printed {
        Some(Ok(Value::String(text))) => text.to_string(),
        _ => value.type_name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crdible_cel::{EvaluationError, Span, Value};
    use rstest::rstest;

    use super::shown;

    #[rstest]
    #[case(Value::from("a\"b"), r#""a\"b""#)]
    #[case(Value::list(vec![Value::Int(1), Value::from("x")]), r#"[1, "x"]"#)]
    #[case(Value::map(vec![(Value::from("k"), Value::Null)]), "{k: null}")]
    #[case(Value::some(Value::Double(1.0)), "optional.of(1)")]
    #[case(Value::Duration(Span::of_nanoseconds(-1_500_000_000)), "-1.5s")]
    fn values_are_shown(#[case] value: Value, #[case] expected: &str) {
        assert_eq!(shown(&Ok(value)), expected);
    }

    #[test]
    fn long_and_deep_values_are_cut() {
        let long = Value::list(vec![Value::from("ä".repeat(1000)); 1000]);
        assert!(shown(&Ok(long)).chars().count() < 170);
        let deep = (0..1000).fold(Value::Null, |inner, _| Value::list(vec![inner]));
        assert!(shown(&Ok(deep)).contains('…'));
        assert_eq!(shown(&Err(EvaluationError::new("no such key: a"))), "error: no such key: a");
    }
}
