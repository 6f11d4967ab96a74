//! What no property asserts in chapter 6, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("RATCHET-012/e1", "a quirk: how coarsely duplicates are forgiven is neither required nor forbidden"),
    ("RATCHET-014", "no property has CEL rules yet"),
    ("RATCHET-014/e1", "no property has CEL rules yet"),
    ("RATCHET-015", "no property has CEL rules yet"),
    ("RATCHET-016", "a quirk, and no property has CEL rules yet"),
    ("RATCHET-017", "no property has CEL rules yet"),
    ("RATCHET-018", "no property has CEL rules yet"),
    ("RATCHET-019/e2", "no property has CEL rules yet"),
    ("RATCHET-023", "needs server-side apply"),
    ("RATCHET-023/e1", "needs server-side apply"),
    ("RATCHET-023/e2", "a quirk, and needs server-side apply"),
    (
        "RATCHET-024",
        "is about invalid stored definitions, which cannot be created over HTTP; CRDVAL-056 defines what applies to them",
    ),
];
