//! Quantities and versions.

use super::{Overload, row, unavailable};

pub(super) const OVERLOADS: &[Overload] = &[
    row("quantity", "string_to_quantity", "(string) -> kubernetes.Quantity", unavailable),
    row("isQuantity", "is_quantity_string", "(string) -> bool", unavailable),
    row("sign", "quantity_sign", "(kubernetes.Quantity) -> int", unavailable),
    row("isGreaterThan", "quantity_is_greater_than", "kubernetes.Quantity.(kubernetes.Quantity) -> bool", unavailable),
    row("isLessThan", "quantity_is_less_than", "kubernetes.Quantity.(kubernetes.Quantity) -> bool", unavailable),
    row("compareTo", "quantity_compare_to", "kubernetes.Quantity.(kubernetes.Quantity) -> int", unavailable),
    row("asApproximateFloat", "quantity_get_float", "kubernetes.Quantity.() -> double", unavailable),
    row("asInteger", "quantity_get_int", "kubernetes.Quantity.() -> int", unavailable),
    row("isInteger", "quantity_is_integer", "kubernetes.Quantity.() -> bool", unavailable),
    row("add", "quantity_add", "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity", unavailable),
    row("add", "quantity_add_int", "kubernetes.Quantity.(int) -> kubernetes.Quantity", unavailable),
    row("sub", "quantity_sub", "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity", unavailable),
    row("sub", "quantity_sub_int", "kubernetes.Quantity.(int) -> kubernetes.Quantity", unavailable),
    row("semver", "string_to_semver", "(string) -> kubernetes.Semver", unavailable).since(33),
    row("semver", "string_bool_to_semver", "(string, bool) -> kubernetes.Semver", unavailable).since(33),
    row("isSemver", "is_semver_string", "(string) -> bool", unavailable).since(33),
    row("isSemver", "is_semver_string_bool", "(string, bool) -> bool", unavailable).since(33),
    row("isGreaterThan", "semver_is_greater_than", "kubernetes.Semver.(kubernetes.Semver) -> bool", unavailable)
        .since(33),
    row("isLessThan", "semver_is_less_than", "kubernetes.Semver.(kubernetes.Semver) -> bool", unavailable).since(33),
    row("compareTo", "semver_compare_to", "kubernetes.Semver.(kubernetes.Semver) -> int", unavailable).since(33),
    row("major", "semver_major", "kubernetes.Semver.() -> int", unavailable).since(33),
    row("minor", "semver_minor", "kubernetes.Semver.() -> int", unavailable).since(33),
    row("patch", "semver_patch", "kubernetes.Semver.() -> int", unavailable).since(33),
];
