//! What no property asserts in chapter 7, and why.

const LATER: &str = "no property is about this yet";
const QUIRK: &str = "a quirk of kube-apiserver: neither required nor forbidden";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("CEL-001/e1", LATER),
    ("CEL-002", LATER),
    ("CEL-003", LATER),
    ("CEL-004", LATER),
    ("CEL-005", LATER),
    ("CEL-006", LATER),
    ("CEL-007", LATER),
    ("CEL-008", LATER),
    ("CEL-009", LATER),
    ("CEL-010", LATER),
    ("CEL-011", LATER),
    ("CEL-012", LATER),
    ("CEL-013", LATER),
    ("CEL-014", LATER),
    ("CEL-015", LATER),
    ("CEL-017", LATER),
    ("CEL-020/e2", QUIRK),
    ("CEL-022", LATER),
    ("CEL-024/e1", LATER),
    ("CEL-025", LATER),
    ("CEL-033/e2", QUIRK),
    ("CEL-035/e2", QUIRK),
    ("CEL-038", LATER),
    ("CEL-039", LATER),
    ("CEL-040", LATER),
    ("CEL-044/e1", "is about tests, not about servers"),
    ("CEL-041", "needs a stored definition whose rules are over the limits, which cannot be created over HTTP"),
];
