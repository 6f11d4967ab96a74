//! What no property asserts in chapter 7, and why.

const QUIRK: &str = "a quirk of kube-apiserver: neither required nor forbidden";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("CEL-001/e4", QUIRK),
    ("CEL-005/e2", QUIRK),
    ("CEL-007/e3", QUIRK),
    ("CEL-008/e1", QUIRK),
    ("CEL-009/e2", QUIRK),
    ("CEL-009/e3", QUIRK),
    ("CEL-010", "needs a stored definition with rules that a new one may not have, which cannot be created over HTTP"),
    ("CEL-015/e2", QUIRK),
    ("CEL-016/e2", QUIRK),
    ("CEL-020/e2", QUIRK),
    ("CEL-033/e2", QUIRK),
    ("CEL-035/e2", QUIRK),
    ("CEL-044/e1", "is about tests, not about servers"),
    ("CEL-041", "needs a stored definition whose rules are over the limits, which cannot be created over HTTP"),
];
