//! Quantities and versions.

use super::{Overload, row};

pub(super) const OVERLOADS: &[Overload] = &[
    row("quantity", "string_to_quantity", "(string) -> kubernetes.Quantity"),
    row("isQuantity", "is_quantity_string", "(string) -> bool"),
    row("sign", "quantity_sign", "(kubernetes.Quantity) -> int"),
    row("isGreaterThan", "quantity_is_greater_than", "kubernetes.Quantity.(kubernetes.Quantity) -> bool"),
    row("isLessThan", "quantity_is_less_than", "kubernetes.Quantity.(kubernetes.Quantity) -> bool"),
    row("compareTo", "quantity_compare_to", "kubernetes.Quantity.(kubernetes.Quantity) -> int"),
    row("asApproximateFloat", "quantity_get_float", "kubernetes.Quantity.() -> double"),
    row("asInteger", "quantity_get_int", "kubernetes.Quantity.() -> int"),
    row("isInteger", "quantity_is_integer", "kubernetes.Quantity.() -> bool"),
    row("add", "quantity_add", "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity"),
    row("add", "quantity_add_int", "kubernetes.Quantity.(int) -> kubernetes.Quantity"),
    row("sub", "quantity_sub", "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity"),
    row("sub", "quantity_sub_int", "kubernetes.Quantity.(int) -> kubernetes.Quantity"),
    row("semver", "string_to_semver", "(string) -> kubernetes.Semver").since(33),
    row("semver", "string_bool_to_semver", "(string, bool) -> kubernetes.Semver").since(33),
    row("isSemver", "is_semver_string", "(string) -> bool").since(33),
    row("isSemver", "is_semver_string_bool", "(string, bool) -> bool").since(33),
    row("isGreaterThan", "semver_is_greater_than", "kubernetes.Semver.(kubernetes.Semver) -> bool").since(33),
    row("isLessThan", "semver_is_less_than", "kubernetes.Semver.(kubernetes.Semver) -> bool").since(33),
    row("compareTo", "semver_compare_to", "kubernetes.Semver.(kubernetes.Semver) -> int").since(33),
    row("major", "semver_major", "kubernetes.Semver.() -> int").since(33),
    row("minor", "semver_minor", "kubernetes.Semver.() -> int").since(33),
    row("patch", "semver_patch", "kubernetes.Semver.() -> int").since(33),
];
