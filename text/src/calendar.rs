//! The Gregorian calendar, extended to all years, as dates in strings use it.

/// The number of days in a month. `month` counts from 1.
pub fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::days_in_month;

    #[rstest]
    #[case::january(2023, 1, 31)]
    #[case::april(2023, 4, 30)]
    #[case::february(2023, 2, 28)]
    #[case::leap_year(2024, 2, 29)]
    #[case::century(1900, 2, 28)]
    #[case::fourth_century(2000, 2, 29)]
    #[case::year_zero(0, 2, 29)]
    fn february_depends_on_the_year(#[case] year: i64, #[case] month: i64, #[case] days: i64) {
        assert_eq!(days_in_month(year, month), days);
    }
}
