//! The approval of definitions in protected groups: CRDVAL-055.

use crdible_semantics::Reason::{self, Invalid, Required};
use serde_json::Value;

use super::{
    Part, Variation,
    edits::{approval, group},
};

const fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Identity, edit, causes)
}

const fn legal(name: &'static str, asserts: &'static [&'static str], edit: fn(&mut Value, usize)) -> Variation {
    Variation::legal(name, asserts, Part::Identity, edit)
}

const APPROVAL: &str = "metadata.annotations[api-approved.kubernetes.io]";

pub(super) static VARIATIONS: &[Variation] = &[
    refused("no-approval", &["CRDVAL-055"], |d, _| group(d, "crdible.k8s.io"), &[(APPROVAL, Required)]),
    refused("no-approval-of-the-domain", &["CRDVAL-055"], |d, _| group(d, "kubernetes.io"), &[(APPROVAL, Required)]),
    refused("no-approval-far-below", &["CRDVAL-055"], |d, _| group(d, "a.b.c.kubernetes.io"), &[(APPROVAL, Required)]),
    refused(
        "empty-approval",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "k8s.io");
            approval(d, "");
        },
        &[(APPROVAL, Required)],
    ),
    refused(
        "approval-that-is-no-url",
        &["CRDVAL-055"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "maybe");
        },
        &[(APPROVAL, Invalid)],
    ),
    refused(
        "upper-case-disapproval",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "Unapproved");
        },
        &[(APPROVAL, Invalid)],
    ),
    refused(
        "disapproval-behind-a-blank",
        &["CRDVAL-055/e1"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, " unapproved");
        },
        &[(APPROVAL, Invalid)],
    ),
    refused(
        "approval-without-a-host",
        &["CRDVAL-055"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "mailto:somebody");
        },
        &[(APPROVAL, Invalid)],
    ),
    refused(
        "approval-without-a-scheme",
        &["CRDVAL-055"],
        |d, _| {
            group(d, "crdible.k8s.io");
            approval(d, "//example.com/1");
        },
        &[(APPROVAL, Invalid)],
    ),
    legal("approved", &["CRDVAL-055"], |d, _| {
        group(d, "crdible.k8s.io");
        approval(d, "https://example.com/1");
    }),
    legal("approved-by-any-scheme", &["CRDVAL-055/e1"], |d, _| {
        group(d, "crdible.kubernetes.io");
        approval(d, "ftp://a");
    }),
    legal("unapproved", &["CRDVAL-055"], |d, _| {
        group(d, "crdible.k8s.io");
        approval(d, "unapproved, an experiment");
    }),
    legal("group-that-only-ends-alike", &["CRDVAL-055/e1"], |d, _| group(d, "example-k8s.io")),
    legal("annotation-of-another-group", &["CRDVAL-055/e2"], |d, _| {
        group(d, "k8s.io.crdible.dev");
        approval(d, "maybe");
    }),
];
