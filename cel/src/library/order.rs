//! What is less, and what is greater.

use std::cmp::Ordering;

use super::{Overload, row};
use crate::value::{Evaluated, Value, compare};

pub(super) const OVERLOADS: &[Overload] = &[
    row("_<_", "less_bool", "(bool, bool) -> bool", less),
    row("_<_", "less_int64", "(int, int) -> bool", less),
    row("_<_", "less_int64_double", "(int, double) -> bool", less),
    row("_<_", "less_int64_uint64", "(int, uint) -> bool", less),
    row("_<_", "less_uint64", "(uint, uint) -> bool", less),
    row("_<_", "less_uint64_double", "(uint, double) -> bool", less),
    row("_<_", "less_uint64_int64", "(uint, int) -> bool", less),
    row("_<_", "less_double", "(double, double) -> bool", less),
    row("_<_", "less_double_int64", "(double, int) -> bool", less),
    row("_<_", "less_double_uint64", "(double, uint) -> bool", less),
    row("_<_", "less_string", "(string, string) -> bool", less),
    row("_<_", "less_bytes", "(bytes, bytes) -> bool", less),
    row("_<_", "less_timestamp", "(timestamp, timestamp) -> bool", less),
    row("_<_", "less_duration", "(duration, duration) -> bool", less),
    row("_<=_", "less_equals_bool", "(bool, bool) -> bool", less_or_equal),
    row("_<=_", "less_equals_int64", "(int, int) -> bool", less_or_equal),
    row("_<=_", "less_equals_int64_double", "(int, double) -> bool", less_or_equal),
    row("_<=_", "less_equals_int64_uint64", "(int, uint) -> bool", less_or_equal),
    row("_<=_", "less_equals_uint64", "(uint, uint) -> bool", less_or_equal),
    row("_<=_", "less_equals_uint64_double", "(uint, double) -> bool", less_or_equal),
    row("_<=_", "less_equals_uint64_int64", "(uint, int) -> bool", less_or_equal),
    row("_<=_", "less_equals_double", "(double, double) -> bool", less_or_equal),
    row("_<=_", "less_equals_double_int64", "(double, int) -> bool", less_or_equal),
    row("_<=_", "less_equals_double_uint64", "(double, uint) -> bool", less_or_equal),
    row("_<=_", "less_equals_string", "(string, string) -> bool", less_or_equal),
    row("_<=_", "less_equals_bytes", "(bytes, bytes) -> bool", less_or_equal),
    row("_<=_", "less_equals_timestamp", "(timestamp, timestamp) -> bool", less_or_equal),
    row("_<=_", "less_equals_duration", "(duration, duration) -> bool", less_or_equal),
    row("_>_", "greater_bool", "(bool, bool) -> bool", greater),
    row("_>_", "greater_int64", "(int, int) -> bool", greater),
    row("_>_", "greater_int64_double", "(int, double) -> bool", greater),
    row("_>_", "greater_int64_uint64", "(int, uint) -> bool", greater),
    row("_>_", "greater_uint64", "(uint, uint) -> bool", greater),
    row("_>_", "greater_uint64_double", "(uint, double) -> bool", greater),
    row("_>_", "greater_uint64_int64", "(uint, int) -> bool", greater),
    row("_>_", "greater_double", "(double, double) -> bool", greater),
    row("_>_", "greater_double_int64", "(double, int) -> bool", greater),
    row("_>_", "greater_double_uint64", "(double, uint) -> bool", greater),
    row("_>_", "greater_string", "(string, string) -> bool", greater),
    row("_>_", "greater_bytes", "(bytes, bytes) -> bool", greater),
    row("_>_", "greater_timestamp", "(timestamp, timestamp) -> bool", greater),
    row("_>_", "greater_duration", "(duration, duration) -> bool", greater),
    row("_>=_", "greater_equals_bool", "(bool, bool) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_int64", "(int, int) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_int64_double", "(int, double) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_int64_uint64", "(int, uint) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_uint64", "(uint, uint) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_uint64_double", "(uint, double) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_uint64_int64", "(uint, int) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_double", "(double, double) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_double_int64", "(double, int) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_double_uint64", "(double, uint) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_string", "(string, string) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_bytes", "(bytes, bytes) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_timestamp", "(timestamp, timestamp) -> bool", greater_or_equal),
    row("_>=_", "greater_equals_duration", "(duration, duration) -> bool", greater_or_equal),
];

fn less(arguments: &[Value]) -> Evaluated {
    ordered(arguments, Ordering::is_lt)
}

fn less_or_equal(arguments: &[Value]) -> Evaluated {
    ordered(arguments, Ordering::is_le)
}

fn greater(arguments: &[Value]) -> Evaluated {
    ordered(arguments, Ordering::is_gt)
}

fn greater_or_equal(arguments: &[Value]) -> Evaluated {
    ordered(arguments, Ordering::is_ge)
}

fn ordered(arguments: &[Value], is_so: fn(Ordering) -> bool) -> Evaluated {
    compare(&arguments[0], &arguments[1]).map(|order| Value::Bool(is_so(order)))
}
