//! Quantities of Kubernetes: decimal numbers with a suffix, such as `1.5Gi`.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::value::EvaluationError;

/// A suffix: `1Ki` is 1024, `1k` and `1e3` are 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// `Ki`, `Mi`
    Binary,
    /// `k`, `M`
    Decimal,
    /// `e3`
    Exponent,
}

/// A decimal number.
#[derive(Clone, Debug)]
enum Amount {
    /// A multiple of a power of ten, if that is how upstream keeps it: only such a number can be an integer.
    Small { value: i64, exponent: i32 },
    /// Of any size: a multiple of a power of ten.
    Large { value: BigInt, exponent: i32 },
}

/// A quantity.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    amount: Amount,
    notation: Notation,
    /// As it was written, if that is its usual form.
    written: Option<String>,
    /// Whether it is a sum or a difference. Upstream returns these by reference, and finds no equality with them.
    pub(super) is_computed: bool,
}

const WRONG_FORM: &str = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER: &str = "unable to parse numeric part of quantity";
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";

/// How many digits of a number fit into 64 bits.
const DIGITS: i64 = 18;
/// More digits than this are not written to compare or add quantities of different size.
const MOST_DIGITS: u32 = 100_000;
/// No quantity is more precise than a billionth.
const NANO: i32 = -9;
/// Up to this exponent, a large number counts billionths once it was read, as upstream's do. No double is as large.
const LARGEST_IN_NANO: i32 = 400;

/// The parts of a quantity.
struct Parts<'a> {
    is_negative: bool,
    /// Sign, digits and point.
    number: &'a str,
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn parts(text: &str) -> Result<Parts<'_>, &'static str> {
    let is_negative = text.starts_with('-');
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let significant = unsigned.trim_start_matches('0');
    if significant.is_empty() {
        return Ok(Parts { is_negative, number: "0", whole: "0", fraction: "", suffix: "" });
    }
    let (whole, rest) = significant.split_at(digits(significant));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits(rest)),
        None => ("", rest),
    };
    let number = &text[..text.len() - rest.len()];
    let letters = rest.bytes().take_while(|byte| b"eEinumkKMGTP".contains(byte)).count();
    let exponent = rest[letters..].strip_prefix(['-', '+']).unwrap_or(&rest[letters..]);
    if digits(exponent) < exponent.len() {
        return Err(WRONG_FORM);
    }
    Ok(Parts { is_negative, number, whole: if whole.is_empty() { "0" } else { whole }, fraction, suffix: rest })
}

/// The base and the exponent of a suffix.
fn scale_of(suffix: &str) -> Result<(Notation, i32), &'static str> {
    const DECIMAL: [(&str, i32); 10] =
        [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
    const BINARY: [(&str, i32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];
    let find = |table: &[(&str, i32)]| table.iter().find(|(known, _)| *known == suffix).map(|(_, exponent)| *exponent);
    if let Some(exponent) = find(&DECIMAL) {
        return Ok((Notation::Decimal, exponent));
    }
    if let Some(exponent) = find(&BINARY) {
        return Ok((Notation::Binary, exponent));
    }
    let exponent = suffix.strip_prefix(['e', 'E']).and_then(|exponent| exponent.parse::<i64>().ok());
    #[expect(clippy::cast_possible_truncation, reason = "as upstream does")]
    exponent.map(|exponent| (Notation::Exponent, exponent as i32)).ok_or(WRONG_SUFFIX)
}

impl Quantity {
    /// Reads a quantity.
    ///
    /// Errors: the text is none, with upstream's words.
    pub(super) fn read(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err(WRONG_FORM);
        }
        let parts = parts(text)?;
        let (notation, exponent) = scale_of(parts.suffix)?;
        if let Some(quantity) = Self::small(text, &parts, notation, exponent)? {
            return Ok(quantity);
        }
        Self::large(&parts, notation, exponent)
    }

    /// A quantity of few digits, if it is one.
    fn small(text: &str, parts: &Parts<'_>, notation: Notation, exponent: i32) -> Result<Option<Self>, &'static str> {
        let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        let has_fraction = !parts.fraction.is_empty();
        let (precision, scale, factor) = match notation {
            Notation::Binary if !has_fraction => {
                (15 - length(parts.whole) - i64::from(exponent) * 3 / 10 - 1, 0, 1_i64 << exponent)
            }
            Notation::Binary => (-1, 0, 1),
            _ => (DIGITS - length(parts.whole) - length(parts.fraction), exponent, 1),
        };
        let scale = i64::from(scale) - length(parts.fraction);
        let Some(scale) = i32::try_from(scale).ok().filter(|scale| precision >= 0 && *scale >= NANO) else {
            return Ok(None);
        };
        let shifted = format!("{}{}", parts.whole, parts.fraction);
        let value: i64 = shifted.parse().map_err(|_| WRONG_NUMBER)?;
        let Some(result) = value.checked_mul(factor) else { return Ok(None) };
        let is_usual = match notation {
            Notation::Binary => exponent % 10 == 0 && value & 7 != 0,
            _ => scale % 3 == 0 && !shifted.ends_with("000") && !shifted.starts_with('0'),
        };
        let result = if parts.is_negative { -result } else { result };
        let written = is_usual.then(|| text.to_owned());
        let amount = Amount::Small { value: result, exponent: scale };
        Ok(Some(Self { amount, notation, written, is_computed: false }))
    }

    fn large(parts: &Parts<'_>, notation: Notation, exponent: i32) -> Result<Self, &'static str> {
        let unsigned = parts.number.strip_prefix(['-', '+']).unwrap_or(parts.number);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let mut value: BigInt = format!("{whole}{fraction}").parse().map_err(|_| WRONG_NUMBER)?;
        let mut scale = -i32::try_from(fraction.len()).map_err(|_| WRONG_NUMBER)?;
        let mut notation = notation;
        if notation == Notation::Binary {
            value <<= exponent;
        } else {
            scale = scale.checked_add(exponent).ok_or(WRONG_NUMBER)?;
        }
        // A very small number is as good as a billionth: more digits would only cost memory.
        if scale < NANO && value != BigInt::ZERO {
            let digits = i64::try_from(value.to_string().len()).unwrap_or(i64::MAX);
            if digits + i64::from(scale) < i64::from(NANO) {
                value = BigInt::from(1);
            } else {
                let divisor = power_of_ten(NANO - scale);
                let rest = &value % &divisor;
                value /= &divisor;
                if rest != BigInt::ZERO {
                    value += 1;
                }
            }
            scale = NANO;
        } else if scale <= LARGEST_IN_NANO && value != BigInt::ZERO {
            value *= power_of_ten(scale - NANO);
            scale = NANO;
        }
        let amount = Amount::Large { value, exponent: scale };
        let compared = |to: i64| compare(&amount, &Amount::Small { value: to, exponent: 0 });
        if notation == Notation::Binary && compared(1).is_lt() && compared(0).is_gt() {
            notation = Notation::Decimal;
        }
        let is_over = notation == Notation::Binary && compared(i64::MAX).is_gt();
        let amount = if is_over { Amount::Large { value: i64::MAX.into(), exponent: 0 } } else { amount };
        let amount = if parts.is_negative { negated(amount) } else { amount };
        Ok(Self { amount, notation, written: None, is_computed: false })
    }

    /// An integer.
    pub(super) fn of_int(value: i64) -> Self {
        Self {
            amount: Amount::Small { value, exponent: 0 },
            notation: Notation::Exponent,
            written: None,
            is_computed: false,
        }
    }

    /// About how many digits two quantities have once both are written with the same exponent.
    pub(super) fn digits_beside(&self, other: &Self) -> usize {
        let (own, others) = (parts_of(&self.amount), parts_of(&other.amount));
        let apart = own.1.abs_diff(others.1).min(MOST_DIGITS) as usize;
        own.0.max(others.0) + apart
    }

    /// How two quantities are ordered.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        compare(&self.amount, &other.amount)
    }

    /// -1, 0 or 1.
    pub(super) fn sign(&self) -> i64 {
        self.order(&Self::of_int(0)) as i64
    }

    fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    /// The integer that it is. One of many digits is none, even if it is whole: upstream says so.
    pub(super) fn as_integer(&self) -> Option<i64> {
        match &self.amount {
            Amount::Small { value, exponent } => multiplied(*value, *exponent),
            Amount::Large { .. } => None,
        }
    }

    /// The nearest double, or one near it.
    #[expect(clippy::cast_precision_loss, reason = "as upstream does")]
    pub(super) fn as_float(&self) -> f64 {
        let (value, exponent) = match &self.amount {
            Amount::Small { value, exponent } => (*value as f64, *exponent),
            Amount::Large { value, exponent } => (value.to_string().parse().unwrap_or(f64::INFINITY), *exponent),
        };
        value * power_as_float(exponent)
    }

    /// The sum. The notation is that of the first, unless that is 0.
    ///
    /// Errors: it has more digits than a machine should hold.
    pub(super) fn plus(&self, other: &Self) -> Result<Self, EvaluationError> {
        self.with(sum(&self.amount, &other.amount, false), other)
    }

    /// The difference, likewise.
    pub(super) fn minus(&self, other: &Self) -> Result<Self, EvaluationError> {
        self.with(sum(&self.amount, &other.amount, true), other)
    }

    fn with(&self, computed: Option<Amount>, other: &Self) -> Result<Self, EvaluationError> {
        let notation = if self.is_zero() { other.notation } else { self.notation };
        let too_long = || EvaluationError::new("the quantity has too many digits");
        Ok(Self { amount: computed.ok_or_else(too_long)?, notation, written: None, is_computed: true })
    }

    /// In its usual form.
    pub(super) fn print(&self) -> String {
        if let Some(written) = &self.written {
            return written.clone();
        }
        if self.is_zero() {
            return "0".to_owned();
        }
        let (value, exponent) = as_large(&self.amount);
        let is_binary = self.notation == Notation::Binary;
        let whole = if is_binary { whole_of(&value, exponent) } else { None };
        let notation = match (self.notation, &whole) {
            (Notation::Binary, Some(whole)) if whole.magnitude() >= &1024_u32.into() => Notation::Binary,
            (Notation::Binary, _) => Notation::Decimal,
            (notation, _) => notation,
        };
        if let (Notation::Binary, Some(mut whole)) = (notation, whole) {
            let mut suffix = 0;
            while &whole % 1024 == BigInt::ZERO {
                whole /= 1024;
                suffix += 1;
            }
            return format!("{whole}{}", ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].get(suffix).unwrap_or(&""));
        }
        let (mut value, mut exponent) = (value, i64::from(exponent));
        while &value % 10 == BigInt::ZERO {
            value /= 10;
            exponent += 1;
        }
        while exponent % 3 != 0 {
            value *= 10;
            exponent -= 1;
        }
        let suffix = match (notation, exponent) {
            (_, 0) => String::new(),
            (Notation::Exponent, exponent) => format!("e{exponent}"),
            (_, exponent) => {
                let suffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
                let place = usize::try_from(exponent / 3 + 3).ok();
                place.and_then(|place| suffixes.get(place)).copied().unwrap_or_default().to_owned()
            }
        };
        format!("{value}{suffix}")
    }
}

/// About how many digits a number has, and its exponent.
fn parts_of(amount: &Amount) -> (usize, i32) {
    match amount {
        Amount::Small { exponent, .. } => (1, *exponent),
        Amount::Large { value, exponent } => (usize::try_from(value.bits() / 3).unwrap_or(usize::MAX), *exponent),
    }
}

fn power_of_ten(exponent: i32) -> BigInt {
    BigInt::from(10).pow(exponent.unsigned_abs())
}

/// A number times a power of ten, if it fits.
fn multiplied(value: i64, exponent: i32) -> Option<i64> {
    let exponent = u32::try_from(exponent).ok()?;
    if value == 0 {
        return Some(0);
    }
    value.checked_mul(10_i64.checked_pow(exponent)?)
}

fn as_large(amount: &Amount) -> (BigInt, i32) {
    match amount {
        Amount::Small { value, exponent } => (BigInt::from(*value), *exponent),
        Amount::Large { value, exponent } => (value.clone(), *exponent),
    }
}

/// The integer that a number is; `None` if it is none.
fn whole_of(value: &BigInt, exponent: i32) -> Option<BigInt> {
    if exponent >= 0 {
        return Some(value * power_of_ten(exponent));
    }
    let divisor = power_of_ten(exponent);
    (value % &divisor == BigInt::ZERO).then(|| value / divisor)
}

/// A power of ten as Go has it: the product of two that it knows exactly.
fn power_as_float(exponent: i32) -> f64 {
    let power = |exponent: i32| format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    match exponent {
        ..-323 => 0.0,
        -323..0 => power(exponent / 32 * 32) / power(-exponent % 32),
        0..=308 => power(exponent / 32 * 32) * power(exponent % 32),
        _ => f64::INFINITY,
    }
}

fn negated(amount: Amount) -> Amount {
    match amount {
        Amount::Small { value, exponent } => Amount::Small { value: value.wrapping_neg(), exponent },
        Amount::Large { value, exponent } => Amount::Large { value: -value, exponent },
    }
}

/// Both numbers with the same exponent; nothing if they would have too many digits.
fn aligned(left: &Amount, right: &Amount) -> Option<(BigInt, BigInt, i32)> {
    let ((left, left_exponent), (right, right_exponent)) = (as_large(left), as_large(right));
    let exponent = left_exponent.min(right_exponent);
    let raised = |value: BigInt, from: i32| {
        let by = u32::try_from(i64::from(from) - i64::from(exponent)).ok().filter(|by| *by <= MOST_DIGITS)?;
        Some(value * BigInt::from(10).pow(by))
    };
    Some((raised(left, left_exponent)?, raised(right, right_exponent)?, exponent))
}

fn compare(left: &Amount, right: &Amount) -> Ordering {
    let ((first, first_exponent), (second, second_exponent)) = (as_large(left), as_large(right));
    if first.sign() != second.sign() || first == BigInt::ZERO {
        return first.sign().cmp(&second.sign());
    }
    if let Some((left, right, _)) = aligned(left, right) {
        return left.cmp(&right);
    }
    // The exponents are so different that the numbers of digits decide.
    let digits = |value: &BigInt, exponent: i32| i128::from(value.bits()) * 30_103 / 100_000 + i128::from(exponent);
    let by_length = digits(&first, first_exponent).cmp(&digits(&second, second_exponent));
    if first.sign() == num_bigint::Sign::Minus { by_length.reverse() } else { by_length }
}

/// The sum, or the difference. As upstream does it, the least integer is its own opposite, as long as all are small.
fn sum(left: &Amount, right: &Amount, is_difference: bool) -> Option<Amount> {
    if let (
        Amount::Small { value: left, exponent: left_exponent },
        Amount::Small { value: right, exponent: right_exponent },
    ) = (left, right)
    {
        let right = if is_difference { right.wrapping_neg() } else { *right };
        if let Some(sum) = small_sum((*left, *left_exponent), (right, *right_exponent)) {
            return Some(sum);
        }
    }
    let (left, right, exponent) = aligned(left, right)?;
    Some(Amount::Large { value: if is_difference { left - right } else { left + right }, exponent })
}

fn small_sum(left: (i64, i32), right: (i64, i32)) -> Option<Amount> {
    let small = |(value, exponent): (i64, i32)| Amount::Small { value, exponent };
    if right.0 == 0 {
        return Some(small(left));
    }
    if left.0 == 0 {
        return Some(small(right));
    }
    let exponent = left.1.min(right.1);
    let aligned = |(value, own): (i64, i32)| multiplied(value, own.checked_sub(exponent)?);
    let (first, second) = (aligned(left)?, aligned(right)?);
    Some(small((first.checked_add(second)?, exponent)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Quantity;

    #[rstest]
    #[case("1.5Gi", "1536Mi", false)]
    #[case("1024Ki", "1Mi", true)]
    #[case("1500m", "1500m", false)]
    #[case("1000m", "1", false)]
    #[case("1e3", "1e3", true)]
    #[case("0.1n", "1n", false)]
    #[case("12345678901234567890123456789", "12345678901234567890123456789", false)]
    #[case("-5k", "-5k", true)]
    #[case("0", "0", true)]
    #[case("1E", "1E", true)]
    fn quantities_as_they_are_printed(#[case] text: &str, #[case] printed: &str, #[case] is_integer: bool) {
        let quantity = Quantity::read(text).expect("a quantity");
        assert_eq!((quantity.print().as_str(), quantity.as_integer().is_some()), (printed, is_integer));
    }

    #[rstest]
    #[case("")]
    #[case("10Mm")]
    #[case("1.2.3")]
    #[case("a")]
    #[case("1 ")]
    fn what_is_no_quantity(#[case] text: &str) {
        Quantity::read(text).expect_err("no quantity");
    }

    #[test]
    fn exponents_may_be_huge() {
        let (huge, tiny) = (Quantity::read("1e2000000000"), Quantity::read("1e-2000000000"));
        let (huge, tiny) = (huge.expect("a quantity"), tiny.expect("a quantity"));
        assert!(huge.order(&tiny).is_gt() && tiny.sign() == 1 && huge.as_float().is_infinite());
    }
}
