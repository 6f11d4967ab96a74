//! The text of times, durations, bytes and unsigned integers.

use super::Printer;
use crate::predicate::moments;
use crate::predicate::tree::{Bytes, Sign, Span, SpanPart, Time, TimePart, Unsigned};

impl Printer<'_> {
    pub(super) fn time(&mut self, time: &Time) -> String {
        match time {
            Time::Literal(moment) => {
                let text = moment.write(self.choices).text;
                format!("timestamp({})", self.quoted(&text))
            }
            Time::Field => self.own("a"),
            Time::Moved(sign, time, span) => {
                let (time, span) = (self.time(time), self.span(span));
                // A duration may come first, but only if it is added.
                if *sign == Sign::Plus && self.choices.chance(1, 3) {
                    format!("({})", self.spaced(&span, "+", &time))
                } else {
                    format!("({})", self.spaced(&time, sign.text(), &span))
                }
            }
        }
    }

    pub(super) fn span(&mut self, span: &Span) -> String {
        match span {
            Span::Literal(nanoseconds) => {
                let text = moments::write_span(*nanoseconds, self.choices).text;
                format!("duration({})", self.quoted(&text))
            }
            Span::Field => self.own("d"),
            Span::Between(left, right) => {
                let (left, right) = (self.time(left), self.time(right));
                format!("({})", self.spaced(&left, "-", &right))
            }
            Span::Calculated(sign, left, right) => {
                let (left, right) = (self.span(left), self.span(right));
                format!("({})", self.spaced(&left, sign.text(), &right))
            }
        }
    }

    pub(super) fn bytes(&mut self, bytes: &Bytes) -> String {
        match bytes {
            Bytes::Field => self.own("y"),
            Bytes::Literal(bytes) => {
                let letters = std::str::from_utf8(bytes).ok().filter(|text| text.chars().all(char::is_alphabetic));
                match letters {
                    Some(letters) if self.choices.chance(1, 2) => format!("b'{letters}'"),
                    _ => format!("b'{}'", bytes.escape_ascii()),
                }
            }
            Bytes::OfText(number) => format!("bytes({})", self.own(["s", "t"][*number])),
            Bytes::Joined(left, right) => {
                let (left, right) = (self.bytes(left), self.bytes(right));
                format!("({})", self.spaced(&left, "+", &right))
            }
        }
    }

    pub(super) fn unsigned(&mut self, unsigned: &Unsigned) -> String {
        match unsigned {
            Unsigned::Literal(value) if self.choices.chance(1, 8) => format!("{value:#x}u"),
            Unsigned::Literal(value) => format!("{value}u"),
            Unsigned::OfField(number) => format!("uint({})", self.own(["i", "j"][*number])),
            Unsigned::Calculated(operator, left, right) => {
                let (left, right) = (self.unsigned(left), self.unsigned(right));
                format!("({})", self.spaced(&left, operator.text(), &right))
            }
        }
    }
}

impl Sign {
    pub(in crate::predicate) fn text(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
        }
    }
}

impl TimePart {
    /// A method, or a function.
    pub(in crate::predicate) fn text(self) -> &'static str {
        match self {
            Self::Year => "getFullYear",
            Self::Weekday => "getDayOfWeek",
            Self::Hour => "getHours",
            Self::Second => "getSeconds",
            Self::Unix => "int",
        }
    }
}

impl SpanPart {
    pub(in crate::predicate) fn text(self) -> &'static str {
        match self {
            Self::Hours => "getHours",
            Self::Seconds => "getSeconds",
        }
    }
}
