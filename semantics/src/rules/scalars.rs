//! Texts of a format as rules see them (CEL-021), and upstream's words for those that cannot be read.

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};
use crdible_cel::{Evaluated, EvaluationError, Span, Timestamp, Value};
use crdible_text::{calendar::days_in_month, worded_duration};

pub(super) fn string(text: &str, format: &str) -> Evaluated {
    let wrong = |what: &str, why: String| Err(EvaluationError::new(format!("Invalid {what} {text}: {why}")));
    match format {
        "duration" => match worded_duration(text) {
            Ok(nanoseconds) => Ok(Value::Duration(Span::of_nanoseconds(nanoseconds))),
            Err(why) => wrong("duration", why),
        },
        // Rules cannot read those outside of the years 1 to 9999 themselves, but fields may have them.
        "date" => match Timestamp::read_in_any_year(&format!("{text}T00:00:00Z")) {
            Some(moment) => Ok(Value::Timestamp(moment)),
            None => wrong("date formatted string", why_no_time(text, &DATE)),
        },
        "date-time" => match date_time(text) {
            Some(moment) => Ok(Value::Timestamp(moment)),
            None => wrong("date-time formatted string", why_no_time(text, &DATE_TIME)),
        },
        "byte" => match BASE64.decode(text.replace(['\r', '\n'], "")) {
            Ok(bytes) => Ok(Value::Bytes(bytes.into())),
            Err(_) => {
                let why = format!("illegal base64 data at input byte {}", first_illegal(text.as_bytes()));
                wrong("byte formatted string", why)
            }
        },
        _ => Ok(Value::from(text)),
    }
}

/// As the server reads them: also without an offset, which is UTC then. No text is the beginning of 1970.
fn date_time(text: &str) -> Option<Timestamp> {
    if text.is_empty() {
        return Timestamp::new(0, 0, 0);
    }
    Timestamp::read_in_any_year(text).or_else(|| Timestamp::read_in_any_year(&format!("{text}Z")))
}

/// Go's Base64 with the letters for URLs, which is what the server uses for values (CEL-021), although it checks the
/// format with the usual ones. Go skips line breaks.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::URL_SAFE, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// Which byte Go names of a text that is no Base64.
fn first_illegal(text: &[u8]) -> usize {
    let is_break = |at: usize| text.get(at).is_some_and(|byte| b"\r\n".contains(byte));
    let after_breaks = |mut at: usize| {
        while is_break(at) {
            at += 1;
        }
        at
    };
    // How many digits of a group of four were read.
    let mut digits = 0;
    let mut at = after_breaks(0);
    while let Some(byte) = text.get(at) {
        match byte {
            byte if byte.is_ascii_alphanumeric() || b"-_".contains(byte) => digits = (digits + 1) % 4,
            b'=' if digits == 2 => {
                let second = after_breaks(at + 1);
                return match text.get(second) {
                    None => text.len(),
                    Some(b'=') => after_breaks(second + 1),
                    Some(_) => second - 1,
                };
            }
            b'=' if digits == 3 => return after_breaks(at + 1),
            _ => return at,
        }
        at = after_breaks(at + 1);
    }
    text.len() - digits
}

/// What a part of a layout stands for, as Go writes it, and what it is followed by.
type Part = (&'static str, &'static str, Number);

#[derive(Clone, Copy)]
enum Number {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

/// Go's layouts.
static DATE: [Part; 3] = [("2006", "-", Number::Year), ("01", "-", Number::Month), ("02", "", Number::Day)];
static DATE_TIME: [Part; 6] = [
    ("2006", "-", Number::Year),
    ("01", "-", Number::Month),
    ("02", "T", Number::Day),
    ("15", ":", Number::Hour),
    ("04", ":", Number::Minute),
    ("05", "", Number::Second),
];

/// Why Go cannot read a time.
fn why_no_time(text: &str, layout: &[Part]) -> String {
    let shown = quoted(text);
    let out_of_range = |what: &str| format!("parsing time {shown}: {what} out of range");
    let whole: String = layout.iter().flat_map(|(part, after, _)| [*part, *after]).collect();
    let cannot = |rest: &str, part: &str| {
        format!("parsing time {shown} as {}: cannot parse {} as {}", quoted(&whole), quoted(rest), quoted(part))
    };
    let (mut rest, mut year, mut month, mut day) = (text, 0, 0, 0);
    for (part, after, number) in layout {
        let Some((value, unread)) = read_number(rest, *number) else { return cannot(rest, part) };
        let name = match number {
            Number::Year => {
                year = value;
                None
            }
            Number::Month => {
                month = value;
                (!(1..=12).contains(&value)).then_some("month")
            }
            Number::Day => {
                day = value;
                None
            }
            Number::Hour => (value > 23).then_some("hour"),
            Number::Minute => (value > 59).then_some("minute"),
            Number::Second => (value > 59).then_some("second"),
        };
        if let Some(name) = name {
            return out_of_range(name);
        }
        rest = if matches!(number, Number::Second) { without_fraction(unread) } else { unread };
        match rest.strip_prefix(after) {
            Some(unread) => rest = unread,
            None => return cannot(rest, after),
        }
    }
    match rest {
        "" if (1..=days_in_month(year, month)).contains(&day) => cannot("", ""),
        "" => out_of_range("day"),
        rest => format!("parsing time {shown}: extra text: {}", quoted(rest)),
    }
}

/// A number at the beginning of a text, and the rest. Of an hour, one digit is enough.
fn read_number(text: &str, number: Number) -> Option<(i64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length = match number {
        Number::Year if digits >= 4 => 4,
        Number::Hour if digits == 1 => 1,
        Number::Year => return None,
        _ if digits >= 2 => 2,
        _ => return None,
    };
    let (number, rest) = text.split_at(length);
    Some((number.parse().ok()?, rest))
}

/// Go skips a fraction of seconds wherever a layout has none.
fn without_fraction(text: &str) -> &str {
    let Some(fraction) = text.strip_prefix(['.', ',']) else { return text };
    let rest = fraction.trim_start_matches(|one: char| one.is_ascii_digit());
    if rest.len() < fraction.len() { rest } else { text }
}

/// A text as Go's package for times quotes it: each byte of a letter that is not ASCII by itself.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            ' '..='\u{7f}' => quoted.push(letter),
            _ => {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    quoted.push_str(&format!("\\x{byte:02x}"));
                }
            }
        }
    }
    quoted.push('"');
    quoted
}
