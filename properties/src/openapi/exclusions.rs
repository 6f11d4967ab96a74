//! What no property asserts in sections 12.2 and 12.3, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("OAPI-001/e2", "a SHOULD: where a wrong hash leads"),
    ("OAPI-001/e3", "documents are read as JSON; no property decodes protobuf"),
    ("OAPI-001/e4", "a quirk: the form of the index"),
    ("OAPI-001/e5", "a quirk: methods, qualities and the bodies of errors"),
    ("OAPI-002/e2", "a quirk: list kinds while they conflict"),
    ("OAPI-002/e3", "a quirk: a built-in model"),
    ("OAPI-002/e4", "a quirk: built-in models"),
    ("OAPI-006/e4", "a quirk: a built-in model"),
    ("OAPI-006/e5", "a quirk: parameters of an alpha feature"),
    ("OAPI-007", "such definitions cannot be made through v1"),
    ("OAPI-007/e1", "such definitions cannot be made through v1"),
];
