//! Names of properties and keys.

/// The fields that every object has in addition to its content.
const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Whether a top-level field of this name is not content.
pub(crate) fn is_meta_field(name: &str) -> bool {
    META_FIELDS.contains(&name)
}

/// Names of declared properties, simple first. Several have a meaning elsewhere, which catches implementations that
/// look at the name where they should look at the position (PRUNE-015, STRUCT-021).
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

/// Names of declared properties, with ones that break unquoted paths, patterns and pointers.
pub(crate) const ODD_PROPERTIES: &[&str] = &[
    "a", "b", "c", "d", "e", "f", "metadata", "items", "x.y", "a/b", "m~n", "", "ключ", "é", "名", "a b", "[0]", "#1",
    "\"", "😀", "~1", "null",
];

/// Names of root properties other than `spec`. No `items`: REST-013 has a defect there. No `status`: its meaning
/// depends on a subresource. No meta fields: other rules apply to them.
pub(crate) const ROOT_PROPERTIES: &[&str] = &["a", "b", "c", "data", "x-y", "$ref", "__proto__", "Spec"];

/// Keys of maps, simple first; no dots, because field paths of causes do not quote them (VALUE-043).
pub(crate) const MAP_KEYS: &[&str] =
    &["k", "l", "m", "n", "metadata", "kind", "apiVersion", "items", "x-y", "$ref", "__proto__", "0"];

/// Keys of maps that break unquoted paths, for values without causes.
pub(crate) const ODD_MAP_KEYS: &[&str] = &["x.y", "a/b", "m~n", "", "é", "~1", "a b"];

/// Keys that no schema declares and that break unquoted paths.
pub(crate) const ODD_UNKNOWN_KEYS: &[&str] = &["u.v", "u/v", "u~v", "", "ü", "u v", "items", "$ref", "metadata"];

/// Keys of objects without a schema, simple first.
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

/// Keys that schemas rarely declare: they start like declared ones, differ in case, or are meta fields elsewhere.
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
