//! Quantities and versions.

use super::{Overload, quantities, row, versions};

pub(super) const OVERLOADS: &[Overload] = &[
    row("quantity", "string_to_quantity", "(string) -> kubernetes.Quantity", quantities::quantity),
    row("isQuantity", "is_quantity_string", "(string) -> bool", quantities::is_quantity),
    row("sign", "quantity_sign", "(kubernetes.Quantity) -> int", quantities::sign),
    row(
        "isGreaterThan",
        "quantity_is_greater_than",
        "kubernetes.Quantity.(kubernetes.Quantity) -> bool",
        quantities::is_greater,
    ),
    row(
        "isLessThan",
        "quantity_is_less_than",
        "kubernetes.Quantity.(kubernetes.Quantity) -> bool",
        quantities::is_less,
    ),
    row("compareTo", "quantity_compare_to", "kubernetes.Quantity.(kubernetes.Quantity) -> int", quantities::compare),
    row("asApproximateFloat", "quantity_get_float", "kubernetes.Quantity.() -> double", quantities::as_float),
    row("asInteger", "quantity_get_int", "kubernetes.Quantity.() -> int", quantities::as_integer),
    row("isInteger", "quantity_is_integer", "kubernetes.Quantity.() -> bool", quantities::is_integer),
    row("add", "quantity_add", "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity", quantities::add),
    row("add", "quantity_add_int", "kubernetes.Quantity.(int) -> kubernetes.Quantity", quantities::add),
    row("sub", "quantity_sub", "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity", quantities::sub),
    row("sub", "quantity_sub_int", "kubernetes.Quantity.(int) -> kubernetes.Quantity", quantities::sub),
    row("semver", "string_to_semver", "(string) -> kubernetes.Semver", versions::semver).since(33),
    row("semver", "string_bool_to_semver", "(string, bool) -> kubernetes.Semver", versions::semver).since(33),
    row("isSemver", "is_semver_string", "(string) -> bool", versions::is_semver).since(33),
    row("isSemver", "is_semver_string_bool", "(string, bool) -> bool", versions::is_semver).since(33),
    row(
        "isGreaterThan",
        "semver_is_greater_than",
        "kubernetes.Semver.(kubernetes.Semver) -> bool",
        versions::is_greater,
    )
    .since(33),
    row("isLessThan", "semver_is_less_than", "kubernetes.Semver.(kubernetes.Semver) -> bool", versions::is_less)
        .since(33),
    row("compareTo", "semver_compare_to", "kubernetes.Semver.(kubernetes.Semver) -> int", versions::compare).since(33),
    row("major", "semver_major", "kubernetes.Semver.() -> int", versions::major).since(33),
    row("minor", "semver_minor", "kubernetes.Semver.() -> int", versions::minor).since(33),
    row("patch", "semver_patch", "kubernetes.Semver.() -> int", versions::patch).since(33),
];
