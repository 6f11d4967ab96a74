//! Values that may be written in several forms.

use crdible_semantics::Schema;
use serde_json::Value;

/// Whether two values are the same time or quantity in different forms, at a node that says that it is one (CONV-040).
///
/// A node of quantities is one for integers or strings with a pattern, as `resource.Quantity` of Go has it. Times are
/// compared in whole seconds, which is what `metav1.Time` keeps.
pub(super) fn same(node: &Schema, before: &Value, after: &Value) -> bool {
    if node.int_or_string && !node.values.pattern.as_str().is_empty() {
        return matches!((quantity(before), quantity(after)), (Some(before), Some(after)) if is_close(before, after));
    }
    let time = |value: &Value| value.as_str()?.parse::<jiff::Timestamp>().ok();
    node.values.format == "date-time"
        && matches!((time(before), time(after)), (Some(before), Some(after)) if whole_seconds(before) == whole_seconds(after))
}

/// The seconds of a time without their fraction, which is cut off before 1970 too: `as_second` rounds towards 1970.
fn whole_seconds(time: jiff::Timestamp) -> i128 {
    time.as_nanosecond().div_euclid(1_000_000_000)
}

/// The number that a quantity stands for.
fn quantity(value: &Value) -> Option<f64> {
    let text = match value {
        Value::Number(number) => return number.as_f64(),
        Value::String(text) => text.as_str(),
        _ => return None,
    };
    let end = text.find(|character: char| !(character.is_ascii_digit() || "+-.".contains(character)));
    let (digits, suffix) = text.split_at(end.unwrap_or(text.len()));
    let factor = match suffix {
        "" => 1.0,
        "n" => 1e-9,
        "u" => 1e-6,
        "m" => 1e-3,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "E" => 1e18,
        "Ki" => 1024.0,
        "Mi" => 1024_f64.powi(2),
        "Gi" => 1024_f64.powi(3),
        "Ti" => 1024_f64.powi(4),
        "Pi" => 1024_f64.powi(5),
        "Ei" => 1024_f64.powi(6),
        exponent => 10_f64.powi(exponent.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    digits.parse::<f64>().ok().map(|number| number * factor)
}

/// Quantities of nanos are rounded up to the next one.
fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9_f64.max(a.abs() * 1e-12)
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Schema;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::same;

    #[rstest]
    #[case::offset("date-time", json!("2001-01-01T00:00:00+00:00"), json!("2001-01-01T00:00:00Z"), true)]
    #[case::fraction("date-time", json!("2001-01-01T00:00:00.5Z"), json!("2001-01-01T00:00:00Z"), true)]
    #[case::old_fraction("date-time", json!("0000-01-01T00:00:00.1Z"), json!("0000-01-01T00:00:00Z"), true)]
    #[case::another_time("date-time", json!("2001-01-01T00:00:01Z"), json!("2001-01-01T00:00:00Z"), false)]
    #[case::no_time("", json!("2001-01-01T00:00:00+00:00"), json!("2001-01-01T00:00:00Z"), false)]
    #[case::milli("quantity", json!("1000m"), json!("1"), true)]
    #[case::integer("quantity", json!(5), json!("5"), true)]
    #[case::binary("quantity", json!("1.0Gi"), json!("1Gi"), true)]
    #[case::exponent("quantity", json!("1e3"), json!("1k"), true)]
    #[case::another_quantity("quantity", json!("1"), json!("2"), false)]
    #[case::another_unit("quantity", json!("1M"), json!("1Mi"), false)]
    fn forms(#[case] node: &str, #[case] before: Value, #[case] after: Value, #[case] expected: bool) {
        let schema = match node {
            "quantity" => json!({ "x-kubernetes-int-or-string": true, "pattern": "^[0-9.]+" }),
            format => json!({ "type": "string", "format": format }),
        };
        let (schema, _) = Schema::parse(&schema).expect("a schema");
        assert_eq!(same(&schema, &before, &after), expected);
    }
}
