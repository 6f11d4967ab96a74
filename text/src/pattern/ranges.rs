//! Sets of code points, including surrogates: Go allows them in a class, though no string contains them.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// The last code point.
pub(super) const LAST: u32 = 0x10_FFFF;

/// A set may gather this many unsorted ranges before it sorts them: many sets get the same ranges repeatedly.
const UNTIDY: usize = 4_096;

/// Code points as inclusive ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges {
    /// In any order and overlapping, except for the first `tidy` ones.
    ranges: Vec<(u32, u32)>,
    tidy: usize,
}

impl Ranges {
    pub(super) fn of(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut all = Self { ranges: ranges.into_iter().collect(), tidy: 0 };
        all.tidy_up();
        all
    }

    pub(super) fn push(&mut self, low: u32, high: u32) {
        match self.ranges.last_mut() {
            Some(last) if last.0 <= low && low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => self.ranges.push((low, high)),
        }
        if self.ranges.len() > UNTIDY.max(self.tidy * 2) {
            self.tidy_up();
        }
    }

    pub(super) fn extend(&mut self, other: &Self) {
        for &(low, high) in &other.ranges {
            self.push(low, high);
        }
    }

    /// Sorts the ranges and merges those that overlap or touch.
    pub(super) fn tidy_up(&mut self) {
        self.ranges.sort_unstable();
        let mut kept: usize = 0;
        for index in 0..self.ranges.len() {
            let (low, high) = self.ranges[index];
            match kept.checked_sub(1).map(|last| &mut self.ranges[last]) {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => {
                    self.ranges[kept] = (low, high);
                    kept += 1;
                }
            }
        }
        self.ranges.truncate(kept);
        self.tidy = kept;
    }

    /// All other code points.
    pub(super) fn negated(mut self) -> Self {
        self.tidy_up();
        let mut others = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(low, high) in &self.ranges {
            if next < low {
                others.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= LAST {
            others.push((next, LAST));
        }
        Self { tidy: others.len(), ranges: others }
    }

    /// The ranges. After [`Ranges::tidy_up`] they are sorted and do not touch.
    pub(super) fn as_slice(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// The characters among the code points.
    pub(super) fn to_class(&self) -> ClassUnicode {
        const BEFORE_SURROGATES: char = '\u{D7FF}';
        const BEHIND_SURROGATES: char = '\u{E000}';
        ClassUnicode::new(self.ranges.iter().filter_map(|&(low, high)| {
            let low = char::from_u32(low).unwrap_or(BEHIND_SURROGATES);
            let high = char::from_u32(high).unwrap_or(BEFORE_SURROGATES);
            (low <= high).then(|| ClassUnicodeRange::new(low, high))
        }))
    }
}

impl From<&ClassUnicode> for Ranges {
    fn from(class: &ClassUnicode) -> Self {
        Self::of(class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))))
    }
}

#[cfg(test)]
mod tests {
    use super::{LAST, Ranges};

    #[test]
    fn ranges_that_touch_are_merged() {
        let mut ranges = Ranges::default();
        for (low, high) in [(5, 9), (1, 2), (3, 3), (20, 30), (8, 12), (25, 26)] {
            ranges.push(low, high);
        }
        ranges.tidy_up();
        assert_eq!(ranges.as_slice(), [(1, 3), (5, 12), (20, 30)]);
        assert_eq!(ranges.clone().negated().as_slice(), [(0, 0), (4, 4), (13, 19), (31, LAST)]);
        assert_eq!(ranges.clone().negated().negated(), ranges);
        assert_eq!(Ranges::default().negated().as_slice(), [(0, LAST)]);
    }

    #[test]
    fn a_class_has_no_surrogates() {
        let ends = |ranges: &[(u32, u32)]| -> Vec<(u32, u32)> {
            let class = Ranges::of(ranges.iter().copied()).to_class();
            class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        };
        assert_eq!(ends(&[(0xD800, 0xDFFF)]), []);
        assert_eq!(ends(&[(0xDC00, 0xE001)]), [(0xE000, 0xE001)]);
        assert_eq!(ends(&[(0xD7FE, 0xD900)]), [(0xD7FE, 0xD7FF)]);
        // A range of `char`s skips the surrogates.
        assert_eq!(ends(&[(0, LAST)]), [(0, LAST)]);
    }

    #[test]
    fn repeated_ranges_do_not_accumulate() {
        let mut ranges = Ranges::default();
        for _ in 0..10_000 {
            ranges.push(10, 11);
            ranges.push(1, 2);
        }
        assert!(ranges.as_slice().len() <= 5_000);
    }
}
