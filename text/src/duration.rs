//! Durations as Go reads them.

use crate::quoted;

/// The nanoseconds of a duration as Go reads it: `1h30m`, `-1.5s`, `0`.
///
/// # Errors
/// In Go's words: a number has no unit or an unknown one, or the text is no duration of 64 bits.
pub fn go_duration(text: &str) -> Result<i64, String> {
    read(text).map_err(|wrong| {
        let text = quoted(text);
        match wrong {
            Wrong::Invalid => format!("invalid duration {text}"),
            Wrong::NoUnit => format!("missing unit in duration {text}"),
            Wrong::Unit(unit) => format!("unknown unit {} in duration {text}", quoted(unit)),
        }
    })
}

/// Why a text is no duration.
enum Wrong<'a> {
    Invalid,
    NoUnit,
    Unit(&'a str),
}

fn read(text: &str) -> Result<i64, Wrong<'_>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_negative = text.starts_with('-');
    if unsigned == "0" {
        return Ok(0);
    }
    if unsigned.is_empty() {
        return Err(Wrong::Invalid);
    }
    let mut nanoseconds: u64 = 0;
    let mut rest = unsigned;
    while !rest.is_empty() {
        let (part, after) = read_part(rest)?;
        nanoseconds = nanoseconds.checked_add(part).filter(|sum| *sum <= 1 << 63).ok_or(Wrong::Invalid)?;
        rest = after;
    }
    let nanoseconds = i128::from(nanoseconds) * if is_negative { -1 } else { 1 };
    i64::try_from(nanoseconds).map_err(|_| Wrong::Invalid)
}

/// Units in words: exact abbreviations, prefixes that may continue with any letters, and the nanoseconds of one.
const UNITS: [(&[&str], &str, i64); 8] = [
    (&["ns"], "nano", 1),
    (&["us", "µs"], "micro", 1_000),
    (&["ms"], "milli", 1_000_000),
    (&["s"], "sec", 1_000_000_000),
    (&["m"], "min", 60_000_000_000),
    (&["h", "hr"], "hour", 3_600_000_000_000),
    (&["d"], "day", 86_400_000_000_000),
    (&["w", "wk"], "week", 604_800_000_000_000),
];

/// The nanoseconds of a duration of the format `duration`: as Go reads it, or whole numbers with units in words, such as
/// `1 hour 2 min`. Text around the numbers is ignored (VALUE-045), and so is an overflow.
///
/// # Errors
/// There is no number with a known unit, or one with a unit is out of range: in Go's words.
pub fn worded_duration(text: &str) -> Result<i64, String> {
    if let Ok(nanoseconds) = read(text) {
        return Ok(nanoseconds);
    }
    let mut rest = text;
    let mut sum: Option<i64> = None;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let end = rest[start..].find(|character: char| !character.is_ascii_digit());
        let (number, after) = rest[start..].split_at(end.unwrap_or(rest.len() - start));
        let after = after.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
        let is_letter = |character: char| character.is_ascii_alphabetic() || character == 'µ';
        let end = after.find(|character| !is_letter(character)).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        rest = after;
        if unit.is_empty() {
            continue;
        }
        let number: i64 =
            number.parse().map_err(|_| format!("strconv.Atoi: parsing \"{number}\": value out of range"))?;
        let unit = unit.to_ascii_lowercase();
        for (short, long, nanoseconds) in UNITS {
            if short.contains(&unit.as_str()) || unit.starts_with(long) {
                sum = Some(sum.unwrap_or(0).wrapping_add(number.wrapping_mul(nanoseconds)));
            }
        }
    }
    sum.ok_or_else(|| format!("unable to parse {text} as duration"))
}

/// A number and its unit, in nanoseconds, and what comes after.
fn read_part(text: &str) -> Result<(u64, &str), Wrong<'_>> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at(digits(text));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits(rest)),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Err(Wrong::Invalid);
    }
    let whole = match whole {
        "" => 0,
        whole => whole.parse::<u64>().ok().filter(|whole| *whole <= 1 << 63).ok_or(Wrong::Invalid)?,
    };
    let (unit, rest) = rest.split_at(rest.find(|one: char| one == '.' || one.is_ascii_digit()).unwrap_or(rest.len()));
    let unit: u64 = match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "" => return Err(Wrong::NoUnit),
        unit => return Err(Wrong::Unit(unit)),
    };
    let sum = whole.checked_mul(unit).filter(|nanoseconds| *nanoseconds <= 1 << 63).ok_or(Wrong::Invalid)?;
    // Of the fraction Go keeps as many digits as fit into 63 bits.
    let (mut value, mut scale) = (0_u64, 1.0_f64);
    for digit in fraction.bytes() {
        let next = value.checked_mul(10).and_then(|value| value.checked_add(u64::from(digit - b'0')));
        let Some(next) = next.filter(|next| *next <= 1 << 63) else { break };
        (value, scale) = (next, scale * 10.0);
    }
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as Go")]
    let fraction = (value as f64 * (unit as f64 / scale)) as u64;
    let sum = sum.checked_add(fraction).filter(|sum| *sum <= 1 << 63).ok_or(Wrong::Invalid)?;
    Ok((sum, rest))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{go_duration, worded_duration};

    const SECOND: i64 = 1_000_000_000;

    #[rstest]
    #[case("1h30m", Some(5_400_000_000_000))]
    #[case("-1.5s", Some(-1_500_000_000))]
    #[case("1.5h0.25s", Some(5_400_250_000_000))]
    #[case("0", Some(0))]
    #[case(".5s", Some(500_000_000))]
    #[case("1µs", Some(1_000))]
    #[case("1", None)]
    #[case("", None)]
    #[case("-", None)]
    #[case(".s", None)]
    #[case("+2h", Some(7_200_000_000_000))]
    #[case("1.ns", Some(1))]
    #[case("1d", None)]
    #[case("9223372036854775807ns", Some(i64::MAX))]
    #[case("-9223372036854775808ns", Some(i64::MIN))]
    #[case("9223372036854775808ns", None)]
    #[case("2562048h", None)]
    fn durations(#[case] text: &str, #[case] nanoseconds: Option<i64>) {
        assert_eq!(go_duration(text).ok(), nanoseconds);
    }

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case("x", "invalid duration \"x\"")]
    #[case("5", "missing unit in duration \"5\"")]
    #[case("1s5", "missing unit in duration \"1s5\"")]
    #[case("1.5.5s", "missing unit in duration \"1.5.5s\"")]
    #[case("1d", "unknown unit \"d\" in duration \"1d\"")]
    #[case("1h ", "unknown unit \"h \" in duration \"1h \"")]
    #[case(".s", "invalid duration \".s\"")]
    #[case("s", "invalid duration \"s\"")]
    #[case("-", "invalid duration \"-\"")]
    #[case("+", "invalid duration \"+\"")]
    #[case("9223372036854775808ns", "invalid duration \"9223372036854775808ns\"")]
    #[case("99999999999999h", "invalid duration \"99999999999999h\"")]
    fn other_texts_are_refused_in_gos_words(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(go_duration(text), Err(expected.to_owned()));
    }

    #[rstest]
    #[case("1.5h", Some(5_400 * SECOND))]
    #[case("2 weeks", Some(1_209_600 * SECOND))]
    #[case("1 hr 2 min", Some(3_720 * SECOND))]
    #[case("about 3 Days, or so", Some(259_200 * SECOND))]
    #[case("1.5 days", Some(432_000 * SECOND))]
    #[case("1 fortnight 2s", Some(2 * SECOND))]
    #[case("1 fortnight", None)]
    #[case("9223372036854775808 s", None)]
    #[case("5", None)]
    #[case("", None)]
    fn durations_in_words(#[case] text: &str, #[case] nanoseconds: Option<i64>) {
        assert_eq!(worded_duration(text).ok(), nanoseconds);
    }
}
