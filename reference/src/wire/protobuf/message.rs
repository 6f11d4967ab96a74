//! How the fields of a type are fields of a message.

use crate::kinds::{Count, Element, Field, Presence, Type};

/// How often a field occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurs {
    /// Once. The zero value counts as unset, and is written nevertheless, as upstream does for fields that are no
    /// pointers.
    Once,
    /// Once, or not at all. The zero value counts.
    Optionally,
    Many,
    /// Once for each key.
    ByKey,
}

/// How often a field occurs.
pub(super) fn occurs(field: &Field) -> Occurs {
    match (field.count, field.element) {
        (Count::List, _) => Occurs::Many,
        (Count::Map, _) => Occurs::ByKey,
        (Count::One, element) => match field.presence() {
            Presence::Optional => Occurs::Optionally,
            // JSON always has it.
            Presence::Required if matches!(element, Element::Flag) => Occurs::Optionally,
            _ => Occurs::Once,
        },
    }
}

/// The field of a message with JSON in it.
pub(super) const RAW: u32 = 1;

/// Whether one of two alternatives is a boolean; it is true if there is the other one.
pub(super) fn may_be_flag(of: &Type) -> bool {
    of.fields().next().is_some_and(|first| matches!(first.element, Element::Flag))
}
