//! What no property asserts in chapter 1, and why.

const QUIRK: &str = "a quirk of kube-apiserver: neither required nor forbidden";
const OLD: &str = "only visible for definitions that an older server stored";
const WARNING: &str = "about warnings, which are a SHOULD; tested where CRDVAL-057 is asserted";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("CRDVAL-005/e3", QUIRK),
    ("CRDVAL-010/e1", "describes a way to test it; an invalid caBundle is another way (CRDVAL-048)"),
    ("CRDVAL-012/e2", QUIRK),
    ("CRDVAL-019/e2", QUIRK),
    ("CRDVAL-020/e1", QUIRK),
    ("CRDVAL-023", QUIRK),
    ("CRDVAL-023/e1", QUIRK),
    ("CRDVAL-023/e2", QUIRK),
    ("CRDVAL-027/e1", QUIRK),
    ("CRDVAL-028/e2", OLD),
    ("CRDVAL-036/e1", WARNING),
    ("CRDVAL-036/e2", WARNING),
    ("CRDVAL-038", "no known input triggers it"),
    ("CRDVAL-039/e1", QUIRK),
    ("CRDVAL-040/e1", QUIRK),
    ("CRDVAL-042/e2", QUIRK),
    ("CRDVAL-043/e2", OLD),
    ("CRDVAL-047/e1", QUIRK),
    ("CRDVAL-048/e2", QUIRK),
    ("CRDVAL-052/e2", OLD),
    ("CRDVAL-053/e3", QUIRK),
    ("CRDVAL-054", QUIRK),
    ("CRDVAL-056/e1", OLD),
];
