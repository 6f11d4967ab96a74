//! Values that may be absent.

use super::{Overload, row};

pub(super) const OVERLOADS: &[Overload] = &[
    row("optional.of", "optional_of", "(V) -> optional(V)"),
    row("optional.ofNonZeroValue", "optional_ofNonZeroValue", "(V) -> optional(V)"),
    row("optional.none", "optional_none", "() -> optional(V)"),
    row("value", "optional_value", "optional(V).() -> V"),
    row("hasValue", "optional_hasValue", "optional(V).() -> bool"),
    row("or", "optional_or_optional", "optional(V).(optional(V)) -> optional(V)"),
    row("orValue", "optional_orValue_value", "optional(V).(V) -> V"),
    row("last", "list_last", "list(V).() -> optional(V)"),
    row("first", "list_first", "list(V).() -> optional(V)"),
    row("optional.unwrap", "optional_unwrap", "(list(optional(V))) -> list(V)"),
    row("unwrapOpt", "optional_unwrapOpt", "list(optional(V)).() -> list(V)"),
];
