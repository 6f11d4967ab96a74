//! What no property asserts, and why: the second part of `list --coverage`.

use super::{
    conversion, defaulting, definitions, discovery, field_selectors, lifecycle, openapi, pruning, ratcheting, requests,
    structural, subresources, tables, values, versions,
};

/// Everything excluded: a requirement, an edge, or a whole prefix (`CEL`), with the reason.
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
        subresources::exclusions::EXCLUSIONS,
        requests::exclusions::EXCLUSIONS,
        lifecycle::exclusions::EXCLUSIONS,
        discovery::exclusions::EXCLUSIONS,
        tables::exclusions::EXCLUSIONS,
        field_selectors::exclusions::EXCLUSIONS,
        openapi::exclusions::EXCLUSIONS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Why a requirement is excluded, if it is.
pub fn reason(requirement: &str) -> Option<&'static str> {
    let prefix = requirement.split('-').next().unwrap_or(requirement);
    let exact = all().find(|(scope, _)| *scope == requirement);
    exact.or_else(|| all().find(|(scope, _)| *scope == prefix)).map(|(_, reason)| reason)
}

/// Chapters that are not covered yet.
const LATER: &[(&str, &str)] = &[
    ("CEL", "rules need a CEL implementation, which will be a separate crate"),
    ("ADM", "admission needs webhooks, which are not supported yet"),
    ("LEGACY", "v1beta1 is no longer served over HTTP"),
    ("INV", "an invariant of a chapter that is not covered yet"),
];
