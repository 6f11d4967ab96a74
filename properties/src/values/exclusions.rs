//! What no property asserts in chapter 5, and why.

const QUIRK: &str = "a quirk of kube-apiserver: neither required nor forbidden";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("VALUE-003/e2", QUIRK),
    ("VALUE-005/e2", QUIRK),
    ("VALUE-007/e2", QUIRK),
    ("VALUE-008/e1", "is about tests, not about servers"),
    ("VALUE-010/e1", QUIRK),
    ("VALUE-011/e2", QUIRK),
    ("VALUE-014/e2", QUIRK),
    ("VALUE-015/e1", "refers to the quirks of VALUE-045"),
    ("VALUE-018/e2", QUIRK),
    ("VALUE-020/e1", QUIRK),
    ("VALUE-028/e1", QUIRK),
    ("VALUE-037/e1", QUIRK),
    ("VALUE-038/e2", QUIRK),
    ("VALUE-042/e1", QUIRK),
    ("VALUE-045", QUIRK),
    ("VALUE-046", QUIRK),
    ("VALUE-046/e1", QUIRK),
];
