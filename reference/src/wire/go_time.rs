//! Times as Go parses them.

use std::str::FromStr;

use jiff::civil::{Date, Time};

use crate::base::clock::{EPOCH, civil_time};

/// A time in nanoseconds since 1970; holds the years 0 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) i128);

impl Moment {
    /// The start of year 1, Go's zero time.
    pub(crate) const ZERO: Self = Self(-62_135_596_800 * SECOND);

    /// In the format of a `Time`: UTC, whole seconds.
    pub(crate) fn in_utc(self) -> String {
        format!("{}Z", self.second())
    }

    /// In the format of a `MicroTime`: UTC, microseconds.
    pub(crate) fn in_utc_with_micros(self) -> String {
        format!("{}.{:06}Z", self.second(), self.0.rem_euclid(SECOND) / 1000)
    }

    fn second(self) -> String {
        // Every year that can be parsed fits.
        civil_time(i64::try_from(self.0.div_euclid(SECOND)).unwrap_or_default())
    }
}

pub(crate) const SECOND: i128 = 1_000_000_000;

/// Parses RFC 3339 as Go does: the hour may have one digit, and a comma may precede the fraction.
pub(crate) fn parse_rfc_3339(text: &str) -> Option<Moment> {
    let mut rest = text;
    let date = date(&mut rest, 2)?;
    literal(&mut rest, "T")?;
    let time = time(&mut rest, 2)?;
    let offset = offset(&mut rest)?;
    let since_epoch = date.to_datetime(time).duration_since(EPOCH);
    rest.is_empty().then(|| Moment(since_epoch.as_nanos() - i128::from(offset) * SECOND))
}

/// Like [`parse_rfc_3339`], with a fraction of exactly six digits, as upstream's `MicroTime` requires.
pub(crate) fn parse_micro_time(text: &str) -> Option<Moment> {
    let (_, fraction) = text.split_once(['.', ','])?;
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    parse_rfc_3339(text).filter(|_| digits == 6)
}

/// Whether upstream's YAML parser takes a text for a time: month, day and each part of the time may have one digit.
pub(crate) fn is_yaml_timestamp(text: &str) -> bool {
    let mut rest = text;
    let mut read = || {
        date(&mut rest, 1)?;
        if rest.is_empty() {
            return Some(());
        }
        let has_offset = literal(&mut rest, "T").or_else(|| literal(&mut rest, "t")).is_some();
        if !has_offset {
            literal(&mut rest, " ")?;
        }
        time(&mut rest, 1)?;
        if has_offset { offset(&mut rest).map(drop) } else { Some(()) }
    };
    read().is_some() && rest.is_empty()
}

/// An existing date; month and day have at least `least` digits.
fn date(rest: &mut &str, least: usize) -> Option<Date> {
    let year = digits(rest, 4, 4)?;
    literal(rest, "-")?;
    let month = digits(rest, least, 2)?;
    literal(rest, "-")?;
    let day = digits(rest, least, 2)?;
    Date::new(year, month, day).ok()
}

/// A time of day; minute and second have at least `least` digits.
fn time(rest: &mut &str, least: usize) -> Option<Time> {
    let hour = digits(rest, 1, 2)?;
    literal(rest, ":")?;
    let minute = digits(rest, least, 2)?;
    literal(rest, ":")?;
    let second = digits(rest, least, 2)?;
    Time::new(hour, minute, second, fraction(rest)).ok()
}

/// A number of `least` to `most` digits; further digits are left in `rest`.
fn digits<N: FromStr>(rest: &mut &str, least: usize, most: usize) -> Option<N> {
    let length = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let number = rest.get(..length).filter(|_| length >= least)?.parse().ok()?;
    *rest = &rest[length..];
    Some(number)
}

fn literal(rest: &mut &str, text: &str) -> Option<()> {
    *rest = rest.strip_prefix(text)?;
    Some(())
}

/// The fraction of a second in nanoseconds, 0 if missing; digits after the ninth are dropped.
fn fraction(rest: &mut &str) -> i32 {
    let Some(after) = rest.strip_prefix(['.', ',']) else { return 0 };
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return 0;
    }
    *rest = &after[length..];
    let nanos = after[..length].bytes().chain(std::iter::repeat(b'0')).take(9);
    nanos.fold(0, |nanos, digit| nanos * 10 + i32::from(digit - b'0'))
}

/// The offset from UTC in seconds, positive to the east.
fn offset(rest: &mut &str) -> Option<i64> {
    if let Some(after) = rest.strip_prefix('Z') {
        *rest = after;
        return Some(0);
    }
    let sign = match rest.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    *rest = &rest[1..];
    let hours: i64 = digits(rest, 2, 2)?;
    literal(rest, ":")?;
    let minutes: i64 = digits(rest, 2, 2)?;
    (hours <= 24 && minutes <= 60).then_some(sign * (hours * 3600 + minutes * 60))
}
