//! What no property asserts in chapter 13, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("TABLE-001/e2", "a quirk: what wins among the clauses of an Accept header"),
    ("TABLE-001/e3", "says where metadata alone is promised, which REST-069 asserts"),
    ("TABLE-006/e1", "a quirk: a write whose answer cannot be shown happens nevertheless"),
    ("TABLE-008/e2", "a quirk: a stream that sends nothing"),
    ("TABLE-009/e1", "a quirk: the order of fields"),
    ("TABLE-010/e1", "a quirk: how nulls and fractions are written as texts"),
    ("TABLE-011/e1", "says what is not promised of large numbers"),
    ("TABLE-012/e1", "a quirk: what is shown of empty times"),
    ("TABLE-014", "a quirk: what a path that does not parse does to a table"),
    ("TABLE-015/e2", "a quirk: dots within quotes"),
    ("TABLE-019", "is only recommended, and is about definitions as tables"),
];
