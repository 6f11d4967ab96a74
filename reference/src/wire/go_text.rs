//! Numbers as Go formats them in text (TABLE-010).

/// A float in its shortest exact form, with an exponent from a million up and below a ten-thousandth.
pub(crate) fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(-4..=5) | Err(_) => format!("{value}"),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0.5, "0.5")]
    #[case(-2.25, "-2.25")]
    #[case(123_456.5, "123456.5")]
    #[case(1_234_567.5, "1.2345675e+06")]
    #[case(1e20, "1e+20")]
    #[case(-1.5e300, "-1.5e+300")]
    #[case(0.0001, "0.0001")]
    #[case(0.00001, "1e-05")]
    fn table_010_floats(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(float(value), expected);
    }
}
