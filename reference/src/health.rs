//! Probes (`/readyz`, `/livez`, `/healthz`) and their checks. A server that answers is healthy.

use std::fmt::Write as _;

use crate::answer::Answer;
use crate::request::Query;

/// The names of the checks: those of upstream's that apply to a server without etcd and controllers.
pub(crate) const CHECKS: [&str; 2] = ["ping", "log"];

/// What a request for a probe asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// The state of the server; holds the path without its slash.
    Probe(&'static str),
    /// A single check, at any probe.
    Check,
}

impl Health {
    /// All probes.
    pub(crate) const PROBES: [&str; 3] = ["healthz", "livez", "readyz"];

    /// Parses a path without its leading slash: `readyz`, `readyz/ping`. Further slashes are significant.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        let is_of =
            |probe: &&str| path.strip_prefix(probe).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let probe = Self::PROBES.into_iter().find(is_of)?;
        match &path[probe.len()..] {
            "" => Some(Self::Probe(probe)),
            check => CHECKS.contains(&check.get(1..)?).then_some(Self::Check),
        }
    }

    /// `ok`, or the list of checks if the query asks for it.
    pub(crate) fn answer(self, query: &Query) -> Answer {
        let Self::Probe(probe) = self else {
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
            let _ =
                writeln!(report, "warn: some health checks cannot be excluded: no matches for {}", names.join(", "));
        }
        let _ = writeln!(report, "{probe} check passed");
        Answer::text(200, report)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("readyz", Some(Health::Probe("readyz")))]
    #[case("livez/ping", Some(Health::Check))]
    #[case("healthz/etcd", None)]
    #[case("readyz/", None)]
    #[case("readyzx", None)]
    fn paths(#[case] path: &str, #[case] expected: Option<Health>) {
        assert_eq!(Health::of_path(path), expected);
    }

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
        let answer = health.answer(&Query::parse(query));
        assert_eq!((answer.code, &*answer.body.whole()), (200, expected.as_bytes()));
    }
}
