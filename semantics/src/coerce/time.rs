//! Times in metadata: RFC 3339, in UTC, without a fraction.

use crdible_text::calendar::{date_of, days_in_month, days_since_1970};

/// The zero time, which means no time.
pub(super) const ZERO: &str = "0001-01-01T00:00:00Z";

/// Parses a time like Go's parser (a fraction of any length, hours of one digit) and writes it in UTC. Returns `None`
/// if the string is not a time.
pub(super) fn in_utc(text: &str) -> Option<String> {
    let mut rest = Reader(text.as_bytes());
    let year = rest.digits(4)?;
    rest.byte(b'-')?;
    let month = rest.digits(2)?;
    rest.byte(b'-')?;
    let day = rest.digits(2)?;
    rest.byte(b'T')?;
    let hour = rest.digits(2).or_else(|| rest.digits(1))?;
    rest.byte(b':')?;
    let minute = rest.digits(2)?;
    rest.byte(b':')?;
    let second = rest.digits(2)?;
    rest.fraction()?;
    let offset = rest.offset()?;
    let is_valid = (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour <= 23
        && minute <= 59
        && second <= 59
        && rest.0.is_empty();
    if !is_valid {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(write(seconds))
}

struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    /// Parses exactly `count` digits.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let number = digits
            .iter()
            .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))?;
        self.0 = rest;
        Some(number)
    }

    fn byte(&mut self, expected: u8) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        if *first != expected {
            return None;
        }
        self.0 = rest;
        Some(())
    }

    /// Skips a fraction, if there is one. Returns `None` for a point without digits.
    fn fraction(&mut self) -> Option<()> {
        if self.byte(b'.').or_else(|| self.byte(b',')).is_none() {
            return Some(());
        }
        self.digits(1)?;
        while self.digits(1).is_some() {}
        Some(())
    }

    /// Parses the offset from UTC, in seconds.
    fn offset(&mut self) -> Option<i64> {
        if self.byte(b'Z').is_some() {
            return Some(0);
        }
        let sign = if self.byte(b'+').is_some() { 1 } else { self.byte(b'-').map(|()| -1)? };
        let hours = self.digits(2)?;
        self.byte(b':')?;
        let minutes = self.digits(2)?;
        (hours <= 24 && minutes <= 60).then_some(sign * (hours * 3600 + minutes * 60))
    }
}

fn write(seconds: i64) -> String {
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date_of(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{days_since_1970, in_utc};

    #[rstest]
    #[case::utc("2024-02-29T01:02:03Z", Some("2024-02-29T01:02:03Z"))]
    #[case::offset("2024-01-01T00:30:00+01:00", Some("2023-12-31T23:30:00Z"))]
    #[case::negative_offset("2023-12-31T23:30:00-01:00", Some("2024-01-01T00:30:00Z"))]
    #[case::fraction("2024-01-01T00:00:00.999999999Z", Some("2024-01-01T00:00:00Z"))]
    #[case::zero("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z"))]
    #[case::century("1900-02-28T12:00:00Z", Some("1900-02-28T12:00:00Z"))]
    #[case::no_leap_day("1900-02-29T12:00:00Z", None)]
    #[case::leap_second("2016-12-31T23:59:60Z", None)]
    #[case::missing_zone("2024-01-01T00:00:00", None)]
    #[case::lower_case("2024-01-01t00:00:00z", None)]
    #[case::blank("2024-01-01 00:00:00Z", None)]
    #[case::empty_fraction("2024-01-01T00:00:00.Z", None)]
    #[case::trailing_text("2024-01-01T00:00:00Zx", None)]
    #[case::not_ascii("２０２４-01-01T00:00:00Z", None)]
    #[case::empty("", None)]
    fn times_are_read_and_written(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(in_utc(text).as_deref(), expected);
    }

    #[test]
    fn every_day_of_four_centuries_survives_a_round_trip() {
        let mut day = days_since_1970(1899, 12, 31) * 86_400;
        for _ in 0..146_097 {
            day += 86_400;
            let text = super::write(day);
            assert_eq!(in_utc(&text).as_deref(), Some(text.as_str()));
        }
    }
}
