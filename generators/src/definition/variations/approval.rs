//! The approval annotation of definitions in protected groups: CRDVAL-055.

use crdible_semantics::{
    Cause,
    Reason::{Invalid, Required},
};

use super::{
    Part::Identity,
    Variation,
    edits::{approval, group},
};

const APPROVAL: &str = "metadata.annotations[api-approved.kubernetes.io]";

pub(super) static VARIATIONS: &[Variation] = &[
    Identity.refused(
        "no-approval",
        &["CRDVAL-055"],
        |d, _| group(d, "crdible.k8s.io"),
        &[Cause::of(APPROVAL, Required)],
    ),
    Identity.refused(
        "no-approval-of-the-domain",
        &["CRDVAL-055"],
        |d, _| group(d, "kubernetes.io"),
        &[Cause::of(APPROVAL, Required)],
    ),
    Identity.refused(
        "no-approval-far-below",
        &["CRDVAL-055"],
        |d, _| group(d, "a.b.c.kubernetes.io"),
        &[Cause::of(APPROVAL, Required)],
    ),
    Identity.refused(
        "empty-approval",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "k8s.io");
            approval(d, "");
        },
        &[Cause::of(APPROVAL, Required)],
    ),
    Identity.refused(
        "approval-that-is-no-url",
        &["CRDVAL-055"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "maybe");
        },
        &[Cause::of(APPROVAL, Invalid)],
    ),
    Identity.refused(
        "upper-case-disapproval",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "Unapproved");
        },
        &[Cause::of(APPROVAL, Invalid)],
    ),
    Identity.refused(
        "disapproval-behind-a-blank",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, " unapproved");
        },
        &[Cause::of(APPROVAL, Invalid)],
    ),
    Identity.refused(
        "approval-without-a-host",
        &["CRDVAL-055"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "mailto:someone");
        },
        &[Cause::of(APPROVAL, Invalid)],
    ),
    Identity.refused(
        "approval-without-a-scheme",
        &["CRDVAL-055"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "//example.com/1");
        },
        &[Cause::of(APPROVAL, Invalid)],
    ),
    Identity.legal("approved", &["CRDVAL-055"], |d, _| {
        group(d, "crdible.k8s.io");
        approval(d, "https://example.com/1");
    }),
    Identity.legal("approved-by-any-scheme", &["CRDVAL-055/e1"], |d, _| {
        group(d, "crdible.kubernetes.io");
        approval(d, "ftp://a");
    }),
    Identity.legal("unapproved", &["CRDVAL-055"], |d, _| {
        group(d, "crdible.k8s.io");
        approval(d, "unapproved, an experiment");
    }),
    Identity.legal("group-that-only-ends-alike", &["CRDVAL-055/e1"], |d, _| group(d, "example-k8s.io")),
    Identity.legal("annotation-of-another-group", &["CRDVAL-055/e2"], |d, _| {
        group(d, "k8s.io.crdible.dev");
        approval(d, "maybe");
    }),
];
