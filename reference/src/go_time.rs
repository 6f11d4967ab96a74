//! Times as Go parses them.

use crate::clock::civil_time;

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

#[derive(Clone, Copy, Debug)]
struct Date {
    year: i64,
    month: i64,
    day: i64,
}

#[derive(Clone, Copy, Debug)]
struct Time {
    /// Since midnight.
    seconds: i64,
    nanos: i64,
}

/// Parses RFC 3339 as Go does: the hour may have one digit, and a comma may precede the fraction.
pub(crate) fn parse_rfc_3339(text: &str) -> Option<Moment> {
    let mut rest = text;
    let date = date(&mut rest, 2)?;
    literal(&mut rest, "T")?;
    let time = time(&mut rest, 2)?;
    let offset = offset(&mut rest)?;
    let seconds = days_from_epoch(date) * 86_400 + time.seconds - offset;
    rest.is_empty().then(|| Moment(i128::from(seconds) * SECOND + i128::from(time.nanos)))
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
    let exists = (1..=12).contains(&month) && (1..=month_length(year, month)).contains(&day);
    exists.then_some(Date { year, month, day })
}

/// A time of day; minute and second have at least `least` digits.
fn time(rest: &mut &str, least: usize) -> Option<Time> {
    let hour = digits(rest, 1, 2)?;
    literal(rest, ":")?;
    let minute = digits(rest, least, 2)?;
    literal(rest, ":")?;
    let second = digits(rest, least, 2)?;
    let nanos = fraction(rest);
    let exists = hour < 24 && minute < 60 && second < 60;
    exists.then_some(Time { seconds: hour * 3600 + minute * 60 + second, nanos })
}

/// A number of `least` to `most` digits; further digits are left in `rest`.
fn digits(rest: &mut &str, least: usize, most: usize) -> Option<i64> {
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
fn fraction(rest: &mut &str) -> i64 {
    let Some(after) = rest.strip_prefix(['.', ',']) else { return 0 };
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return 0;
    }
    *rest = &after[length..];
    let nanos = after[..length].bytes().chain(std::iter::repeat(b'0')).take(9);
    nanos.fold(0, |nanos, digit| nanos * 10 + i64::from(digit - b'0'))
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
    let hours = digits(rest, 2, 2)?;
    literal(rest, ":")?;
    let minutes = digits(rest, 2, 2)?;
    (hours <= 24 && minutes <= 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01. The algorithm starts years in March, so that the leap day is last.
fn days_from_epoch(Date { year, month, day }: Date) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
