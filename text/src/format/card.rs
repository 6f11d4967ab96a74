//! Numbers with check digits: `creditcard`, `isbn`; and `ssn`.

use std::sync::LazyLock;

use crate::Pattern;

/// The numbers of Visa, Mastercard, Discover, American Express, Diners Club and JCB.
static CARDS: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let visa = "4[0-9]{12}([0-9]{3})?";
    let sixteen = "5[1-5][0-9]{14}|6(011|5[0-9]{2})[0-9]{12}|35[0-9]{14}";
    let others = "3[47][0-9]{13}|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800)[0-9]{11}";
    Pattern::parse(&format!("^({visa}|{sixteen}|{others})$")).ok()
});

/// Whether the digits of a string are a card number. Other characters are ignored.
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_known = CARDS.as_ref().is_some_and(|cards| cards.is_match(&digits));
    is_known && luhn(&digits).is_multiple_of(10)
}

/// The Luhn sum: every second digit from the right is doubled, and the digits of the products are added.
fn luhn(digits: &str) -> u32 {
    let value = |(index, digit): (usize, u8)| {
        let value = u32::from(digit - b'0') * if index % 2 == 0 { 1 } else { 2 };
        value / 10 + value % 10
    };
    digits.bytes().rev().enumerate().map(value).sum()
}

/// The bytes of a string without blanks and dashes.
fn bare(text: &str) -> Vec<u8> {
    text.bytes().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'-')).collect()
}

pub(super) fn is_isbn_10(text: &str) -> bool {
    let bare = bare(text);
    let Some((last, digits)) = bare.split_last().filter(|(_, digits)| digits.len() == 9) else {
        return false;
    };
    if !digits.iter().all(u8::is_ascii_digit) || !(last.is_ascii_digit() || *last == b'X') {
        return false;
    }
    let check = if *last == b'X' { 10 } else { u32::from(last - b'0') };
    let sum: u32 = digits.iter().zip(1..).map(|(digit, place)| place * u32::from(digit - b'0')).sum();
    (sum + 10 * check).is_multiple_of(11)
}

pub(super) fn is_isbn_13(text: &str) -> bool {
    let bare = bare(text);
    let value = |(digit, weight): (&u8, u32)| weight * u32::from(digit - b'0');
    bare.len() == 13
        && bare.iter().all(u8::is_ascii_digit)
        && bare.iter().zip([1, 3].into_iter().cycle()).map(value).sum::<u32>().is_multiple_of(10)
}

pub(super) fn is_social_security(text: &str) -> bool {
    text.len() == 11
        && text.bytes().enumerate().all(|(index, byte)| match index {
            3 | 6 => matches!(byte, b'-' | b' '),
            _ => byte.is_ascii_digit(),
        })
}
