//! Dates and times: `date`, `date-time`, `duration`.

use crate::calendar::days_in_month;
use crate::worded_duration;

/// Whether a string is a day of the calendar, `YYYY-MM-DD`.
pub(super) fn is_date(text: &str) -> bool {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
        return false;
    };
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0')))
    };
    let (Some(year), Some(month), Some(day)) = (number(&[y1, y2, y3, y4]), number(&[m1, m2]), number(&[d1, d2])) else {
        return false;
    };
    (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day)
}

/// Whether a string is a date, `T`, a time of day, an optional fraction, and an offset.
pub(super) fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_once(['t', 'T']) else {
        return false;
    };
    let Some((time, rest)) = rest.split_at_checked(8) else {
        return false;
    };
    let Some((hour, time)) = time.split_once(':') else {
        return false;
    };
    is_date(date) && is_number_to(hour, 23) && is_clock(time, 59) && is_fraction_and_offset(rest)
}

fn is_fraction_and_offset(text: &str) -> bool {
    // Any character can replace the decimal point (VALUE-045).
    let mut rest = text.chars();
    let point = rest.next();
    let after = rest.as_str().trim_start_matches(|character: char| character.is_ascii_digit());
    let has_fraction = after.len() < rest.as_str().len() && !matches!(point, Some('\n' | 't' | 'T'));
    // `+01:00` is an offset, though it also starts like a fraction `01`.
    is_offset(text) || has_fraction && is_offset(after)
}

fn is_offset(text: &str) -> bool {
    let signed = || {
        let (hour, minute) = text.strip_prefix(['+', '-'])?.split_once(':')?;
        Some(is_number_to(hour, 23) && is_number_to(minute, 59))
    };
    matches!(text, "z" | "Z") || signed().unwrap_or(false)
}

/// Whether a string is two numbers of two digits, `minute:second`, each at most `most`.
fn is_clock(text: &str, most: u8) -> bool {
    text.split_once(':').is_some_and(|(minute, second)| is_number_to(minute, most) && is_number_to(second, most))
}

/// Whether a string is a number of two digits and at most `most`.
fn is_number_to(text: &str, most: u8) -> bool {
    let &[tens, ones] = text.as_bytes() else {
        return false;
    };
    tens.is_ascii_digit() && ones.is_ascii_digit() && (tens - b'0') * 10 + (ones - b'0') <= most
}

/// Whether a string is a Go duration, or whole numbers with units in words.
pub(super) fn is_duration(text: &str) -> bool {
    worded_duration(text).is_ok()
}
