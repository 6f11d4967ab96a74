//! What no property asserts in chapter 6, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("RATCHET-012/e1", "a quirk: how coarsely duplicates are forgiven is neither required nor forbidden"),
    ("RATCHET-016", "a quirk: whether what cannot be evaluated is forgiven is neither required nor forbidden"),
    ("RATCHET-023", "needs server-side apply"),
    ("RATCHET-023/e1", "needs server-side apply"),
    ("RATCHET-023/e2", "a quirk, and needs server-side apply"),
    (
        "RATCHET-024",
        "is about invalid stored definitions, which cannot be created over HTTP; CRDVAL-056 defines what applies to them",
    ),
];
