//! Numbers: bounds, `multipleOf`, ranges of formats (VALUE-007..010, VALUE-044). All comparisons are by numeric value.

use std::cmp::Ordering;

use serde_json::Number;

use super::{Findings, types::is_nearly_integral};
use crate::{FieldPath, Reason, Schema, Semantics, json, release::Change};

pub(crate) fn check(
    semantics: &Semantics,
    number: &Number,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    semantics.check_number_range(number, schema, path, findings);
    let values = &schema.values;
    if let Some(factor) = values.multiple_of
        && !is_multiple(number, factor)
    {
        findings.violation(path, Reason::Invalid, "VALUE-010", || format!("must be a multiple of {factor}"));
    }
    if let Some(maximum) = values.maximum
        && !is_within(compare(number, maximum), Ordering::Less, values.exclusive_maximum)
    {
        let word = if values.exclusive_maximum { "less than" } else { "at most" };
        findings.violation(path, Reason::Invalid, "VALUE-007", || format!("must be {word} {maximum}"));
    }
    if let Some(minimum) = values.minimum
        && !is_within(compare(number, minimum), Ordering::Greater, values.exclusive_minimum)
    {
        let word = if values.exclusive_minimum { "greater than" } else { "at least" };
        findings.violation(path, Reason::Invalid, "VALUE-007", || format!("must be {word} {minimum}"));
    }
}

fn is_within(order: Ordering, side: Ordering, exclusive: bool) -> bool {
    order == side || order.is_eq() && !exclusive
}

fn compare(number: &Number, bound: f64) -> Ordering {
    match json::integer(number) {
        Some(integer) => json::compare_integer(integer, bound),
        None => number.as_f64().and_then(|float| float.partial_cmp(&bound)).unwrap_or(Ordering::Equal),
    }
}

fn is_multiple(number: &Number, factor: f64) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if factor <= 0.0 {
        return false;
    }
    if let Some(integer) = json::integer(number)
        && factor.fract() == 0.0
        && factor <= EXACT
    {
        #[allow(clippy::cast_possible_truncation)] // whole and within 2^53
        return integer % (factor as i128) == 0;
    }
    let float = number.as_f64().unwrap_or(0.0);
    is_nearly_integral(if factor < 1.0 { 1.0 / factor * float } else { float / factor })
}

/// Whether a float is in the range of single precision. Upstream rounds its shortest decimal text, which can be on the
/// other side of a rounding border than the float itself.
fn fits_single(float: f64) -> bool {
    float.to_string().parse::<f32>().is_ok_and(f32::is_finite)
}

pub(crate) fn range(
    semantics: &Semantics,
    number: &Number,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    if schema.int_or_string || !semantics.release.has(Change::NumberRanges) {
        return;
    }
    let is_in_range = match (schema.type_name.as_str(), schema.values.format.as_str()) {
        ("integer", "int32") => json::whole(number).is_some_and(|integer| i32::try_from(integer).is_ok()),
        // Upstream converts a float to text before this check, and the text of −2^63 is outside int64.
        ("integer", _) => json::whole(number).is_some_and(|integer| number.is_i64() || integer > i64::MIN),
        ("number", "float") => number.as_f64().is_some_and(fits_single),
        _ => true,
    };
    if !is_in_range {
        let requirement =
            if schema.type_name == "integer" && schema.values.format.is_empty() { "VALUE-003" } else { "VALUE-008" };
        findings.summary(path, requirement, || {
            format!("must be in the range of {} {}", schema.type_name, schema.values.format)
        });
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::fits_single;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case(3.402_823_466_385_288_6e38, true)]
    #[case::rounded_by_its_text(3.402_823_567_797_336_6e38, true)]
    #[case(-3.402_823_567_797_336_6e38, true)]
    #[case(3.402_823_567_797_337e38, false)]
    #[case(3.4e39, false)]
    #[case(1e-60, true)]
    fn value_008_single_precision(#[case] float: f64, #[case] fits: bool) {
        assert_eq!(fits_single(float), fits);
    }
}
