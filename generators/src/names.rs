//! Names of properties and keys.

/// Names of declared properties, simple first. Several of them mean something elsewhere: an implementation that looks at names where it
/// should look at positions goes wrong with them (PRUNE-015, STRUCT-021).
pub(crate) const PROPERTIES: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "replicas",
    "name",
    "x-y",
    "metadata",
    "kind",
    "apiVersion",
    "items",
    "spec",
    "status",
    "properties",
    "$ref",
    "__proto__",
    "constructor",
    "a_b",
];

/// The same with names that break paths, patterns and pointers when they are not quoted.
pub(crate) const ODD_PROPERTIES: &[&str] = &[
    "a", "b", "c", "d", "e", "f", "metadata", "items", "x.y", "a/b", "m~n", "", "ключ", "é", "名", "a b", "[0]", "#1",
    "\"", "😀", "~1", "null",
];

/// Names of properties beside `spec` at the root. No `items`: REST-013 has a defect there. No `status`: its meaning depends on a
/// subresource. No meta fields: they have rules of their own.
pub(crate) const ROOT_PROPERTIES: &[&str] = &["a", "b", "c", "data", "x-y", "$ref", "__proto__", "Spec"];

/// Keys of maps, simple first; no dots, since the path of a cause does not quote them (VALUE-043).
pub(crate) const MAP_KEYS: &[&str] =
    &["k", "l", "m", "n", "metadata", "kind", "apiVersion", "items", "x-y", "$ref", "__proto__", "0"];

/// Keys of maps that break paths when they are not quoted, where no cause tells them.
pub(crate) const ODD_MAP_KEYS: &[&str] = &["x.y", "a/b", "m~n", "", "é", "~1", "a b"];

/// The same that no schema declares.
pub(crate) const ODD_UNKNOWN_KEYS: &[&str] = &["u.v", "u/v", "u~v", "", "ü", "u v", "items", "$ref", "metadata"];

/// Keys of free JSON, simple first.
pub(crate) const FREE_KEYS: &[&str] = &[
    "a",
    "b",
    "c",
    "metadata",
    "items",
    "kind",
    "apiVersion",
    "$ref",
    "__proto__",
    "x.y",
    "a/b",
    "m~n",
    "",
    "é",
    "😀",
    "x y",
];

/// Keys that schemas do not declare by chance: they start like known ones, differ in case, or are meta fields elsewhere.
pub(crate) const UNKNOWN_KEYS: &[&str] = &[
    "u",
    "unknown",
    "A",
    "Metadata",
    "specs",
    "metadata",
    "kind",
    "apiVersion",
    "items",
    "$ref",
    "__proto__",
    "x-kubernetes-u",
    "0",
];
