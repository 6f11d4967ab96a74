//! Single choices.

use super::Choices;
use super::source::Source;

impl Choices {
    /// Draws a number in `0..=max`; 0 is the simplest. If `max` is 0, there is nothing to choose, and nothing is
    /// recorded.
    pub fn draw(&mut self, max: u64) -> u64 {
        self.decide(max, max, |raw| raw, |value| value, |value| value)
    }

    /// Draws a number in `0..=max`, like [`Choices::draw`].
    pub fn up_to(&mut self, max: usize) -> usize {
        usize::try_from(self.draw(max as u64)).unwrap_or(max)
    }

    /// Draws the index of one of `count` elements; the first is the simplest, and the result if there are none.
    pub fn index(&mut self, count: usize) -> usize {
        self.up_to(count.saturating_sub(1))
    }

    /// Draws a number in `low..=high`; `low` is the simplest, and the result if the bounds are reversed.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high < low {
            return low;
        }
        let offset = self.draw(high.abs_diff(low));
        low.wrapping_add_unsigned(offset)
    }

    /// Returns true with probability `numerator / denominator`; false is the simplest. If the answer is certain,
    /// nothing is recorded.
    ///
    /// Records the answer, 0 or 1, not the number that it was derived from.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        if numerator == 0 || denominator == 0 {
            return false;
        }
        if numerator >= denominator {
            return true;
        }
        let top = denominator - 1;
        let value_of = |raw| u64::from(raw >= denominator - numerator);
        let decided = self.decide(1, top, value_of, |value| value * top, |value| value);
        decided == 1
    }

    /// Like [`Choices::chance`] if `is_possible`, otherwise false. Records a choice in either case, so that a node
    /// draws the same number of choices in both.
    pub fn flag(&mut self, is_possible: bool, numerator: u64, denominator: u64) -> bool {
        if is_possible {
            return self.chance(numerator, denominator);
        }
        self.forced(0);
        false
    }

    /// Whether a part is present: true if it `must` be, otherwise with probability `numerator / denominator`. Records a
    /// choice in either case, so that the part stays when shrinking removes what required it.
    pub fn present(&mut self, must: bool, numerator: u64, denominator: u64) -> bool {
        if must {
            self.forced(1);
            return true;
        }
        self.chance(numerator, denominator)
    }

    /// Draws an amount in `0..=max`; 0 is the simplest. Most are small, some are of any size, some are one of
    /// `corners`. Records one choice, the amount.
    pub fn amount(&mut self, max: u64, corners: &[u64]) -> u64 {
        self.amount_with(1, max, corners)
    }

    /// Like [`Choices::amount`], where `share` of 14 + `share` amounts are one of `corners`.
    pub fn amount_with(&mut self, share: u64, max: u64, corners: &[u64]) -> u64 {
        let random = match &mut self.source {
            Source::Random(random) => random,
            Source::Varied(random) if self.streams.planned(self.current, max).is_none() => random,
            Source::Varied(_) | Source::Bytes { .. } | Source::Tape => return self.draw(max),
        };
        // Small amounts find most defects and read best; large ones find overflows, corners find errors at limits.
        let drawn = match random.up_to(13 + share) {
            0..=7 => random.up_to(max.min(8)),
            8..=11 => random.up_to(max.min(1_000)),
            12..=13 => random.up_to(max),
            _ => {
                let last = corners.len().saturating_sub(1) as u64;
                let index = usize::try_from(random.up_to(last)).unwrap_or(0);
                corners.get(index).copied().filter(|&corner| corner <= max).unwrap_or(max)
            }
        };
        if max > 0 {
            self.log.push((drawn, max));
            self.streams.record(self.current, drawn);
        }
        drawn
    }

    /// Picks one of the options; the first is the simplest.
    ///
    /// If `options` is empty, which is a bug in the generator.
    pub fn pick<'a, T>(&mut self, options: &'a [T]) -> &'a T {
        let last = options.len().saturating_sub(1);
        self.is_alternative();
        let index = self.draw(last as u64);
        &options[usize::try_from(index).unwrap_or(0).min(last)]
    }

    /// Draws an index with a probability proportional to its weight; 0 is the simplest, and an index of weight 0 is
    /// never drawn. Returns 0 if all weights are 0.
    ///
    /// Records the index even if only one is possible, so that a node with fewer alternatives draws as many choices as
    /// one with more.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let Some(first) = weights.iter().position(|&weight| weight > 0) else {
            return 0;
        };
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let below = |index: usize| -> u64 { weights[..index].iter().map(|&weight| u64::from(weight)).sum() };
        let index_of = |raw: u64| {
            (0..weights.len()).rev().find(|&index| weights[index] > 0 && below(index) <= raw).unwrap_or(first)
        };
        if u64::from(weights[first]) == total {
            self.forced(first as u64);
            return first;
        }
        self.is_alternative();
        let last = weights.len() as u64 - 1;
        let possible = |value: u64| {
            let index = usize::try_from(value).unwrap_or(first);
            if weights.get(index).is_some_and(|&weight| weight > 0) { index } else { first }
        };
        let decided = self.decide(
            last,
            total - 1,
            |raw| index_of(raw) as u64,
            |value| below(possible(value)),
            |value| possible(value) as u64,
        );
        usize::try_from(decided).unwrap_or(first)
    }

    /// Records a choice that is already decided, without drawing.
    fn forced(&mut self, value: u64) {
        self.streams.record(self.current, value);
    }

    /// Marks the next choice as one of several alternatives; the shrinker tries each of them.
    pub(super) fn is_alternative(&mut self) {
        self.alternatives.push((self.current, self.streams.position(self.current)));
    }

    /// Makes a choice; every draw goes through here. `value_max` bounds what is recorded, `raw_max` what the source
    /// returns. `value_of` and `raw_of` convert between the two; `nearest` turns any recorded value into a possible
    /// one.
    fn decide(
        &mut self,
        value_max: u64,
        raw_max: u64,
        value_of: impl FnOnce(u64) -> u64,
        raw_of: impl FnOnce(u64) -> u64,
        nearest: impl FnOnce(u64) -> u64,
    ) -> u64 {
        if value_max == 0 {
            return 0;
        }
        let planned = match self.source {
            Source::Tape => Some(self.streams.planned(self.current, value_max).unwrap_or(0)),
            Source::Varied(_) => self.streams.planned(self.current, value_max),
            Source::Random(_) | Source::Bytes { .. } => None,
        };
        let value = match planned {
            Some(value) => nearest(value),
            None => value_of(self.source.up_to(raw_max)),
        };
        // The smallest raw number that maps to this value is logged, so that a replay logs the same.
        let raw = raw_of(value);
        self.log.push((raw, raw_max));
        self.streams.record(self.current, value);
        value
    }
}
