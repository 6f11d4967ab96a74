//! Parts of timestamps and durations.

use super::{Overload, row};
use crate::value::{Evaluated, EvaluationError, Shown, Value};

pub(super) const OVERLOADS: &[Overload] = &[
    row("getFullYear", "timestamp_to_year", "timestamp.() -> int", year),
    row("getFullYear", "timestamp_to_year_with_tz", "timestamp.(string) -> int", year),
    row("getMonth", "timestamp_to_month", "timestamp.() -> int", month),
    row("getMonth", "timestamp_to_month_with_tz", "timestamp.(string) -> int", month),
    row("getDayOfYear", "timestamp_to_day_of_year", "timestamp.() -> int", day_of_year),
    row("getDayOfYear", "timestamp_to_day_of_year_with_tz", "timestamp.(string) -> int", day_of_year),
    row("getDate", "timestamp_to_day_of_month_1_based", "timestamp.() -> int", date),
    row("getDate", "timestamp_to_day_of_month_1_based_with_tz", "timestamp.(string) -> int", date),
    row("getDayOfMonth", "timestamp_to_day_of_month", "timestamp.() -> int", day_of_month),
    row("getDayOfMonth", "timestamp_to_day_of_month_with_tz", "timestamp.(string) -> int", day_of_month),
    row("getDayOfWeek", "timestamp_to_day_of_week", "timestamp.() -> int", day_of_week),
    row("getDayOfWeek", "timestamp_to_day_of_week_with_tz", "timestamp.(string) -> int", day_of_week),
    row("getHours", "timestamp_to_hours", "timestamp.() -> int", hours),
    row("getHours", "timestamp_to_hours_with_tz", "timestamp.(string) -> int", hours),
    row("getHours", "duration_to_hours", "duration.() -> int", hours),
    row("getMinutes", "timestamp_to_minutes", "timestamp.() -> int", minutes),
    row("getMinutes", "timestamp_to_minutes_with_tz", "timestamp.(string) -> int", minutes),
    row("getMinutes", "duration_to_minutes", "duration.() -> int", minutes),
    row("getSeconds", "timestamp_to_seconds", "timestamp.() -> int", seconds),
    row("getSeconds", "timestamp_to_seconds_tz", "timestamp.(string) -> int", seconds),
    row("getSeconds", "duration_to_seconds", "duration.() -> int", seconds),
    row("getMilliseconds", "timestamp_to_milliseconds", "timestamp.() -> int", milliseconds),
    row("getMilliseconds", "timestamp_to_milliseconds_with_tz", "timestamp.(string) -> int", milliseconds),
    row("getMilliseconds", "duration_to_milliseconds", "duration.() -> int", milliseconds),
];

fn year(arguments: &[Value]) -> Evaluated {
    part(arguments, |shown| shown.year)
}

fn month(arguments: &[Value]) -> Evaluated {
    part(arguments, |shown| shown.month - 1)
}

fn day_of_year(arguments: &[Value]) -> Evaluated {
    part(arguments, |shown| shown.day_of_year)
}

fn date(arguments: &[Value]) -> Evaluated {
    part(arguments, |shown| shown.day)
}

fn day_of_month(arguments: &[Value]) -> Evaluated {
    part(arguments, |shown| shown.day - 1)
}

fn day_of_week(arguments: &[Value]) -> Evaluated {
    part(arguments, |shown| shown.weekday)
}

fn hours(arguments: &[Value]) -> Evaluated {
    of_duration(arguments, 3_600_000_000_000).unwrap_or_else(|| part(arguments, |shown| shown.hour))
}

fn minutes(arguments: &[Value]) -> Evaluated {
    of_duration(arguments, 60_000_000_000).unwrap_or_else(|| part(arguments, |shown| shown.minute))
}

fn seconds(arguments: &[Value]) -> Evaluated {
    of_duration(arguments, 1_000_000_000).unwrap_or_else(|| part(arguments, |shown| shown.second))
}

fn milliseconds(arguments: &[Value]) -> Evaluated {
    of_duration(arguments, 1_000_000).unwrap_or_else(|| part(arguments, |shown| shown.millisecond))
}

/// The whole of a duration, in a unit of this number of nanoseconds.
fn of_duration(arguments: &[Value], unit: i64) -> Option<Evaluated> {
    match arguments {
        [Value::Duration(span)] => Some(Ok(Value::Int(span.nanoseconds() / unit))),
        _ => None,
    }
}

/// A part of what a calendar and a clock show: in UTC, or in the time zone that is the second argument.
fn part(arguments: &[Value], of: fn(&Shown) -> i64) -> Evaluated {
    match arguments {
        [Value::Timestamp(moment)] => Ok(Value::Int(of(&moment.shown_at(0)))),
        [Value::Timestamp(moment), Value::String(zone)] => {
            Ok(Value::Int(of(&moment.shown_at(offset(zone, moment.seconds())?))))
        }
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// How far east of UTC a time zone is at a moment, in seconds: `+01:30`, or a name such as `Europe/Berlin`.
fn offset(zone: &str, moment: i64) -> Result<i64, EvaluationError> {
    let Some((hours, minutes)) = zone.split_once(':') else { return named(zone, moment) };
    let (hours, minutes) = (integer(hours)?.wrapping_mul(60), integer(minutes)?);
    let minutes = if zone.starts_with('-') { hours.wrapping_sub(minutes) } else { hours.wrapping_add(minutes) };
    // Upstream counts nanoseconds, which wrap around, and makes seconds of them as a double.
    let nanoseconds = minutes.wrapping_mul(60_000_000_000);
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as upstream does")]
    let seconds = ((nanoseconds / 1_000_000_000) as f64 + (nanoseconds % 1_000_000_000) as f64 / 1e9) as i64;
    Ok(seconds)
}

/// An integer, as Go's `strconv.Atoi` reads it.
fn integer(text: &str) -> Result<i64, EvaluationError> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    text.parse::<i64>().map_err(|error| {
        let why = match error.kind() {
            PosOverflow | NegOverflow => "value out of range",
            _ => "invalid syntax",
        };
        EvaluationError::new(format!("strconv.Atoi: parsing {}: {why}", crdible_text::quoted(text)))
    })
}

/// The same of a named zone, from the files of the machine.
fn named(zone: &str, moment: i64) -> Result<i64, EvaluationError> {
    // Machines of servers show UTC.
    if matches!(zone, "" | "UTC" | "Local") {
        return Ok(0);
    }
    // Its names have capitals.
    let known = jiff::tz::TimeZone::get(zone).ok().filter(|known| known.iana_name() == Some(zone));
    let zone = known.ok_or_else(|| EvaluationError::new(format!("unknown time zone {zone}")))?;
    let moment = jiff::Timestamp::from_second(moment).unwrap_or(jiff::Timestamp::MAX);
    Ok(i64::from(zone.to_offset(moment).seconds()))
}
