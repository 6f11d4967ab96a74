//! What no property asserts in chapter 7, and why.

const LATER: &str = "no property is about this yet";
const QUIRK: &str = "a quirk of kube-apiserver: neither required nor forbidden";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("CEL-005/e2", QUIRK),
    ("CEL-008/e1", QUIRK),
    ("CEL-009/e2", QUIRK),
    ("CEL-010", LATER),
    ("CEL-015/e2", QUIRK),
    ("CEL-016", LATER),
    ("CEL-018", LATER),
    ("CEL-019", LATER),
    ("CEL-020", LATER),
    ("CEL-021", LATER),
    ("CEL-023", LATER),
    ("CEL-026", LATER),
    ("CEL-028", LATER),
    ("CEL-029", LATER),
    ("CEL-030", LATER),
    ("CEL-031", LATER),
    ("CEL-032", LATER),
    ("CEL-033", LATER),
    ("CEL-034", LATER),
    ("CEL-035", LATER),
    ("CEL-037", LATER),
    ("CEL-042", LATER),
    ("CEL-043", LATER),
    ("CEL-044", LATER),
    ("CEL-041", "needs a stored definition whose rules are over the limits, which cannot be created over HTTP"),
];
