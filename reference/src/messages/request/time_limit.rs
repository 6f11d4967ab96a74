//! The time limit of a request (CONV-008, REST-012).

use std::time::{Duration, Instant};

use crdible_semantics::go_text;
use http::Method;

use super::{Call, Query, Route};
use crate::base::status::Failure;

/// The limit of a request that states none, and the highest that one can state.
const LONGEST: Duration = Duration::from_secs(60);

/// Until when a request that begins now has to be answered.
pub(crate) fn deadline(query: &Query) -> Instant {
    let stated = nanoseconds(query.text("timeout")).ok().and_then(|stated| u64::try_from(stated).ok());
    let stated = stated.filter(|stated| *stated > 0).map(Duration::from_nanos);
    Instant::now() + stated.map_or(LONGEST, |stated| stated.min(LONGEST))
}

/// Refuses a time limit that is no duration, whatever the path is. Watches have no time limit.
pub(crate) fn check_time_limit(route: &Route, call: Call<'_>) -> Result<(), Failure> {
    let stated = call.query.text("timeout");
    if stated.is_empty() || is_watch(route, call) {
        return Ok(());
    }
    nanoseconds(stated)
        .map(|_| ())
        .map_err(|why| Failure::bad_request(format!("invalid timeout specified in the request URL - time: {why}")))
}

fn is_watch(route: &Route, call: Call<'_>) -> bool {
    let Route::Resource(path) = route else { return false };
    let is_list = path.name.is_none() && matches!(*call.method, Method::GET | Method::HEAD);
    path.verb.is_some() || (is_list && call.query.flag("watch"))
}

/// A duration as Go reads it, `1m30.5s`, or what is wrong with it in Go's words.
fn nanoseconds(text: &str) -> Result<i64, String> {
    let quoted = go_text::quoted(text);
    let invalid = || format!("invalid duration {quoted}");
    let is_negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut sum: u64 = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), digits);
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = after.find(|next: char| next.is_ascii_digit() || next == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let factor: u64 = match unit {
            "" => return Err(format!("missing unit in duration {quoted}")),
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            unit => return Err(format!("unknown unit {} in duration {quoted}", go_text::quoted(unit))),
        };
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        let part = whole.checked_mul(factor).and_then(|part| part.checked_add(of_fraction(fraction, factor)));
        let longer = part.and_then(|part| sum.checked_add(part)).filter(|sum| *sum <= 1 << 63);
        sum = longer.ok_or_else(invalid)?;
        rest = after;
    }
    let signed = if is_negative { -i128::from(sum) } else { i128::from(sum) };
    i64::try_from(signed).map_err(|_| invalid())
}

/// The digits at the beginning of a text, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|next: char| !next.is_ascii_digit()).unwrap_or(text.len()))
}

/// A decimal fraction of a unit. What is below a nanosecond is dropped.
fn of_fraction(fraction: &str, unit: u64) -> u64 {
    let mut place = unit;
    let digits = fraction.bytes().map(|digit| {
        place /= 10;
        u64::from(digit - b'0') * place
    });
    digits.sum()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::nanoseconds;

    #[rstest]
    #[case("1s", 1_000_000_000)]
    #[case("1m30.5s", 90_500_000_000)]
    #[case("250ms", 250_000_000)]
    #[case("+2h", 7_200_000_000_000)]
    #[case("-1s", -1_000_000_000)]
    #[case("0", 0)]
    #[case(".5us", 500)]
    #[case("1.ns", 1)]
    #[case("-9223372036854775808ns", i64::MIN)]
    fn durations_as_go_reads_them(#[case] text: &str, #[case] expected: i64) {
        assert_eq!(nanoseconds(text), Ok(expected));
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
        assert_eq!(nanoseconds(text), Err(expected.to_owned()));
    }
}
