//! Values as Go formats them in text (TABLE-010).

use std::io;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{CharEscape, Formatter, Serializer};

use crate::wire::json::GoNumbers;

/// A float in its shortest exact form, with an exponent from a million up and below a ten-thousandth.
pub(crate) fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(-4..=5) | Err(_) => format!("{value}"),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
    }
}

/// Compact JSON with the characters escaped that are special in HTML.
pub(crate) fn json(value: &Value) -> String {
    let mut out = Vec::new();
    // Serializing a Value to memory cannot fail: its keys are strings.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut out, HtmlSafe));
    String::from_utf8_lossy(&out).into_owned()
}

struct HtmlSafe;

impl Formatter for HtmlSafe {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        GoNumbers.write_f64(writer, value)
    }

    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain = 0;
        for (at, found) in fragment.match_indices(['<', '>', '&', '\u{2028}', '\u{2029}']) {
            writer.write_all(&fragment.as_bytes()[plain..at])?;
            plain = at + found.len();
            write!(writer, "\\u{:04x}", found.chars().next().map_or(0, u32::from))?;
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }

    fn write_char_escape<W: ?Sized + io::Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(0.5, "0.5")]
    #[case(-2.25, "-2.25")]
    #[case(123_456.5, "123456.5")]
    #[case(1_234_567.5, "1.2345675e+06")]
    #[case(1e20, "1e+20")]
    #[case(-1.5e300, "-1.5e+300")]
    #[case(0.0001, "0.0001")]
    #[case(0.00001, "1e-05")]
    fn table_010_floats(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(float(value), expected);
    }

    #[test]
    fn table_010_json() {
        let value = json!({"b": [1, 1.5, null, true], "a": "<&>\u{2028}\"\n\u{1}é"});
        assert_eq!(json(&value), r#"{"a":"\u003c\u0026\u003e\u2028\"\n\u0001é","b":[1,1.5,null,true]}"#);
    }
}
