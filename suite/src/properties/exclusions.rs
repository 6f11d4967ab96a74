//! What no property asserts, and why: the other half of `list --coverage`.

/// Everything that is left out: a requirement, an edge, or a whole prefix (`CEL`), with the reason.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    [CHAPTERS, super::versions::exclusions::EXCLUSIONS].into_iter().flatten().copied()
}

/// Why a requirement is left out, if it is.
pub fn reason(requirement: &str) -> Option<&'static str> {
    let prefix = requirement.split('-').next().unwrap_or(requirement);
    let exact = all().find(|(scope, _)| *scope == requirement);
    exact.or_else(|| all().find(|(scope, _)| *scope == prefix)).map(|(_, reason)| reason)
}

const CHAPTERS: &[(&str, &str)] = &[];
