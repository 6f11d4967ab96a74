//! Answers of probes (`/readyz`, `/livez`, `/healthz`). A server that answers is healthy.

use std::fmt::Write as _;

use crate::messages::answer::Answer;
use crate::messages::request::{CHECKS, Health, Query};

/// `ok`, or the list of checks if the query asks for it.
pub(crate) fn answer(health: Health, query: &Query) -> Answer {
    let Health::Probe(probe) = health else {
        return Answer::text(200, "ok");
    };
    if !query.has("verbose") {
        return Answer::text(200, "ok");
    }
    let mut report = String::new();
    let (excluded, unknown): (Vec<&str>, Vec<&str>) = query.all("exclude").partition(|name| CHECKS.contains(name));
    for check in CHECKS {
        let excluded = if excluded.contains(&check) { " excluded:" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(report, "[+]{check}{excluded} ok");
    }
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.iter().map(|name| format!("{name:?}")).collect();
        let _ = writeln!(report, "warn: some health checks cannot be excluded: no matches for {}", names.join(", "));
    }
    let _ = writeln!(report, "{probe} check passed");
    Answer::text(200, report)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case::quiet(Health::Probe("readyz"), "exclude=ping", "ok")]
    #[case::verbose(Health::Probe("livez"), "verbose", "[+]ping ok\n[+]log ok\nlivez check passed\n")]
    #[case::verbose_with_any_value(
        Health::Probe("livez"),
        "verbose=false",
        "[+]ping ok\n[+]log ok\nlivez check passed\n"
    )]
    #[case::excluded(
        Health::Probe("readyz"),
        "verbose&exclude=ping",
        "[+]ping excluded: ok\n[+]log ok\nreadyz check passed\n"
    )]
    #[case::unknown(
        Health::Probe("readyz"),
        "verbose&exclude=x",
        "[+]ping ok\n[+]log ok\nwarn: some health checks cannot be excluded: no matches for \"x\"\nreadyz check passed\n"
    )]
    #[case::one_check(Health::Check, "verbose", "ok")]
    fn answers(#[case] health: Health, #[case] query: &str, #[case] expected: &str) {
        let answer = answer(health, &Query::parse(query));
        assert_eq!((answer.code, &*answer.body.whole()), (200, expected.as_bytes()));
    }
}
