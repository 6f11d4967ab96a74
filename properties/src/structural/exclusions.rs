//! What no property asserts in chapter 2, and why.

const QUIRK: &str = "a quirk of kube-apiserver: neither required nor forbidden";
const SHOULD: &str = "a SHOULD, so both behaviours pass";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("STRUCT-001/e1", QUIRK),
    ("STRUCT-001/e2", QUIRK),
    ("STRUCT-006", QUIRK),
    ("STRUCT-006/e1", QUIRK),
    ("STRUCT-006/e2", QUIRK),
    ("STRUCT-008/e1", QUIRK),
    ("STRUCT-011/e2", QUIRK),
    ("STRUCT-014", SHOULD),
    ("STRUCT-014/e1", QUIRK),
    ("STRUCT-014/e2", SHOULD),
    ("STRUCT-019/e1", QUIRK),
];
