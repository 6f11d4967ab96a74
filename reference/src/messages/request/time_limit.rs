//! The time limit of a request (CONV-008).

use std::time::{Duration, Instant};

use super::Query;

/// The limit of a request that states none, and the highest that one can state.
const LONGEST: Duration = Duration::from_secs(60);

/// Until when a request that begins now has to be answered.
pub(crate) fn deadline(query: &Query) -> Instant {
    let stated = duration(query.text("timeout")).filter(|stated| !stated.is_zero());
    Instant::now() + stated.map_or(LONGEST, |stated| stated.min(LONGEST))
}

/// A positive duration as Go writes it: `1m30.5s`. `None` for anything else.
fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    if rest.is_empty() {
        return None;
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let number = rest.find(|next: char| !next.is_ascii_digit() && next != '.')?;
        let unit = rest[number..].find(|next: char| next.is_ascii_digit() || next == '.');
        let (unit, next) = rest[number..].split_at(unit.unwrap_or(rest.len() - number));
        let factor = match unit {
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        seconds += rest[..number].parse::<f64>().ok()? * factor;
        rest = next;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::duration;

    #[rstest]
    #[case("1s", Some(1000))]
    #[case("1m30.5s", Some(90_500))]
    #[case("250ms", Some(250))]
    #[case("+2h", Some(7_200_000))]
    #[case("", None)]
    #[case("1", None)]
    #[case("s", None)]
    #[case("-1s", None)]
    #[case("1d", None)]
    #[case("999999999999999999999999h", None)]
    fn durations_as_go_writes_them(#[case] text: &str, #[case] expected: Option<u128>) {
        assert_eq!(duration(text).map(|duration| duration.as_millis()), expected);
    }
}
