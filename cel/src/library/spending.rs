//! What calls cost when they are evaluated, in upstream's units.

use super::Overload;
use crate::value::{Evaluated, Value};

/// A call, with all that its cost depends on.
pub(crate) struct Spending<'a> {
    pub(crate) function: &'static str,
    /// The overload, if the types of the arguments show only one.
    pub(crate) overload: Option<&'static Overload>,
    pub(crate) arguments: &'a [Evaluated],
}

impl Spending<'_> {
    /// What the call costs that returned this.
    pub(crate) fn units(&self, _result: &Evaluated) -> u64 {
        let size = |position: usize| self.arguments.get(position).map_or(1, size);
        let _ = self.function;
        match self.overload.map_or("", |overload| overload.id) {
            "starts_with_string" | "ends_with_string" | "string_to_bytes" | "bytes_to_string" | "strings_quote"
            | "string_format" => tenth(size(0)),
            "in_list" => size(1),
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes" => tenth(size(0).min(size(1))),
            "add_string" | "add_bytes" => tenth(size(0) + size(1)),
            "matches_string" => tenth(1 + size(0)) * size(1).div_ceil(4),
            "contains_string" => tenth(size(0)) * tenth(size(1)),
            _ => 1,
        }
    }
}

/// What it costs to compare two values.
pub(crate) fn cost_of_equality(left: &Evaluated, right: &Evaluated) -> u64 {
    tenth(size(left).min(size(right)))
}

/// A text is looked at in pieces of ten.
fn tenth(size: u64) -> u64 {
    size.div_ceil(10)
}

/// The size of a value; one of what has none.
fn size(value: &Evaluated) -> u64 {
    value.as_ref().map_or(1, size_of)
}

fn size_of(value: &Value) -> u64 {
    match value {
        Value::Optional(Some(value)) => size_of(value),
        other => other.size().map_or(1, |size| size as u64),
    }
}
