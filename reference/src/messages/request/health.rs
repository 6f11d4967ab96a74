//! Paths of probes (`/readyz`, `/livez`, `/healthz`) and their checks.

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
}
