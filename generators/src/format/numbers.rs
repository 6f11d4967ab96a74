//! Digits, and numbers with check digits.

use crate::choice::Choices;

const HEXADECIMAL: [char; 22] =
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f', 'A', 'B', 'C', 'D', 'E', 'F'];

pub(super) fn hexadecimal(c: &mut Choices, count: usize) -> String {
    (0..count).map(|_| *c.pick(&HEXADECIMAL)).collect()
}

pub(super) fn decimal(c: &mut Choices, count: usize) -> String {
    (0..count).map(|_| *c.pick(&HEXADECIMAL[..10])).collect()
}

/// Draws a number in `low..=high`, padded to `digits` digits; often an end of the range.
pub(super) fn number(c: &mut Choices, low: u64, high: u64, digits: usize) -> String {
    let value = match c.weighted(&[2, 1, 4]) {
        0 => low,
        1 => high,
        _ => low + c.draw(high - low),
    };
    format!("{value:0digits$}")
}

/// Appends the Luhn check digit.
pub(super) fn with_luhn(digits: &str) -> String {
    let value = |(index, digit): (usize, u32)| {
        let value = digit * if index % 2 == 0 { 2 } else { 1 };
        value / 10 + value % 10
    };
    let sum: u32 = digits.chars().rev().filter_map(|digit| digit.to_digit(10)).enumerate().map(value).sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

/// Appends the ISBN-10 check digit, which may be `X`, to nine digits.
pub(super) fn with_isbn_10(digits: &str) -> String {
    let sum: u32 =
        digits.chars().filter_map(|digit| digit.to_digit(10)).zip(1..).map(|(digit, place)| digit * place).sum();
    match sum % 11 {
        10 => format!("{digits}X"),
        check => format!("{digits}{check}"),
    }
}

/// Appends the ISBN-13 check digit to twelve digits.
pub(super) fn with_isbn_13(digits: &str) -> String {
    let weights = [1, 3].into_iter().cycle();
    let sum: u32 =
        digits.chars().filter_map(|digit| digit.to_digit(10)).zip(weights).map(|(digit, weight)| digit * weight).sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

/// Puts separators between some of the digits.
pub(super) fn separated(c: &mut Choices, digits: &str, separators: &[&str]) -> String {
    let mut text = String::new();
    let is_separated = c.chance(1, 2);
    for (index, digit) in digits.chars().enumerate() {
        if is_separated && index > 0 && c.chance(1, 4) {
            let separator = *c.pick(separators);
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}
