//! The order of versions (chapter 8.1).

use std::cmp::Ordering;

use crate::Semantics;

/// The stability class of a version. The variants are in order of priority, highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stability {
    /// `v1`.
    GenerallyAvailable,
    /// `v1beta1`.
    Beta,
    /// `v1alpha1`.
    Alpha,
}

/// A kube-like version (VER-001).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KubeVersion {
    /// The stability class.
    pub stability: Stability,
    /// The number after `v`.
    pub major: i64,
    /// The number after `alpha` or `beta`. 0 for a version that is generally available.
    pub minor: i64,
}

/// Parses `v1` or `v2beta3`. Returns `None` for any other string and for numbers beyond 64 bits (VER-001).
pub fn parse(text: &str) -> Option<KubeVersion> {
    let (major, rest) = number(text.strip_prefix('v')?)?;
    if rest.is_empty() {
        return Some(KubeVersion { stability: Stability::GenerallyAvailable, major, minor: 0 });
    }
    let (stability, digits) = match rest.strip_prefix("beta") {
        Some(digits) => (Stability::Beta, digits),
        None => (Stability::Alpha, rest.strip_prefix("alpha")?),
    };
    let (minor, rest) = number(digits)?;
    rest.is_empty().then_some(KubeVersion { stability, major, minor })
}

/// The number at the start of `text`, and the rest of the string.
fn number(text: &str) -> Option<(i64, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // `parse` rejects the empty string and numbers that are too large.
    Some((digits.parse().ok()?, rest))
}

/// Compares two strings by VER-002. `Less` means that `a` has the higher priority, so that it is sorted first.
pub fn compare(semantics: &Semantics, a: &str, b: &str) -> Ordering {
    match (semantics.parse_version(a), semantics.parse_version(b)) {
        (Some(a), Some(b)) => semantics.compare_kube_versions(a, b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => semantics.compare_other_versions(a, b),
    }
}
