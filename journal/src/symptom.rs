//! The form of a symptom: what a user sees of the cause of a failure. The engine writes it, and reports group by it.

/// What stands between its parts, the most general first: `objects: defaults / items / write, missing`.
pub const SEPARATOR: &str = " / ";

/// The keywords that decide whether a scalar or a list is valid: each can be the one that a server overlooks. The
/// second part of a symptom names those at the place.
pub const VALUE_KEYWORDS: [&str; 19] = [
    "allOf",
    "anyOf",
    "enum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];
