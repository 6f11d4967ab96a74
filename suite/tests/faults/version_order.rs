//! Faults in the order of versions.

use std::cmp::Ordering;

use crdible_semantics::{
    versions::{KubeVersion, Stability},
    with,
};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

const ORDER: &[&str] =
    &["VER-001", "VER-002", "VER-003", "VER-004", "VER-005", "DISC-002", "DISC-003", "INV-037", "INV-038"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("sorts-versions-as-text", "versions are sorted as plain text")
        .breaks(ORDER, &["ver-002-comparison"])
        .semantics(with::compare_versions(|_, a, b| a.cmp(b))),
    obvious_fault("puts-alpha-before-beta", "alpha counts as more stable than beta")
        .breaks(ORDER, &["ver-002-comparison", "ver-003-ties"])
        .semantics(with::compare_stability(|_, a, b| {
            let rank = |stability| match stability {
                Stability::GenerallyAvailable => 0,
                Stability::Alpha => 1,
                Stability::Beta => 2,
            };
            rank(a).cmp(&rank(b))
        })),
    obvious_fault("ignores-the-minor-number", "v1beta1 and v1beta2 are not ordered")
        .breaks(&["VER-002", "VER-005", "DISC-002", "DISC-003"], &["ver-002-comparison"])
        .within_lines(40)
        .semantics(with::compare_kube_versions(|semantics, a, b| {
            semantics.compare_stability(a.stability, b.stability).then(b.major.cmp(&a.major))
        })),
    fault("sorts-minor-numbers-ascending", "v1beta1 comes before v1beta2")
        .breaks(ORDER, &["ver-002-comparison"])
        .semantics(with::compare_kube_versions(|semantics, a, b| {
            semantics
                .compare_stability(a.stability, b.stability)
                .then(b.major.cmp(&a.major))
                .then(a.minor.cmp(&b.minor))
        })),
    fault("compares-major-numbers-as-text", "v10 comes after v2").breaks(ORDER, &["ver-002-comparison"]).semantics(
        with::compare_kube_versions(|semantics, a, b| {
            let majors = b.major.to_string().cmp(&a.major.to_string());
            semantics.compare_stability(a.stability, b.stability).then(majors).then(b.minor.cmp(&a.minor))
        }),
    ),
    obvious_fault("compares-major-numbers-first", "v2alpha1 comes before v1")
        .breaks(ORDER, &["ver-002-comparison"])
        .semantics(with::compare_kube_versions(|semantics, a, b| {
            b.major
                .cmp(&a.major)
                .then(semantics.compare_stability(a.stability, b.stability))
                .then(b.minor.cmp(&a.minor))
        })),
    fault("accepts-beta-without-a-number", "v1beta counts as v1beta0")
        .breaks(ORDER, &["ver-001-kube-like-form"])
        .blamed(&["VER-001"])
        .semantics(with::parse_version(|_, text| {
            correct()
                .parse_version(text)
                .or_else(|| correct().parse_version(&format!("{text}0")).filter(|version| version.minor == 0))
        })),
    fault("rejects-leading-zeros", "v01 does not count as a Kubernetes version")
        .breaks(ORDER, &["ver-003-ties"])
        .blamed(&["VER-003"])
        .semantics(with::parse_version(|_, text| {
            let has_leading_zero = text.match_indices('0').any(|(at, _)| {
                let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
                !digit(text.as_bytes()[..at].last()) && digit(text.as_bytes().get(at + 1))
            });
            if has_leading_zero { None } else { correct().parse_version(text) }
        })),
    fault("saturates-large-numbers", "v99999999999999999999 counts as a Kubernetes version with the largest number")
        .breaks(ORDER, &["ver-001-kube-like-form"])
        .semantics(with::parse_version(|_, text| {
            let digits = text.strip_prefix('v')?;
            if digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                let major = digits.parse().unwrap_or(i64::MAX);
                return Some(KubeVersion { stability: Stability::GenerallyAvailable, major, minor: 0 });
            }
            correct().parse_version(text)
        })),
    obvious_fault("sorts-other-names-descending", "names that are no Kubernetes versions are in descending order")
        .breaks(ORDER, &["ver-002-comparison"])
        .semantics(with::compare_other_versions(|_, a, b| b.cmp(a))),
    fault("sorts-in-one-pass", "neighbours are compared once, so that two versions are sorted and three are not")
        .breaks(
            &["INV-038", "VER-002", "VER-003", "VER-005", "DISC-002", "DISC-003"],
            &["inv-038-total-order", "ver-002-comparison"],
        )
        .within_lines(40)
        .semantics(with::sort_versions(|semantics, versions| {
            for at in 1..versions.len() {
                if semantics.compare_versions(&versions[at - 1], &versions[at]) == Ordering::Greater {
                    versions.swap(at - 1, at);
                }
            }
        })),
];
