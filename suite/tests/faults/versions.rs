//! Faults in the order of versions.

use std::cmp::Ordering;

use crdible_semantics::{
    Upstream,
    versions::{KubeVersion, Stability},
};

use crate::table::{Fault, Finder};

const ORDER: &[&str] =
    &["VER-001", "VER-002", "VER-003", "VER-004", "VER-005", "DISC-002", "DISC-003", "INV-037", "INV-038"];

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "sorts-versions-as-text",
        wrong: "versions are sorted as plain text",
        target: wrong!(VersionOrder {
            fn compare_versions(&self, a: &str, b: &str) -> Ordering {
                a.cmp(b)
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "puts-alpha-before-beta",
        wrong: "alpha counts as more stable than beta",
        target: wrong!(VersionOrder {
            fn compare_stability(&self, a: Stability, b: Stability) -> Ordering {
                let rank = |stability| match stability {
                    Stability::GenerallyAvailable => 0,
                    Stability::Alpha => 1,
                    Stability::Beta => 2,
                };
                rank(a).cmp(&rank(b))
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison", "ver-003-ties"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ignores-the-minor-number",
        wrong: "v1beta1 and v1beta2 stand as they come",
        target: wrong!(VersionOrder {
            fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
                self.compare_stability(a.stability, b.stability).then(b.major.cmp(&a.major))
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "sorts-minor-numbers-upwards",
        wrong: "v1beta1 stands before v1beta2",
        target: wrong!(VersionOrder {
            fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
                self.compare_stability(a.stability, b.stability).then(b.major.cmp(&a.major)).then(a.minor.cmp(&b.minor))
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-major-numbers-as-text",
        wrong: "v10 stands after v2",
        target: wrong!(VersionOrder {
            fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
                let majors = b.major.to_string().cmp(&a.major.to_string());
                self.compare_stability(a.stability, b.stability).then(majors).then(b.minor.cmp(&a.minor))
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "major-before-stability",
        wrong: "v2alpha1 stands before v1",
        target: wrong!(VersionOrder {
            fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
                b.major.cmp(&a.major).then(self.compare_stability(a.stability, b.stability)).then(b.minor.cmp(&a.minor))
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-beta-without-a-number",
        wrong: "v1beta counts as v1beta0",
        target: wrong!(VersionOrder {
            fn parse_version(&self, text: &str) -> Option<KubeVersion> {
                Upstream.parse_version(text).or_else(|| Upstream.parse_version(&format!("{text}0")).filter(|version| version.minor == 0))
            }
        }),
        requirements: ORDER,
        properties: &["ver-001-kube-like-form"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "refuses-leading-zeros",
        wrong: "v01 does not count as a version",
        target: wrong!(VersionOrder {
            fn parse_version(&self, text: &str) -> Option<KubeVersion> {
                let zero = text.match_indices('0').any(|(at, _)| {
                    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
                    !digit(text.as_bytes()[..at].last()) && digit(text.as_bytes().get(at + 1))
                });
                if zero { None } else { Upstream.parse_version(text) }
            }
        }),
        requirements: ORDER,
        properties: &["ver-003-ties"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "saturates-large-numbers",
        wrong: "v99999999999999999999 counts as a version with the largest number",
        target: wrong!(VersionOrder {
            fn parse_version(&self, text: &str) -> Option<KubeVersion> {
                let digits = text.strip_prefix('v')?;
                if digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    let major = digits.parse().unwrap_or(i64::MAX);
                    return Some(KubeVersion { stability: Stability::GenerallyAvailable, major, minor: 0 });
                }
                Upstream.parse_version(text)
            }
        }),
        requirements: ORDER,
        properties: &["ver-001-kube-like-form"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "sorts-other-names-downwards",
        wrong: "names that are no Kubernetes versions stand in the wrong order",
        target: wrong!(VersionOrder {
            fn compare_other_versions(&self, a: &str, b: &str) -> Ordering {
                b.cmp(a)
            }
        }),
        requirements: ORDER,
        properties: &["ver-002-comparison"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "sorts-in-one-pass",
        wrong: "neighbours are compared once, so two names are sorted and three are not",
        target: wrong!(VersionOrder {
            fn sort_versions(&self, versions: &mut [String]) {
                for at in 1..versions.len() {
                    if self.compare_versions(&versions[at - 1], &versions[at]) == Ordering::Greater {
                        versions.swap(at - 1, at);
                    }
                }
            }
        }),
        requirements: ORDER,
        properties: &["inv-038-total-order", "ver-002-comparison"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
];
