//! What no property asserts in section 12.1, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("DISC-004/e1", "a quirk: which documents of the core group have no apiVersion"),
    ("DISC-004/e3", "a quirk: which methods a document of discovery answers"),
    ("DISC-011/e1", "a quirk of built-in resources"),
    ("DISC-011/e5", "a quirk: which of several forms wins if the less specific ones come first"),
    ("DISC-011/e6", "a SHOULD; and a tag changes with every definition that others make in the meantime"),
    ("DISC-011/e7", "a quirk: which older version of the form is known"),
    ("DISC-011/e8", "a quirk: how the answer may be cached"),
    ("DISC-011/e9", "a quirk: a null in each item"),
    ("DISC-011/e10", "a quirk: a null that is not in any item"),
    ("DISC-012/e1", "says where kube-apiserver has a defect"),
];
