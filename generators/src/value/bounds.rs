//! Bounds of schemas as Rust integers.

use crdible_semantics::Schema;

use crate::number;

/// The range of integers that bounds and format allow.
pub(super) fn range(schema: &Schema) -> (i64, i64) {
    let values = &schema.values;
    let is_integer = schema.type_name == "integer";
    let (mut low, mut high) = match values.format.as_str() {
        "int32" if is_integer => (i64::from(i32::MIN), i64::from(i32::MAX)),
        // Beyond 2^53 some integers are not exact in float64, which many clients use for `type: number`.
        _ if schema.type_name == "number" => (-number::EXACT, number::EXACT),
        _ => (i64::MIN, i64::MAX),
    };
    if let Some(minimum) = values.minimum {
        let bound = whole(minimum.ceil());
        low = low.max(if values.exclusive_minimum && minimum.fract() == 0.0 { bound.saturating_add(1) } else { bound });
    }
    if let Some(maximum) = values.maximum {
        let bound = whole(maximum.floor());
        high =
            high.min(if values.exclusive_maximum && maximum.fract() == 0.0 { bound.saturating_sub(1) } else { bound });
    }
    (low, high)
}

/// A bound as an integer, clamped to int64.
#[expect(clippy::cast_possible_truncation, reason = "saturation is intended")]
pub(super) fn whole(bound: f64) -> i64 {
    bound as i64
}

/// A length or a count as a `usize`; `otherwise` if there is none.
pub(super) fn length(bound: Option<i64>, otherwise: usize) -> usize {
    bound.map_or(otherwise, |bound| usize::try_from(bound.max(0)).unwrap_or(usize::MAX))
}
