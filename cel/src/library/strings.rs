//! Sizes, texts and regular expressions.

use std::sync::Arc;

use crdible_text::Pattern;

use super::arguments::{int, string};
use super::{Overload, PreparedBody, format, row};
use crate::value::{Evaluated, EvaluationError, Growing, Value, look, look_through, make, make_text};

/// What a text takes in memory beside its bytes.
const BESIDE_A_TEXT: usize = 24;

pub(super) const OVERLOADS: &[Overload] = &[
    row("size", "size_bytes", "(bytes) -> int", size),
    row("size", "bytes_size", "bytes.() -> int", size),
    row("size", "size_list", "(list(A)) -> int", size),
    row("size", "list_size", "list(A).() -> int", size),
    row("size", "size_map", "(map(A, B)) -> int", size),
    row("size", "map_size", "map(A, B).() -> int", size),
    row("size", "size_string", "(string) -> int", size),
    row("size", "string_size", "string.() -> int", size),
    row("contains", "contains_string", "string.(string) -> bool", contains),
    row("endsWith", "ends_with_string", "string.(string) -> bool", ends_with),
    row("startsWith", "starts_with_string", "string.(string) -> bool", starts_with),
    row("matches", "matches", "(string, string) -> bool", matches),
    row("matches", "matches_string", "string.(string) -> bool", matches),
    row("find", "string_find_string", "string.(string) -> string", find),
    row("findAll", "string_find_all_string", "string.(string) -> list(string)", find_all),
    row("findAll", "string_find_all_string_int", "string.(string, int) -> list(string)", find_all),
    row("charAt", "string_char_at_int", "string.(int) -> string", char_at),
    row("indexOf", "string_index_of_string", "string.(string) -> int", index_of),
    row("indexOf", "string_index_of_string_int", "string.(string, int) -> int", index_of),
    row("lastIndexOf", "string_last_index_of_string", "string.(string) -> int", last_index_of_in_some).until(34),
    row("lastIndexOf", "string_last_index_of_string", "string.(string) -> int", last_index_of).from(34),
    row("lastIndexOf", "string_last_index_of_string_int", "string.(string, int) -> int", last_index_of),
    row("lowerAscii", "string_lower_ascii", "string.() -> string", lower_ascii),
    row("replace", "string_replace_string_string", "string.(string, string) -> string", replace),
    row("replace", "string_replace_string_string_int", "string.(string, string, int) -> string", replace),
    row("split", "string_split_string", "string.(string) -> list(string)", split),
    row("split", "string_split_string_int", "string.(string, int) -> list(string)", split),
    row("substring", "string_substring_int", "string.(int) -> string", substring),
    row("substring", "string_substring_int_int", "string.(int, int) -> string", substring),
    row("trim", "string_trim", "string.() -> string", trim),
    row("upperAscii", "string_upper_ascii", "string.() -> string", upper_ascii),
    row("format", "string_format", "string.(list(dyn)) -> string", format::format),
    row("strings.quote", "strings_quote", "(string) -> string", quote),
    row("join", "list_join", "list(string).() -> string", join),
    row("join", "list_join_string", "list(string).(string) -> string", join),
];

#[expect(clippy::cast_possible_wrap, reason = "no value has 2^63 parts")]
fn size(arguments: &[Value]) -> Evaluated {
    let size = match &arguments[0] {
        Value::Opaque(_) => None,
        Value::String(text) => {
            look_through(text.len())?;
            arguments[0].size()
        }
        other => other.size(),
    };
    let size = size.ok_or_else(EvaluationError::no_such_overload)?;
    Ok(Value::Int(size as i64))
}

fn contains(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(string(&arguments[0])?.contains(&**string(&arguments[1])?)))
}

fn starts_with(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(string(&arguments[0])?.starts_with(&**string(&arguments[1])?)))
}

fn ends_with(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(string(&arguments[0])?.ends_with(&**string(&arguments[1])?)))
}

fn out_of_range(index: i64) -> EvaluationError {
    EvaluationError::new(format!("index out of range: {index}"))
}

/// Where a character begins, in bytes, or the text ends.
///
/// Errors: the index is none of the text.
fn inside(text: &str, index: i64) -> Result<usize, EvaluationError> {
    let mut ends = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    let byte = usize::try_from(index).ok().and_then(|index| ends.nth(index));
    byte.ok_or_else(|| out_of_range(index))
}

/// A text that is made.
///
/// Errors: it is too large, or the evaluation has made too much.
fn made(text: &str) -> Evaluated {
    make_text(text.len())?;
    Ok(Value::from(text))
}

fn char_at(arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    look_through(text.len())?;
    let rest = &text[inside(text, int(&arguments[1])?)?..];
    Ok(Value::from(&rest[..rest.chars().next().map_or(0, char::len_utf8)]))
}

/// The number of the character at which a part begins, behind a number of characters; -1 if it is nowhere.
fn place(before: usize, rest: &str, found: Option<usize>) -> Value {
    Value::Int(found.map_or(-1, |byte| index(before + rest[..byte].chars().count())))
}

#[expect(clippy::cast_possible_wrap, reason = "no text has 2^63 characters")]
fn index(of: usize) -> i64 {
    of as i64
}

/// Where a character begins, in bytes; `None` behind the last one.
fn byte_of(text: &str, character: usize) -> Option<usize> {
    text.char_indices().nth(character).map(|(byte, _)| byte)
}

fn index_of(arguments: &[Value]) -> Evaluated {
    let (text, part) = (string(&arguments[0])?, string(&arguments[1])?);
    let from = arguments.get(2).map_or(Ok(0), int)?;
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    let Ok(before) = usize::try_from(from) else { return Err(out_of_range(from)) };
    let rest = byte_of(text, before).map_or("", |start| &text[start..]);
    Ok(place(before, rest, rest.find(&**part)))
}

/// The same in a text that has letters: until Kubernetes 1.33, there is an error if it has none.
fn last_index_of_in_some(arguments: &[Value]) -> Evaluated {
    if string(&arguments[0])?.is_empty() && !string(&arguments[1])?.is_empty() {
        return Err(out_of_range(-1));
    }
    last_index_of(arguments)
}

fn last_index_of(arguments: &[Value]) -> Evaluated {
    let (text, part) = (string(&arguments[0])?, string(&arguments[1])?);
    let Some(from) = arguments.get(2) else {
        if part.is_empty() {
            return Ok(Value::Int(index(text.chars().count())));
        }
        return Ok(place(0, text, text.rfind(&**part)));
    };
    let from = int(from)?;
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    let Ok(last) = usize::try_from(from) else { return Err(out_of_range(from)) };
    // An index behind the end finds nothing.
    let Some(start) = byte_of(text, last) else { return Ok(Value::Int(-1)) };
    // The part may begin there, at the latest.
    let end = text.len().min(start + part.len());
    let end = (start..=end).rfind(|end| text.is_char_boundary(*end)).unwrap_or(start);
    Ok(place(0, text, text[..end].rfind(&**part)))
}

fn lower_ascii(arguments: &[Value]) -> Evaluated {
    made(&string(&arguments[0])?.to_ascii_lowercase())
}

fn upper_ascii(arguments: &[Value]) -> Evaluated {
    made(&string(&arguments[0])?.to_ascii_uppercase())
}

fn trim(arguments: &[Value]) -> Evaluated {
    made(string(&arguments[0])?.trim())
}

/// How often at most: a negative number has no limit.
fn limit(arguments: &[Value], position: usize) -> Result<usize, EvaluationError> {
    let limit = arguments.get(position).map_or(Ok(-1), int)?;
    Ok(usize::try_from(limit).unwrap_or(usize::MAX))
}

fn replace(arguments: &[Value]) -> Evaluated {
    let (text, old, new) = (string(&arguments[0])?, string(&arguments[1])?, string(&arguments[2])?);
    let most = limit(arguments, 3)?;
    let times = text.matches(&**old).take(most).count();
    make_text(times.saturating_mul(new.len()).saturating_add(text.len()))?;
    Ok(Value::string(text.replacen(&**old, new, most)))
}

fn split(arguments: &[Value]) -> Evaluated {
    let (text, separator) = (string(&arguments[0])?, string(&arguments[1])?);
    let most = limit(arguments, 2)?;
    if most == 0 {
        return Ok(Value::list(Vec::new()));
    }
    if !separator.is_empty() {
        return texts(text.splitn(most, &**separator));
    }
    // Into characters, the last part with what is left.
    let starts = || text.char_indices().map(|(index, _)| index).take(most);
    texts(starts().zip(starts().skip(1).chain([text.len()])).map(|(start, end)| &text[start..end]))
}

/// A list of texts.
///
/// Errors: the evaluation has made too much.
fn texts<'a>(parts: impl Iterator<Item = &'a str>) -> Evaluated {
    let mut texts = Vec::new();
    for part in parts {
        make(size_of::<Value>() + part.len() + BESIDE_A_TEXT)?;
        texts.push(Value::from(part));
    }
    Ok(Value::list(texts))
}

fn substring(arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    let start = int(&arguments[1])?;
    let Some(end) = arguments.get(2) else { return made(&text[inside(text, start)?..]) };
    let end = int(end)?;
    if start > end {
        return Err(EvaluationError::new(format!("invalid substring range. start: {start}, end: {end}")));
    }
    made(&text[inside(text, start)?..inside(text, end)?])
}

fn join(arguments: &[Value]) -> Evaluated {
    let Value::List(list) = &arguments[0] else { return Err(EvaluationError::no_such_overload()) };
    let separator = arguments.get(1).map_or(Ok(Arc::from("")), |separator| string(separator).cloned())?;
    let mut joined = Growing::default();
    for position in 0..list.size() {
        look()?;
        if position > 0 {
            joined.push(&separator)?;
        }
        match list.get(position)? {
            Value::String(text) => joined.push(&text)?,
            other => {
                return Err(EvaluationError::new(format!("join: invalid input: {}", super::plain(&other))));
            }
        }
    }
    Ok(Value::string(joined.text()))
}

fn quote(arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    make(text.len())?;
    made(&super::format::quoted(text))
}

/// A regular expression that is not known beforehand.
fn pattern(value: &Value, what: &str) -> Result<Pattern, EvaluationError> {
    let text = string(value)?;
    Pattern::parse(text).map_err(|error| EvaluationError::new(format!("{what}{error}")))
}

fn matches(arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    Ok(Value::Bool(pattern(&arguments[1], "")?.is_match(text)))
}

fn find(arguments: &[Value]) -> Evaluated {
    found(&pattern(&arguments[1], "Illegal regex: ")?, arguments)
}

fn found(pattern: &Pattern, arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    made(pattern.find(text).map_or("", |found| &text[found]))
}

fn find_all(arguments: &[Value]) -> Evaluated {
    all_found(&pattern(&arguments[1], "Illegal regex: ")?, arguments)
}

fn all_found(pattern: &Pattern, arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    let most = limit(arguments, 2)?;
    texts(pattern.find_all(text).take(most).map(|found| &text[found]))
}

/// The body of a call whose regular expression is constant: it is read once.
///
/// Errors: it is no regular expression.
pub(super) fn with_pattern(function: &str, text: &str) -> Result<Option<PreparedBody>, EvaluationError> {
    let body: fn(&Pattern, &[Value]) -> Evaluated = match function {
        "matches" => |pattern, arguments| Ok(Value::Bool(pattern.is_match(string(&arguments[0])?))),
        "find" => found,
        "findAll" => all_found,
        _ => return Ok(None),
    };
    let pattern = pattern(&Value::from(text), "")?;
    Ok(Some(Arc::new(move |arguments| body(&pattern, arguments))))
}
