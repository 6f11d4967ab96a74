//! Faults in deprecation warnings of versions.

use std::cmp::Ordering;

use crdible_semantics::{definition::Version, with};
use http::{HeaderValue, header};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const DEPRECATION: &[&str] = &["VER-009", "VER-011", "VER-012", "VER-013", "INV-046"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("warns-of-no-deprecation", "answers at a deprecated version have no warning")
        .breaks(DEPRECATION, &["ver-011-deprecation", "ver-013-header-mechanics"])
        .semantics(with::deprecation_warning(|_, _, _| None)),
    obvious_fault("warns-of-every-version", "answers at versions that are not deprecated have a deprecation warning")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .semantics(with::deprecation_warning(|_, spec, version| {
            correct().deprecation_warning(spec, &Version { deprecated: true, ..version.clone() })
        })),
    fault("recommends-unserved-versions", "the warning recommends a version that is not served")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .semantics(with::deprecation_warning(|_, spec, version| {
            let mut spec = spec.clone();
            spec.versions.iter_mut().for_each(|version| version.served = true);
            correct().deprecation_warning(&spec, version)
        })),
    fault("recommends-deprecated-versions", "the warning recommends a deprecated version")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .semantics(with::deprecation_warning(|_, spec, version| {
            let mut spec = spec.clone();
            spec.versions.iter_mut().for_each(|version| version.deprecated = false);
            correct().deprecation_warning(&spec, version)
        })),
    fault("recommends-versions-of-equal-rank", "the warning for v2 recommends v02")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .by_example_only()
        .semantics(with::deprecation_warning(|semantics, spec, version| {
            let warning = correct().deprecation_warning(spec, version)?;
            let ties = |other: &&Version| {
                other.name != version.name
                    && other.served
                    && !other.deprecated
                    && semantics.compare_versions(&other.name, &version.name) == Ordering::Equal
            };
            match spec.versions.iter().find(ties) {
                Some(other) if version.deprecation_warning.is_none() && !warning.contains("; use ") => {
                    Some(format!("{warning}; use {}/{} {}", spec.group, other.name, spec.names.kind))
                }
                _ => Some(warning),
            }
        })),
    fault("warns-on-success-only", "errors at a deprecated version have no warning")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .answers(|_, answer| {
            if !answer.is_success() {
                answer.remove_warnings("");
            }
        }),
    fault("warns-not-of-what-is-missing", "a 404 at a deprecated version has no warning")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .answers(|_, answer| {
            if answer.head.status == 404 {
                answer.remove_warnings("");
            }
        }),
    fault("warns-not-of-what-is-invalid", "a 422 at a deprecated version has no warning")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .answers(|_, answer| {
            if answer.head.status == 422 {
                answer.remove_warnings("");
            }
        }),
    fault("puts-the-deprecation-warning-last", "the deprecation warning comes after warnings about fields")
        .breaks(&["VER-013"], &["ver-013-header-mechanics"])
        .answers(|_, answer| {
            let mut warnings: Vec<HeaderValue> = answer.head.headers.get_all(header::WARNING).iter().cloned().collect();
            if warnings.len() > 1 {
                warnings.rotate_left(1);
                answer.remove_warnings("");
                answer.head.headers.extend(warnings.into_iter().map(|warning| (header::WARNING, warning)));
            }
        }),
];
