//! Ages in tables (TABLE-012, TABLE-013).

use std::time::{SystemTime, UNIX_EPOCH};

use crate::wire::go_time::{Moment, SECOND, parse_rfc_3339};

/// The cell for a text in a column of type `date`.
pub(crate) fn cell(text: &str, now: SystemTime) -> String {
    if matches!(text, "" | "null") {
        return "<unknown>".into();
    }
    match parse_rfc_3339(text) {
        None => "<invalid>".into(),
        Some(Moment::ZERO) => "<unknown>".into(),
        Some(then) => human(moment(now).0 - then.0),
    }
}

fn moment(time: SystemTime) -> Moment {
    let nanos = |passed: std::time::Duration| i128::try_from(passed.as_nanos()).unwrap_or(i128::MAX);
    Moment(match time.duration_since(UNIX_EPOCH) {
        Ok(passed) => nanos(passed),
        Err(before) => -nanos(before.duration()),
    })
}

/// A duration in its most significant units, as upstream formats it. Durations are limited to 292 years, as Go's are.
fn human(nanos: i128) -> String {
    let nanos = nanos.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    let seconds = nanos / SECOND;
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let (days, years) = (hours / 24, hours / 24 / 365);
    let two = |large: i128, unit: char, small: i128, other: char| {
        if small == 0 { format!("{large}{unit}") } else { format!("{large}{unit}{small}{other}") }
    };
    if seconds < -1 {
        "<invalid>".into()
    } else if seconds < 0 {
        "0s".into()
    } else if seconds < 2 * 60 {
        format!("{seconds}s")
    } else if minutes < 10 {
        two(minutes, 'm', seconds % 60, 's')
    } else if minutes < 3 * 60 {
        format!("{minutes}m")
    } else if hours < 8 {
        two(hours, 'h', minutes % 60, 'm')
    } else if hours < 48 {
        format!("{hours}h")
    } else if days < 8 {
        two(days, 'd', hours % 24, 'h')
    } else if years < 2 {
        format!("{days}d")
    } else if years < 8 {
        two(years, 'y', days % 365, 'd')
    } else {
        format!("{years}y")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::*;

    const MINUTE: i128 = 60;
    const HOUR: i128 = 60 * MINUTE;
    const DAY: i128 = 24 * HOUR;
    const YEAR: i128 = 365 * DAY;

    #[rstest]
    #[case(-2, "<invalid>")]
    #[case(-1, "0s")]
    #[case(0, "0s")]
    #[case(119, "119s")]
    #[case(120, "2m")]
    #[case(121, "2m1s")]
    #[case(10 * MINUTE - 1, "9m59s")]
    #[case(10 * MINUTE + 1, "10m")]
    #[case(3 * HOUR - 1, "179m")]
    #[case(3 * HOUR, "3h")]
    #[case(8 * HOUR - 1, "7h59m")]
    #[case(8 * HOUR + MINUTE, "8h")]
    #[case(2 * DAY - 1, "47h")]
    #[case(2 * DAY, "2d")]
    #[case(8 * DAY - 1, "7d23h")]
    #[case(8 * DAY + HOUR, "8d")]
    #[case(2 * YEAR - 1, "729d")]
    #[case(2 * YEAR, "2y")]
    #[case(8 * YEAR - 1, "7y364d")]
    #[case(8 * YEAR + DAY, "8y")]
    #[case(400 * YEAR, "292y")]
    fn table_013_durations(#[case] seconds: i128, #[case] expected: &str) {
        assert_eq!(human(seconds * SECOND), expected);
    }

    #[test]
    fn table_013_fractions_of_seconds_are_truncated() {
        assert_eq!(human(-SECOND * 3 / 2), "0s");
        assert_eq!(human(120 * SECOND - 1), "119s");
    }

    #[rstest]
    #[case("1970-01-01T00:00:00Z", "10s")]
    #[case("1970-01-01T01:00:05.5+01:00", "4s")]
    #[case("1970-01-01T00:00:05,999Z", "4s")]
    #[case("1970-01-01T0:00:05Z", "5s")]
    #[case("1970-01-01T00:00:12Z", "<invalid>")]
    #[case("1969-12-31T23:59:59Z", "11s")]
    #[case("1970-01-01", "<invalid>")]
    #[case("1970-02-29T00:00:00Z", "<invalid>")]
    #[case("1970-01-01T00:00:00", "<invalid>")]
    #[case("1970-01-01T00:00:00z", "<invalid>")]
    #[case("1970-01-01t00:00:00Z", "<invalid>")]
    #[case("1970-01-01T00:00:60Z", "<invalid>")]
    #[case("1970-01-01T00:00:00Z ", "<invalid>")]
    #[case("1970-01-01T00:00:00.Z", "<invalid>")]
    #[case("x", "<invalid>")]
    #[case("", "<unknown>")]
    #[case("null", "<unknown>")]
    #[case("0001-01-01T00:00:00Z", "<unknown>")]
    #[case("0000-02-29T00:00:00Z", "292y")]
    fn table_012_ages(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(cell(text, UNIX_EPOCH + Duration::from_secs(10)), expected);
    }
}
