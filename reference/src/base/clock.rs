//! The clock, and the formats of its times.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::DateTime;
use jiff::{Timestamp, ToSpan as _};

/// The start of 1970.
pub(crate) const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// The source of `creationTimestamp` and of all other times of the server.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> SystemTime;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A time in the format of object metadata: RFC 3339 in UTC, whole seconds.
pub(crate) fn timestamp(time: SystemTime) -> String {
    format!("{}Z", civil_time(seconds_of(time)))
}

/// Date and time of a second since 1970 in UTC, without an offset.
pub(crate) fn civil_time(seconds: i64) -> String {
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)
}

/// Whole seconds since 1970; earlier times count as 1970.
fn seconds_of(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |passed| i64::try_from(passed.as_secs()).unwrap_or(i64::MAX))
}

/// A time in the format of HTTP headers (RFC 9110, 5.6.7).
pub(crate) fn http_date(time: SystemTime) -> String {
    let time = Timestamp::from_second(seconds_of(time)).unwrap_or(Timestamp::MAX);
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Year, month and day of a time, in UTC.
#[cfg(feature = "serve")]
pub(crate) fn civil_date(time: SystemTime) -> (i64, i64, i64) {
    civil(seconds_of(time) / 86_400)
}

/// Year, month and day of a day counted from 1970-01-01. Calendars repeat after 400 years; an offset can lead to the
/// year 10000, which jiff does not have.
fn civil(days: i64) -> (i64, i64, i64) {
    const CYCLE: i64 = 146_097;
    let date = EPOCH.date().saturating_add(days.rem_euclid(CYCLE).days());
    (i64::from(date.year()) + 400 * days.div_euclid(CYCLE), date.month().into(), date.day().into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "1970-01-01T00:00:00Z")]
    #[case(951_782_399, "2000-02-28T23:59:59Z")]
    #[case(951_782_400, "2000-02-29T00:00:00Z")]
    #[case(1_795_261_016, "2026-11-21T11:36:56Z")]
    #[case(4_107_542_400, "2100-03-01T00:00:00Z")]
    fn writes_rfc_3339(#[case] seconds: u64, #[case] expected: &str) {
        assert_eq!(timestamp(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
    }

    #[rstest]
    #[case(0, "Thu, 01 Jan 1970 00:00:00 GMT")]
    #[case(784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT")]
    #[case(1_826_864_983, "Mon, 22 Nov 2027 06:29:43 GMT")]
    fn writes_http_dates(#[case] seconds: u64, #[case] expected: &str) {
        assert_eq!(http_date(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
    }
}
