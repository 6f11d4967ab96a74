//! Moments and lengths of time, as Go counts them.

use std::fmt::{self, Write as _};

use crdible_text::calendar::{date_of, days_since_1970};

use super::number::print_seconds;

const NANOSECONDS: i128 = 1_000_000_000;
const SECONDS_OF_A_DAY: i64 = 86_400;
/// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since 1970.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

/// A length of time, of at most 292 years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(i64);

impl Span {
    /// Of this number of nanoseconds.
    pub fn of_nanoseconds(nanoseconds: i64) -> Self {
        Self(nanoseconds)
    }

    /// In nanoseconds.
    pub fn nanoseconds(self) -> i64 {
        self.0
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    pub(super) fn opposite(self) -> Option<Self> {
        self.0.checked_neg().map(Self)
    }

    /// `5400s`, as `string()` returns it.
    pub(crate) fn print(self) -> String {
        format!("{}s", print_seconds(self.0))
    }
}

/// A moment between the years 1 and 9999, with the offset with which it was written.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
    /// East of UTC, in seconds.
    offset: i32,
}

impl Timestamp {
    /// A moment, in seconds since 1970 and nanoseconds after; `None` outside of the years 1 to 9999.
    pub fn new(seconds: i64, nanoseconds: u32, offset: i32) -> Option<Self> {
        let is_valid = (FIRST..=LAST).contains(&seconds) && nanoseconds < 1_000_000_000;
        is_valid.then_some(Self { seconds, nanoseconds, offset })
    }

    /// The same moment that many seconds earlier or later, in any year: a host may have those that no expression makes.
    #[must_use]
    pub fn shifted(self, seconds: i64) -> Self {
        Self { seconds: self.seconds.saturating_add(seconds), ..self }
    }

    /// The offset, if it is one of whole hours: only those zones are the same ones each time Go reads them.
    pub(super) fn hours_of_offset(self) -> Option<i32> {
        (self.offset % 3600 == 0).then_some(self.offset / 3600)
    }

    /// What is compared: the same moment with another offset is the same.
    pub(super) fn moment(self) -> (i64, u32) {
        (self.seconds, self.nanoseconds)
    }

    /// The moment that Go calls zero.
    pub(super) fn is_first_moment(self) -> bool {
        self.moment() == (FIRST, 0)
    }

    /// In seconds since 1970.
    pub(crate) fn seconds(self) -> i64 {
        self.seconds
    }

    fn in_nanoseconds(self) -> i128 {
        i128::from(self.seconds) * NANOSECONDS + i128::from(self.nanoseconds)
    }

    pub(super) fn plus(self, span: Span) -> Option<Self> {
        let sum = self.in_nanoseconds() + i128::from(span.0);
        let seconds = i64::try_from(sum.div_euclid(NANOSECONDS)).ok()?;
        let nanoseconds = u32::try_from(sum.rem_euclid(NANOSECONDS)).ok()?;
        Self::new(seconds, nanoseconds, self.offset)
    }

    pub(super) fn since(self, other: Self) -> Option<Span> {
        i64::try_from(self.in_nanoseconds() - other.in_nanoseconds()).ok().map(Span)
    }

    /// As a calendar and a clock show it that far east of UTC, in seconds.
    pub(crate) fn shown_at(self, offset: i64) -> Shown {
        let local = self.seconds + offset;
        let (days, second) = (local.div_euclid(SECONDS_OF_A_DAY), local.rem_euclid(SECONDS_OF_A_DAY));
        let (year, month, day) = date_of(days);
        Shown {
            year,
            month,
            day,
            day_of_year: days - days_since_1970(year, 1, 1),
            // 1970-01-01 was a Thursday.
            weekday: (days + 4).rem_euclid(7),
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60,
            millisecond: i64::from(self.nanoseconds / 1_000_000),
        }
    }
}

/// As `string()` returns it: `2026-01-01T00:00:00.5Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.shown_at(i64::from(self.offset));
        let Shown { year, month, day, hour, minute, second, .. } = shown;
        write!(formatter, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.nanoseconds > 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(formatter, ".{}", digits.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return formatter.write_char('Z');
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        write!(formatter, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// What a calendar and a clock show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: i64,
    /// From 1.
    pub(crate) day: i64,
    /// From 0.
    pub(crate) day_of_year: i64,
    /// From 0, which is Sunday.
    pub(crate) weekday: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
    pub(crate) millisecond: i64,
}

#[cfg(test)]
mod tests {
    use super::{LAST, Span, Timestamp};

    #[test]
    fn moments_look_as_they_were_written() {
        let moment = Timestamp::new(1_700_000_000, 120_000_000, 5400).expect("a moment");
        assert_eq!(moment.to_string(), "2023-11-14T23:43:20.12+01:30");
        assert_eq!(moment.shown_at(0).hour, 22);
        assert_eq!(moment.shown_at(0).weekday, 2);
    }

    #[test]
    fn no_moment_is_after_the_year_9999() {
        let last = Timestamp::new(LAST, 0, 0).expect("a moment");
        assert!(last.plus(Span::of_nanoseconds(2_000_000_000)).is_none());
        assert!(Timestamp::new(LAST + 1, 0, 0).is_none());
    }
}
