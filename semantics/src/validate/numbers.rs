//! Numbers: bounds, `multipleOf`, ranges of formats (VALUE-007..010, VALUE-044). All comparisons are by numeric value.

use std::cmp::Ordering;

use serde_json::Number;

use super::Findings;
use crate::{FieldPath, Reason, Schema, Semantics, go_text, json, message, release::Change};

pub(crate) fn check(
    semantics: &Semantics,
    number: &Number,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    semantics.check_number_range(number, schema, path, findings);
    let values = &schema.values;
    let report = |findings: &mut Findings, rule: &str, bound: f64, requirement| {
        findings.violation(path, Reason::Invalid, requirement, || {
            let rule = format_args!("{rule} {}", bound_text(number, bound, schema));
            message::about(go_text::number(number), message::in_body(path, rule))
        });
    };
    if let Some(factor) = values.multiple_of
        && !is_multiple(number, factor)
    {
        if factor > 0.0 {
            report(findings, "should be a multiple of", factor, "VALUE-010");
        } else {
            findings.violation(path, Reason::Invalid, "VALUE-010", || {
                let (factor, field) = (go_text::float(factor), path.in_body());
                let fault = format!("factor MultipleOf declared for {field} must be positive: {factor}");
                message::about(&factor, fault)
            });
        }
    }
    if let Some(maximum) = values.maximum
        && !is_within(compare(number, maximum), Ordering::Less, values.exclusive_maximum)
    {
        let or_equal = if values.exclusive_maximum { "" } else { " or equal to" };
        report(findings, &format!("should be less than{or_equal}"), maximum, "VALUE-007");
    }
    if let Some(minimum) = values.minimum
        && !is_within(compare(number, minimum), Ordering::Greater, values.exclusive_minimum)
    {
        let or_equal = if values.exclusive_minimum { "" } else { " or equal to" };
        report(findings, &format!("should be greater than{or_equal}"), minimum, "VALUE-007");
    }
}

/// Whether a schema has a format of numbers.
pub(super) fn has_format(schema: &Schema) -> bool {
    let type_and_format = (schema.type_name.as_str(), schema.values.format.as_str());
    matches!(type_and_format, ("integer", "int32" | "int64") | ("number", "float" | "double"))
}

/// A bound as messages show it: upstream compares an integer with the bound without its fraction, unless that is outside
/// of the range of the type.
fn bound_text(number: &Number, bound: f64, schema: &Schema) -> String {
    let is_in_range = schema.type_name != "integer" || bound.fract() == 0.0;
    #[allow(clippy::cast_possible_truncation, reason = "upstream does so")]
    if number.is_f64() || !is_in_range { go_text::float(bound) } else { (bound as i64).to_string() }
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
    json::is_nearly_integral(if factor < 1.0 { 1.0 / factor * float } else { float / factor })
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
        findings.summary(requirement, || {
            let format = if has_format(schema) {
                format!("with format {}", schema.values.format)
            } else {
                "(default format)".to_owned()
            };
            format!("Checked value must be of type {} {format} in {}", schema.type_name, path.in_body())
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
