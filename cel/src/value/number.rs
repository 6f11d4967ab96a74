//! How numbers look.

/// The shortest text that is read as this number, as Go's `%g` prints it: with an exponent below -4 and from 6 on.
pub(crate) fn print_double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    // `1.5e3`: the digits and the exponent of the shortest form.
    let shortest = format!("{value:e}");
    let (digits, exponent) = shortest.split_once('e').expect("a number has an exponent in this form");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if (-4..6).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// A number of nanoseconds, in seconds: as Go prints the double of it, without an exponent.
pub(super) fn print_seconds(nanoseconds: i64) -> String {
    let (whole, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    #[expect(clippy::cast_precision_loss, reason = "Go's Duration.Seconds does it in this way")]
    let seconds = whole as f64 + rest as f64 / 1e9;
    format!("{seconds}")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::print_double;

    #[rstest]
    #[case(1.0, "1")]
    #[case(-0.0, "-0")]
    #[case(1.5, "1.5")]
    #[case(123_456_789.0, "1.23456789e+08")]
    #[case(123_456.5, "123456.5")]
    #[case(1_234_567.0, "1.234567e+06")]
    #[case(1e20, "1e+20")]
    #[case(1e21, "1e+21")]
    #[case(1e-4, "0.0001")]
    #[case(1e-5, "1e-05")]
    #[case(1e100, "1e+100")]
    #[case(f64::NAN, "NaN")]
    #[case(f64::NEG_INFINITY, "-Inf")]
    fn as_go_prints_it(#[case] value: f64, #[case] text: &str) {
        assert_eq!(print_double(value), text);
    }
}
