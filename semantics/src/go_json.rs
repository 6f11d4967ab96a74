//! JSON as Go writes it: numbers (VALUE-005), and texts that are safe within HTML (TABLE-010).

use std::io;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

/// Compact JSON with numbers as Go writes them.
#[derive(Clone, Copy, Debug)]
pub struct GoNumbers;

impl Formatter for GoNumbers {
    /// Writes an exponent only below 1e-6 and from 1e21 on.
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let size = value.abs();
        if value == 0.0 {
            writer.write_all(b"0")
        } else if (1e-6..1e21).contains(&size) {
            write!(writer, "{value}")
        } else if size < 1.0 {
            write!(writer, "{value:e}")
        } else {
            let text = format!("{value:e}");
            writer.write_all(text.replace('e', "e+").as_bytes())
        }
    }
}

/// Compact JSON with the characters escaped that are special in HTML.
pub fn html_safe(value: &Value) -> String {
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
        CompactFormatter.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(1.0, "1")]
    #[case(-0.0, "0")]
    #[case(1.5, "1.5")]
    #[case(1e18, "1000000000000000000")]
    #[case(1e21, "1e+21")]
    #[case(-1.5e300, "-1.5e+300")]
    #[case(1e-6, "0.000001")]
    #[case(1e-7, "1e-7")]
    fn value_005_floats(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(html_safe(&Value::from(value)), expected);
    }

    #[test]
    fn table_010_json() {
        let value = json!({"b": [1, 1.5, null, true], "a": "<&>\u{2028}\"\n\u{1}é"});
        assert_eq!(html_safe(&value), r#"{"a":"\u003c\u0026\u003e\u2028\"\n\u0001é","b":[1,1.5,null,true]}"#);
    }
}
