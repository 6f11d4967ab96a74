//! The approval annotation of definitions in protected groups: CRDVAL-055.

use crdible_semantics::{
    Cause,
    Reason::{Invalid, Required},
};
use serde_json::Value;

use super::{
    Causes,
    Part::Identity,
    Variation,
    edits::{approval, group},
};

const APPROVAL: &str = "metadata.annotations[api-approved.kubernetes.io]";
const MISSING: Causes = &[Cause::of(APPROVAL, Required)];
const INVALID: Causes = &[Cause::of(APPROVAL, Invalid)];

/// A protected group with this approval.
fn protected(document: &mut Value, text: &str) {
    group(document, "crdible.k8s.io");
    approval(document, text);
}

pub(super) static VARIATIONS: &[Variation] = &[
    Identity.refused("no-approval", &["CRDVAL-055"], |d, _| group(d, "crdible.k8s.io"), MISSING),
    Identity.refused("no-approval-of-the-domain", &["CRDVAL-055"], |d, _| group(d, "kubernetes.io"), MISSING),
    Identity.refused("no-approval-far-below", &["CRDVAL-055"], |d, _| group(d, "a.b.c.kubernetes.io"), MISSING),
    Identity.refused(
        "empty-approval",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "k8s.io");
            approval(d, "");
        },
        MISSING,
    ),
    Identity.refused("approval-that-is-no-url", &["CRDVAL-055"], |d, _| protected(d, "maybe"), INVALID),
    Identity.refused("upper-case-disapproval", &["CRDVAL-055/e1"], |d, _| protected(d, "Unapproved"), INVALID),
    Identity.refused("disapproval-behind-a-blank", &["CRDVAL-055/e1"], |d, _| protected(d, " unapproved"), INVALID),
    Identity.refused("approval-without-a-host", &["CRDVAL-055"], |d, _| protected(d, "mailto:someone"), INVALID),
    Identity.refused("approval-without-a-scheme", &["CRDVAL-055"], |d, _| protected(d, "//example.com/1"), INVALID),
    Identity.legal("approved", &["CRDVAL-055"], |d, _| protected(d, "https://example.com/1")),
    Identity.legal("approved-by-any-scheme", &["CRDVAL-055/e1"], |d, _| {
        group(d, "crdible.kubernetes.io");
        approval(d, "ftp://a");
    }),
    Identity.legal("unapproved", &["CRDVAL-055"], |d, _| protected(d, "unapproved, an experiment")),
    Identity.legal("group-that-only-ends-alike", &["CRDVAL-055/e1"], |d, _| group(d, "example-k8s.io")),
    Identity.legal("annotation-of-another-group", &["CRDVAL-055/e2"], |d, _| {
        group(d, "k8s.io.crdible.dev");
        approval(d, "maybe");
    }),
];
