//! The order of versions.

use std::cmp::Ordering;

use crate::{
    Semantics,
    versions::{self, KubeVersion, Stability},
};

area! {
    /// The priority of versions (chapter 8.1).
    ///
    /// The order is a total preorder of all strings. Only two spellings of one version (`v1`, `v01`) are equal
    /// (VER-003).
    pub struct VersionOrder as version_order;

    /// Compares two versions. `Less` means that `a` has the higher priority, so that it is sorted first (VER-002).
    fn compare_versions(&self, a: &str, b: &str) -> Ordering = versions::compare;
    /// Parses a kube-like version (VER-001).
    fn parse_version(text: &str) -> Option<KubeVersion> = versions::parse;
    /// Compares two kube-like versions. `Less` means that `a` is higher (VER-002 b).
    fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering = compare_kube_versions;
    /// Compares two stability classes. `Less` means that `a` is more stable.
    fn compare_stability(&self, a: Stability, b: Stability) -> Ordering = |_, a, b| a.cmp(&b);
    /// Compares two versions that are not kube-like (VER-002 c).
    fn compare_other_versions(&self, a: &str, b: &str) -> Ordering = |_, a, b| a.cmp(b);
    /// Sorts versions, the highest priority first (VER-002).
    fn sort_versions(&self, versions: &mut [String]) =
        |semantics, versions| versions.sort_by(|a, b| semantics.compare_versions(a, b));
}

fn compare_kube_versions(semantics: &Semantics, a: KubeVersion, b: KubeVersion) -> Ordering {
    let by_stability = semantics.compare_stability(a.stability, b.stability);
    by_stability.then(b.major.cmp(&a.major)).then(b.minor.cmp(&a.minor))
}
