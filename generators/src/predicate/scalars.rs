//! Times, durations, bytes and unsigned integers (CEL-020, CEL-021): how expressions of these types are drawn, and
//! what they are for values.

use super::moments::{self, Moment};
use super::subject::{OCTETS, Subject};
use super::tree::{Bytes, Calculation, Sign, Span, SpanPart, Time, TimePart, Unsigned};
use super::truth::Fails;
use crate::choice::Choices;

/// Unsigned literals.
const LITERALS: [u64; 6] = [0, 1, 2, 5, u64::MAX, 1 << 63];
/// Operators of unsigned integers, of which each but division often fails.
const CALCULATIONS: [Calculation; 5] =
    [Calculation::Subtract, Calculation::Remainder, Calculation::Add, Calculation::Multiply, Calculation::Divide];
const SIGNS: [Sign; 2] = [Sign::Plus, Sign::Minus];

impl Sign {
    fn of(self, left: i128, right: i128) -> Option<i128> {
        match self {
            Self::Plus => left.checked_add(right),
            Self::Minus => left.checked_sub(right),
        }
    }
}

/// A duration has 64 bits of nanoseconds.
fn span(nanoseconds: Option<i128>) -> Result<i64, Fails> {
    nanoseconds.and_then(|nanoseconds| i64::try_from(nanoseconds).ok()).ok_or(Fails)
}

impl Time {
    pub(super) fn draw(choices: &mut Choices, depth: usize) -> Self {
        if depth == 0 || choices.chance(1, 2) {
            return if choices.chance(2, 3) { Self::Field } else { Self::Literal(Moment::draw(choices)) };
        }
        let inner = Box::new(Self::draw(choices, depth - 1));
        Self::Moved(*choices.pick(&SIGNS), inner, Box::new(Span::draw(choices, depth - 1)))
    }

    /// It fails outside the years 1 to 9999.
    pub(super) fn of(&self, subject: &Subject) -> Result<Moment, Fails> {
        match self {
            Self::Literal(moment) => Ok(*moment),
            Self::Field => subject.time.as_ref().map(|written| written.value).ok_or(Fails),
            Self::Moved(sign, time, span) => {
                let (time, span) = (time.of(subject)?, span.of(subject)?);
                sign.of(time.nanoseconds(), span.into()).and_then(Moment::new).ok_or(Fails)
            }
        }
    }
}

impl TimePart {
    pub(super) const ALL: [Self; 5] = [Self::Year, Self::Weekday, Self::Hour, Self::Second, Self::Unix];

    pub(super) fn of(self, moment: Moment) -> i64 {
        match self {
            Self::Year => moment.civil().year().into(),
            Self::Weekday => moment.civil().weekday().to_sunday_zero_offset().into(),
            Self::Hour => moment.civil().hour().into(),
            Self::Second => moment.civil().second().into(),
            Self::Unix => moment.seconds(),
        }
    }
}

impl Span {
    pub(super) fn draw(choices: &mut Choices, depth: usize) -> Self {
        if depth == 0 || choices.chance(1, 2) {
            return if choices.chance(2, 3) { Self::Field } else { Self::Literal(moments::span(choices)) };
        }
        if choices.chance(1, 2) {
            let [left, right] = [0; 2].map(|_| Box::new(Time::draw(choices, depth - 1)));
            return Self::Between(left, right);
        }
        let sign = *choices.pick(&SIGNS);
        let [left, right] = [0; 2].map(|_| Box::new(Self::draw(choices, depth - 1)));
        Self::Calculated(sign, left, right)
    }

    pub(super) fn of(&self, subject: &Subject) -> Result<i64, Fails> {
        match self {
            Self::Literal(nanoseconds) => Ok(*nanoseconds),
            Self::Field => subject.span.as_ref().map(|written| written.value).ok_or(Fails),
            Self::Between(left, right) => {
                let (left, right) = (left.of(subject)?, right.of(subject)?);
                span(left.nanoseconds().checked_sub(right.nanoseconds()))
            }
            Self::Calculated(sign, left, right) => {
                let (left, right) = (left.of(subject)?, right.of(subject)?);
                span(sign.of(left.into(), right.into()))
            }
        }
    }
}

impl SpanPart {
    pub(super) const ALL: [Self; 2] = [Self::Hours, Self::Seconds];

    /// The whole duration in this unit, towards zero.
    pub(super) fn of(self, nanoseconds: i64) -> i64 {
        let seconds = nanoseconds / 1_000_000_000;
        match self {
            Self::Hours => seconds / 3600,
            Self::Seconds => seconds,
        }
    }
}

impl Bytes {
    pub(super) fn draw(choices: &mut Choices, depth: usize) -> Self {
        match choices.weighted(&[3, 2, 2, if depth == 0 { 0 } else { 2 }]) {
            0 => Self::Field,
            1 => Self::Literal(choices.pick(&OCTETS).0.to_vec()),
            2 => Self::OfText(choices.index(2)),
            _ => {
                let [left, right] = [0; 2].map(|_| Box::new(Self::draw(choices, depth - 1)));
                Self::Joined(left, right)
            }
        }
    }

    pub(super) fn of(&self, subject: &Subject) -> Result<Vec<u8>, Fails> {
        match self {
            Self::Field => subject.octets.map(|number| OCTETS[number].0.to_vec()).ok_or(Fails),
            Self::Literal(bytes) => Ok(bytes.clone()),
            Self::OfText(number) => subject.texts[*number].clone().map(String::into_bytes).ok_or(Fails),
            Self::Joined(left, right) => Ok([left.of(subject)?, right.of(subject)?].concat()),
        }
    }
}

impl Unsigned {
    pub(super) fn draw(choices: &mut Choices, depth: usize) -> Self {
        if depth == 0 || choices.chance(1, 2) {
            return match choices.index(2) {
                0 => Self::OfField(choices.index(2)),
                _ => Self::Literal(*choices.pick(&LITERALS)),
            };
        }
        let operator = *choices.pick(&CALCULATIONS);
        let [left, right] = [0; 2].map(|_| Box::new(Self::draw(choices, depth - 1)));
        Self::Calculated(operator, left, right)
    }

    /// Below zero, beyond 64 bits, and by zero, they fail.
    pub(super) fn of(&self, subject: &Subject) -> Result<u64, Fails> {
        match self {
            Self::Literal(value) => Ok(*value),
            Self::OfField(number) => {
                subject.integers[*number].and_then(|integer| u64::try_from(integer).ok()).ok_or(Fails)
            }
            Self::Calculated(operator, left, right) => {
                let (left, right) = (left.of(subject)?, right.of(subject)?);
                match operator {
                    Calculation::Add => left.checked_add(right),
                    Calculation::Subtract => left.checked_sub(right),
                    Calculation::Multiply => left.checked_mul(right),
                    Calculation::Divide => left.checked_div(right),
                    Calculation::Remainder => left.checked_rem(right),
                }
                .ok_or(Fails)
            }
        }
    }
}
