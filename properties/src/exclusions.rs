//! What no property asserts, and why: the second part of `list --coverage`.

use super::{
    conversion, defaulting, definitions, discovery, field_selectors, lifecycle, openapi, pruning, ratcheting, requests,
    rules, structural, subresources, tables, values, versions,
};

/// Everything excluded: a requirement, an edge, or a whole prefix (`CEL`), with the reason.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        LATER,
        INVARIANTS,
        definitions::exclusions::EXCLUSIONS,
        structural::exclusions::EXCLUSIONS,
        pruning::exclusions::EXCLUSIONS,
        defaulting::exclusions::EXCLUSIONS,
        values::exclusions::EXCLUSIONS,
        ratcheting::exclusions::EXCLUSIONS,
        rules::exclusions::EXCLUSIONS,
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

const APPLY: &str = "is about server-side apply, which no property uses yet";
const RULES: &str = "no property compares such rules yet";
const ADMISSION: &str = "admission needs webhooks, which are not supported yet";

/// Chapters that are not covered yet.
const LATER: &[(&str, &str)] = &[("ADM", ADMISSION), ("LEGACY", "v1beta1 is no longer served over HTTP")];

/// Invariants that do not belong to the chapter of any folder.
const INVARIANTS: &[(&str, &str)] = &[
    ("INV-022/e1", "kube-apiserver has a defect there (VALUE-047), and no property has CEL rules yet"),
    ("INV-039/e1", "kube-apiserver has a defect there (OAPI-008)"),
    ("INV-042/e1", "says what the webhook of a test does"),
    ("INV-043/e1", "refers to what CONV-021 and CONV-024 say, and to what caches show (CONV-023)"),
    ("INV-077", APPLY),
    ("INV-078", APPLY),
    ("INV-079/e1", APPLY),
    ("INV-080/e1", "refers to a quirk (RATCHET-008)"),
    ("INV-085/e1", "kube-apiserver has two defects there (CEL-012, CEL-018)"),
    ("INV-094/e1", RULES),
    ("INV-105", ADMISSION),
];
