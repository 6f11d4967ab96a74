//! What of chapter 8 no property asserts yet.

const LATER: &str = "served, stored and deprecated versions come with the next issue; this one is about order";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("VER-006", LATER),
    ("VER-007", LATER),
    ("VER-008", LATER),
    ("VER-009", LATER),
    ("VER-010", LATER),
    ("VER-011", LATER),
    ("VER-012", LATER),
    ("VER-013", LATER),
    ("VER-014", LATER),
    ("VER-015", LATER),
    ("VER-016", LATER),
    ("VER-017", LATER),
    ("VER-018", LATER),
    ("VER-019", LATER),
    ("VER-020", LATER),
    ("VER-021", "managed fields need server-side apply"),
];
