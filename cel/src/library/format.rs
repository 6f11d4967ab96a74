//! Texts with values in them: `'%s is %d'.format([name, age])`.

use std::fmt::Write as _;

use super::arguments::string;
use crate::stack::deep;
use crate::types::Type;
use crate::value::{Evaluated, EvaluationError, Growing, List, Map, Value, look, make_text, print_double};

/// How many digits `%f` and `%e` print if nothing else is said.
const PRECISION: usize = 6;
/// A larger precision is none: before its last digit, Go has read more than a million.
const LARGEST_PRECISION: usize = 10_000_009;
/// What Go prints instead.
const NO_PRECISION: &str = "%!(NOVERB)";
/// No double has more digits behind the point.
const MOST_DIGITS: usize = 1_100;

pub(super) fn format(arguments: &[Value]) -> Evaluated {
    let template = string(&arguments[0])?;
    let Value::List(values) = &arguments[1] else { return Err(EvaluationError::no_such_overload()) };
    let mut formatted = Growing::default();
    let mut used = 0;
    let mut rest = &**template;
    while let Some(start) = rest.find('%') {
        formatted.push(&rest[..start])?;
        let behind = &rest[start + 1..];
        if !behind.is_empty() && !behind.starts_with('%') && used >= values.size() {
            return Err(EvaluationError::new(format!("index {used} out of range")));
        }
        let clause = Clause::read(behind).map_err(EvaluationError::new)?;
        rest = clause.rest;
        let Some(kind) = clause.kind else {
            formatted.push("%")?;
            continue;
        };
        let value = values.get(used)?;
        used += 1;
        let failed = |error: String| EvaluationError::new(format!("error during formatting: {error}"));
        print(&mut formatted, kind, clause.precision, &value).map_err(failed)?;
    }
    formatted.push(rest)?;
    Ok(Value::string(formatted.text()))
}

/// What stands behind a `%`.
#[derive(Debug)]
struct Clause<'a> {
    /// The letter; `None` for a second `%`.
    kind: Option<char>,
    /// Digits behind the point.
    precision: Option<usize>,
    /// What comes after.
    rest: &'a str,
}

impl<'a> Clause<'a> {
    /// Reads `.2f`.
    ///
    /// Errors: there is no such clause.
    fn read(text: &'a str) -> Result<Self, String> {
        if let Some(rest) = text.strip_prefix('%') {
            return Ok(Self { kind: None, precision: None, rest });
        }
        let (precision, rest) = match text.strip_prefix('.') {
            None => (None, text),
            Some(after) => {
                let digits = after.bytes().take_while(u8::is_ascii_digit).count();
                if digits == after.len() {
                    return Err("could not parse formatting clause: error while parsing precision: could not find \
                                end of precision specifier"
                        .to_owned());
                }
                let number = &after[..digits];
                let wrong = |why: &str| {
                    format!(
                        "could not parse formatting clause: error while parsing precision: error while converting \
                         precision to integer: strconv.Atoi: parsing {number:?}: {why}"
                    )
                };
                let precision = match number.parse::<i64>() {
                    Ok(precision) => usize::try_from(precision).unwrap_or(usize::MAX),
                    Err(_) if number.is_empty() => return Err(wrong("invalid syntax")),
                    Err(_) => return Err(wrong("value out of range")),
                };
                (Some(precision), &after[digits..])
            }
        };
        let mut letters = rest.chars();
        match letters.next() {
            None => Err("unexpected end of string".to_owned()),
            Some(kind @ ('s' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o')) => {
                Ok(Self { kind: Some(kind), precision, rest: letters.as_str() })
            }
            // Upstream takes the first byte for a letter.
            Some(_) => Err(format!(
                "could not parse formatting clause: unrecognized formatting clause \"{}\"",
                char::from(rest.as_bytes()[0])
            )),
        }
    }
}

/// What a clause is for, as upstream's errors say it.
fn purpose(kind: char) -> &'static str {
    match kind {
        's' => {
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, \
             and timestamps"
        }
        'd' => "decimal clause can only be used on integers",
        'f' => "fixed-point clause can only be used on doubles",
        'e' => "scientific clause can only be used on doubles",
        'b' => "only integers and bools can be formatted as binary",
        'o' => "octal clause can only be used on integers",
        _ => "only integers, byte buffers, and strings can be formatted as hex",
    }
}

/// Whether a clause can print values of a type.
fn prints(kind: char, of: &Type) -> bool {
    match (kind, of) {
        (_, Type::Dyn | Type::Int | Type::Uint) => !matches!((kind, of), ('f' | 'e', Type::Int | Type::Uint)),
        ('s', of) => !matches!(of, Type::Object(_) | Type::Opaque(_) | Type::Optional(_) | Type::Any),
        ('f' | 'e', of) => matches!(of, Type::Double | Type::String),
        ('b', of) => *of == Type::Bool,
        ('x' | 'X', of) => matches!(of, Type::String | Type::Bytes),
        _ => false,
    }
}

/// What is wrong with a template and the types of its values, each with those of its parts, before it is ever evaluated:
/// at a part of a value, or at the call.
pub(crate) fn fault(template: &str, types: &[Vec<Type>]) -> Option<(Option<(usize, usize)>, String)> {
    let (mut used, mut rest) = (0, template);
    while let Some(start) = rest.find('%') {
        let behind = &rest[start + 1..];
        if !behind.is_empty() && !behind.starts_with('%') && used >= types.len() {
            return Some((None, format!("index {used} out of range")));
        }
        let clause = match Clause::read(behind) {
            Ok(clause) => clause,
            Err(error) => return Some((None, error)),
        };
        rest = clause.rest;
        let Some((kind, of)) = clause.kind.zip(types.get(used)) else { continue };
        // Only `%s` prints what has parts.
        if let Some(part) = of.iter().position(|of| !prints(kind, of)) {
            let found = super::runtime_name(&of[part]);
            let why = format!("error during formatting: {}, was given {found}", purpose(kind));
            return Some((Some((used, part)), why));
        }
        used += 1;
    }
    let given = types.len();
    let too_many = format!("too many arguments supplied to string.format (expected {used}, got {given})");
    (given > used).then_some((None, too_many))
}

/// Adds a value as a clause prints it.
///
/// Errors: the clause is not for such values, or the text is too large.
fn print(to: &mut Growing, kind: char, precision: Option<usize>, value: &Value) -> Result<(), String> {
    let unsuitable = || format!("{}, was given {}", purpose(kind), value.type_name());
    let digits = match (kind, value) {
        ('s', value) => return text(to, value),
        ('f' | 'e', value) => {
            let (value, precision) = (double(value).ok_or_else(unsuitable)?, precision.unwrap_or(PRECISION));
            match kind {
                _ if precision > LARGEST_PRECISION => NO_PRECISION.to_owned(),
                'f' => fixed(value, precision),
                _ => padded(&scientific(value), precision),
            }
        }
        ('d', Value::Int(value)) => value.to_string(),
        ('d', Value::Uint(value)) => value.to_string(),
        ('b', Value::Int(value)) => signed(*value, |value| format!("{value:b}")),
        ('b', Value::Uint(value)) => format!("{value:b}"),
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('o', Value::Int(value)) => signed(*value, |value| format!("{value:o}")),
        ('o', Value::Uint(value)) => format!("{value:o}"),
        ('x' | 'X', Value::Int(value)) => signed(*value, |value| format!("{value:x}")),
        ('x' | 'X', Value::Uint(value)) => format!("{value:x}"),
        ('x' | 'X', Value::String(text)) => hexadecimal(text.as_bytes())?,
        ('x' | 'X', Value::Bytes(bytes)) => hexadecimal(bytes)?,
        _ => return Err(unsuitable()),
    };
    push(to, &if kind == 'X' { digits.to_uppercase() } else { digits })
}

fn push(to: &mut Growing, part: &str) -> Result<(), String> {
    to.push(part).map_err(|error| error.to_string())
}

fn signed(value: i64, print: impl Fn(u64) -> String) -> String {
    format!("{}{}", if value < 0 { "-" } else { "" }, print(value.unsigned_abs()))
}

fn hexadecimal(bytes: &[u8]) -> Result<String, String> {
    make_text(2 * bytes.len()).map_err(|error| error.to_string())?;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// A double, or the name of one that is no number.
fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(value) => Some(*value),
        Value::String(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// `%s`
fn text(to: &mut Growing, value: &Value) -> Result<(), String> {
    match value {
        Value::List(list) => list_text(to, &**list),
        Value::Map(map) => map_text(to, &**map),
        Value::Null => push(to, "null"),
        Value::String(text) | Value::Type(text) => push(to, text),
        Value::Bool(value) => push(to, if *value { "true" } else { "false" }),
        Value::Int(value) => push(to, &value.to_string()),
        Value::Uint(value) => push(to, &value.to_string()),
        Value::Double(value) => push(to, &print_double(*value)),
        Value::Duration(span) => push(to, &span.print()),
        Value::Timestamp(moment) => push(to, &moment.to_string()),
        Value::Bytes(bytes) => push(to, text_of(bytes)?),
        other => Err(format!("{}, was given {}", purpose('s'), other.type_name())),
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| {
        let why = "invalid UTF-8 in bytes, cannot convert to string";
        format!("could not convert argument {why:?} to string")
    })
}

/// A value inside of a list or a map.
fn inner(to: &mut Growing, value: &Value) -> Result<(), String> {
    look().map_err(|error| error.to_string())?;
    match value {
        Value::Double(value) => {
            let text = plain_fixed(*value, PRECISION);
            push(to, &if value.is_finite() { text } else { format!("{text:?}") })
        }
        Value::String(text) => push_quoted(to, text),
        Value::Bytes(bytes) => {
            push(to, "b")?;
            push_quoted(to, text_of(bytes)?)
        }
        Value::Duration(span) => push(to, &format!("duration({})", crdible_text::quoted(&span.print()))),
        Value::Timestamp(moment) => push(to, &format!("timestamp({})", crdible_text::quoted(&moment.to_string()))),
        Value::Optional(_) | Value::Opaque(_) => Err(format!("no formatting function for {}", value.type_name())),
        other => deep(|| text(to, other)),
    }
}

/// A key as an error names it.
fn quoted_key(key: &Value) -> String {
    match key {
        Value::String(text) => crdible_text::quoted(text),
        other => super::plain(other),
    }
}

fn push_quoted(to: &mut Growing, text: &str) -> Result<(), String> {
    make_text(text.len()).map_err(|error| error.to_string())?;
    push(to, &crdible_text::quoted(text))
}

fn list_text(to: &mut Growing, list: &dyn List) -> Result<(), String> {
    push(to, "[")?;
    for position in 0..list.size() {
        if position > 0 {
            push(to, ", ")?;
        }
        inner(to, &list.get(position).map_err(|error| error.to_string())?)?;
    }
    push(to, "]")
}

fn map_text(to: &mut Growing, map: &dyn Map) -> Result<(), String> {
    let mut entries = Vec::with_capacity(map.size());
    for key in map.keys() {
        if !matches!(key, Value::String(_) | Value::Bool(_) | Value::Int(_) | Value::Uint(_)) {
            return Err(format!("no formatting function for map key of type {}", key.type_name()));
        }
        // A property that is null is one of the keys, and has no value.
        let value = map.get(&key).ok_or_else(|| format!("could not find key: {}", quoted_key(&key)))?;
        let mut printed = Growing::default();
        inner(&mut printed, &key)?;
        entries.push((printed.text(), value.map_err(|error| error.to_string())?));
    }
    entries.sort_by(|(left, _), (right, _)| left.cmp(right));
    push(to, "{")?;
    for (position, (key, value)) in entries.iter().enumerate() {
        push(to, if position > 0 { ", " } else { "" })?;
        push(to, key)?;
        push(to, ":")?;
        inner(to, value)?;
    }
    push(to, "}")
}

/// A text in quotes, as `strings.quote` returns it: letters that are not printed stay.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// This number of digits behind the point, and no groups.
fn plain_fixed(value: f64, precision: usize) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned()
    } else {
        format!("{value:.precision$}")
    }
}

/// `%f` as upstream prints it in its language: thousands have groups, and 0 has no sign. The precision is kept in 16 bits
/// with a sign, and in 8 bits as the least number of digits; without the sign, it is that of the shortest text.
fn fixed(value: f64, precision: usize) -> String {
    if !value.is_finite() {
        return named(value);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "as upstream does")]
    let (most, least) = (usize::try_from(precision as i16), usize::from(precision as u8));
    let size = value.abs();
    let text = match most {
        Ok(most) => plain_fixed(size, most.min(MOST_DIGITS)),
        Err(_) => format!("{size}"),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let kept = fraction.trim_end_matches('0').len().max(least.min(fraction.len()));
    let mut grouped = String::new();
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 { "-" } else { "" };
    match kept.max(least) {
        0 => format!("{sign}{grouped}"),
        digits => format!("{sign}{grouped}.{:0<digits$}", &fraction[..kept]),
    }
}

/// `%e` as upstream prints it in its language: with six digits, whatever the precision, and a raised exponent.
fn scientific(value: f64) -> String {
    if !value.is_finite() {
        return named(value);
    }
    // 0 has no sign here.
    let value = if value == 0.0 { 0.0 } else { value };
    let text = format!("{value:.PRECISION$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(("", exponent), |exponent| ("⁻", exponent));
    let raised: String = format!("{exponent:0>2}")
        .chars()
        .map(|digit| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit.to_digit(10).unwrap_or(0) as usize])
        .collect();
    format!("{digits}×10{sign}{raised}")
}

/// Upstream takes the precision of `%e` for a width, which it keeps in 16 bits.
#[expect(clippy::cast_possible_truncation, reason = "as upstream does")]
fn padded(text: &str, width: usize) -> String {
    let width = usize::from(width as u16);
    format!("{text:>width$}")
}

fn named(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value > 0.0 {
        "∞".to_owned()
    } else {
        "-∞".to_owned()
    }
}
