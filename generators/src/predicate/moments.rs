//! Moments and durations, and how they are written (CEL-021).

use jiff::{
    SignedDuration,
    civil::{DateTime, date},
};

use crate::choice::Choices;

const SECOND: i64 = 1_000_000_000;
/// The first and the last second that a timestamp of rules may be in.
const ENDS: [i64; 2] = [-62_135_596_800, 253_402_300_799];

/// A point in time of the years 1 to 9999, in nanoseconds after the beginning of Unix time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i128);

/// A value, and one of the ways to write it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written<T> {
    pub(super) value: T,
    pub(super) text: String,
}

/// In seconds and milliseconds: one second and less beside each other, the beginning of Unix time, and the ends.
const MOMENTS: [(i64, i64); 8] = [
    (1_709_204_400, 0),
    (1_709_204_401, 0),
    (1_709_204_400, 100),
    (1_709_208_000, 0),
    (0, 0),
    (-1, 500),
    (ENDS[0], 0),
    (ENDS[1], 0),
];

/// In seconds and milliseconds. The longest has almost all of 64 bits, in nanoseconds.
const SPANS: [(i64, i64); 9] =
    [(0, 0), (1, 0), (-1, 0), (60, 0), (3600, 0), (1, 500), (86_400, 0), (9_223_372_036, 0), (-9_223_372_036, 0)];

impl Moment {
    /// A number of nanoseconds after the beginning of Unix time; none if no timestamp is there.
    pub(super) fn new(nanoseconds: i128) -> Option<Self> {
        let moment = Self(nanoseconds);
        (ENDS[0].into()..=ENDS[1].into()).contains(&moment.0.div_euclid(SECOND.into())).then_some(moment)
    }

    pub(super) fn draw(choices: &mut Choices) -> Self {
        let (seconds, milliseconds) = *choices.pick(&MOMENTS);
        Self(i128::from(seconds * 1000 + milliseconds) * 1_000_000)
    }

    pub(super) fn nanoseconds(self) -> i128 {
        self.0
    }

    /// Whole seconds, rounded down.
    pub(super) fn seconds(self) -> i64 {
        i64::try_from(self.0.div_euclid(SECOND.into())).expect("a moment has fewer than 64 bits of seconds")
    }

    /// In UTC.
    pub(super) fn civil(self) -> DateTime {
        self.local(0)
    }

    /// What clocks show this number of hours ahead of UTC.
    fn local(self, hours: i64) -> DateTime {
        let rest = self.0.rem_euclid(SECOND.into());
        let rest = i32::try_from(rest).expect("less than a second has fewer than 32 bits of nanoseconds");
        let since = SignedDuration::new(self.seconds() + hours * 3600, rest);
        date(1970, 1, 1).at(0, 0, 0, 0).checked_add(since).expect("a moment is of the years 1 to 9999")
    }

    /// In RFC 3339, at any offset.
    pub(super) fn write(self, choices: &mut Choices) -> Written<Self> {
        let is_end = ENDS.contains(&self.seconds());
        let hours = if is_end || choices.chance(1, 2) { 0 } else { choices.between(-12, 14) };
        let local = self.local(hours);
        let text = if hours == 0 { format!("{local}Z") } else { format!("{local}{hours:+03}:00") };
        Written { value: self, text }
    }
}

/// Nanoseconds.
pub(super) fn span(choices: &mut Choices) -> i64 {
    let (seconds, milliseconds) = *choices.pick(&SPANS);
    seconds * SECOND + milliseconds * 1_000_000
}

/// A duration of whole milliseconds as Go reads it.
pub(super) fn write_span(nanoseconds: i64, choices: &mut Choices) -> Written<i64> {
    let milliseconds = nanoseconds / 1_000_000;
    let (sign, length) = if milliseconds < 0 { ("-", -milliseconds) } else { ("", milliseconds) };
    let (seconds, rest) = (length / 1000, length % 1000);
    let text = match choices.index(3) {
        0 if rest == 0 => format!("{sign}{seconds}s"),
        0 => format!("{sign}{seconds}.{rest:03}s"),
        1 => format!("{sign}{length}ms"),
        _ => format!("{sign}{}h{}m{}s{rest}ms", seconds / 3600, seconds / 60 % 60, seconds % 60),
    };
    Written { value: nanoseconds, text }
}
