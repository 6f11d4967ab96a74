//! Values that may be absent.

use super::{Overload, row, unavailable};

pub(super) const OVERLOADS: &[Overload] = &[
    row("optional.of", "optional_of", "(V) -> optional(V)", unavailable),
    row("optional.ofNonZeroValue", "optional_ofNonZeroValue", "(V) -> optional(V)", unavailable),
    row("optional.none", "optional_none", "() -> optional(V)", unavailable),
    row("value", "optional_value", "optional(V).() -> V", unavailable),
    row("hasValue", "optional_hasValue", "optional(V).() -> bool", unavailable),
    row("or", "optional_or_optional", "optional(V).(optional(V)) -> optional(V)", unavailable),
    row("orValue", "optional_orValue_value", "optional(V).(V) -> V", unavailable),
    row("last", "list_last", "list(V).() -> optional(V)", unavailable),
    row("first", "list_first", "list(V).() -> optional(V)", unavailable),
    row("optional.unwrap", "optional_unwrap", "(list(optional(V))) -> list(V)", unavailable),
    row("unwrapOpt", "optional_unwrapOpt", "list(optional(V)).() -> list(V)", unavailable),
];
