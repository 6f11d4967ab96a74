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

/// Days since 1970-01-01 of a date.
pub fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The year, the month and the day of a number of days since 1970-01-01.
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year_of_era;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{date_of, days_in_month, days_since_1970};

    #[test]
    fn dates_and_days_are_each_others_inverse() {
        // From the year 1 to 9999.
        for days in (-719_162..2_932_897).step_by(97) {
            let (year, month, day) = date_of(days);
            assert_eq!(days_since_1970(year, month, day), days);
            assert!((1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day));
        }
        assert_eq!(date_of(days_since_1970(2024, 2, 29)), (2024, 2, 29));
        assert_eq!(days_since_1970(1970, 1, 1), 0);
    }

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
