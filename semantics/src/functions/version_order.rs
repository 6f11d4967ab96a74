//! The order of versions.

use std::cmp::Ordering;

use super::AsSemantics;
use crate::versions::{self, KubeVersion, Stability};

/// The priority of versions (chapter 8.1).
///
/// The order is a total preorder of all strings. Only two spellings of one version (`v1`, `v01`) are equal (VER-003).
pub trait VersionOrder: AsSemantics {
    /// Compares two versions. `Less` means that `a` has the higher priority, so that it is sorted first (VER-002).
    fn compare_versions(&self, a: &str, b: &str) -> Ordering {
        versions::compare(self.as_semantics(), a, b)
    }

    /// Parses a kube-like version (VER-001).
    fn parse_version(&self, text: &str) -> Option<KubeVersion> {
        versions::parse(text)
    }

    /// Compares two kube-like versions. `Less` means that `a` is higher (VER-002 b).
    fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
        let by_stability = self.compare_stability(a.stability, b.stability);
        by_stability.then(b.major.cmp(&a.major)).then(b.minor.cmp(&a.minor))
    }

    /// Compares two stability classes. `Less` means that `a` is more stable.
    fn compare_stability(&self, a: Stability, b: Stability) -> Ordering {
        a.cmp(&b)
    }

    /// Compares two versions that are not kube-like (VER-002 c).
    fn compare_other_versions(&self, a: &str, b: &str) -> Ordering {
        a.cmp(b)
    }

    /// Sorts versions, the highest priority first (VER-002).
    fn sort_versions(&self, versions: &mut [String]) {
        versions.sort_by(|a, b| self.compare_versions(a, b));
    }
}
