//! Parts of timestamps and durations.

use super::{Overload, row};

pub(super) const OVERLOADS: &[Overload] = &[
    row("getFullYear", "timestamp_to_year", "timestamp.() -> int"),
    row("getFullYear", "timestamp_to_year_with_tz", "timestamp.(string) -> int"),
    row("getMonth", "timestamp_to_month", "timestamp.() -> int"),
    row("getMonth", "timestamp_to_month_with_tz", "timestamp.(string) -> int"),
    row("getDayOfYear", "timestamp_to_day_of_year", "timestamp.() -> int"),
    row("getDayOfYear", "timestamp_to_day_of_year_with_tz", "timestamp.(string) -> int"),
    row("getDate", "timestamp_to_day_of_month_1_based", "timestamp.() -> int"),
    row("getDate", "timestamp_to_day_of_month_1_based_with_tz", "timestamp.(string) -> int"),
    row("getDayOfMonth", "timestamp_to_day_of_month", "timestamp.() -> int"),
    row("getDayOfMonth", "timestamp_to_day_of_month_with_tz", "timestamp.(string) -> int"),
    row("getDayOfWeek", "timestamp_to_day_of_week", "timestamp.() -> int"),
    row("getDayOfWeek", "timestamp_to_day_of_week_with_tz", "timestamp.(string) -> int"),
    row("getHours", "timestamp_to_hours", "timestamp.() -> int"),
    row("getHours", "timestamp_to_hours_with_tz", "timestamp.(string) -> int"),
    row("getHours", "duration_to_hours", "duration.() -> int"),
    row("getMinutes", "timestamp_to_minutes", "timestamp.() -> int"),
    row("getMinutes", "timestamp_to_minutes_with_tz", "timestamp.(string) -> int"),
    row("getMinutes", "duration_to_minutes", "duration.() -> int"),
    row("getSeconds", "timestamp_to_seconds", "timestamp.() -> int"),
    row("getSeconds", "timestamp_to_seconds_tz", "timestamp.(string) -> int"),
    row("getSeconds", "duration_to_seconds", "duration.() -> int"),
    row("getMilliseconds", "timestamp_to_milliseconds", "timestamp.() -> int"),
    row("getMilliseconds", "timestamp_to_milliseconds_with_tz", "timestamp.(string) -> int"),
    row("getMilliseconds", "duration_to_milliseconds", "duration.() -> int"),
];
