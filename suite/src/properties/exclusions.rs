//! What no property asserts, and why: the other half of `list --coverage`.

use super::{conversion, defaulting, definitions, pruning, ratcheting, structural, values, versions};

/// Everything that is left out: a requirement, an edge, or a whole prefix (`CEL`), with the reason.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        LATER,
        definitions::exclusions::EXCLUSIONS,
        structural::exclusions::EXCLUSIONS,
        pruning::exclusions::EXCLUSIONS,
        defaulting::exclusions::EXCLUSIONS,
        values::exclusions::EXCLUSIONS,
        ratcheting::exclusions::EXCLUSIONS,
        versions::exclusions::EXCLUSIONS,
        conversion::exclusions::EXCLUSIONS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Why a requirement is left out, if it is.
pub fn reason(requirement: &str) -> Option<&'static str> {
    let prefix = requirement.split('-').next().unwrap_or(requirement);
    let exact = all().find(|(scope, _)| *scope == requirement);
    exact.or_else(|| all().find(|(scope, _)| *scope == prefix)).map(|(_, reason)| reason)
}

/// Chapters whose turn has not come.
const LATER: &[(&str, &str)] = &[
    ("CEL", "rules need a CEL implementation, which comes as a crate of its own"),
    ("SUB", WHOLE_SERVER),
    ("REST", WHOLE_SERVER),
    ("DISC", WHOLE_SERVER),
    ("OAPI", WHOLE_SERVER),
    ("TABLE", WHOLE_SERVER),
    ("FSEL", WHOLE_SERVER),
    ("LIFE", WHOLE_SERVER),
    ("ADM", "admission needs webhooks, which come later"),
    ("LEGACY", "v1beta1 can no longer be had over HTTP"),
    ("INV", "an invariant of a chapter whose properties come later"),
];

const WHOLE_SERVER: &str = "comes with the whole API as properties";
