//! Choices: what every generator draws from, and what shrinking works on.
//!
//! A generator is a plain function over [`Choices`]. Where the choices come from is no concern of it: the random stream of a
//! seed, the bytes of a fuzzer, or a recorded [`Tape`]. Everything that is drawn is recorded, so a case can be replayed, and
//! the [`Shrinker`] works on the record: what it proposes is always something that the generator can make.
//!
//! Rules for generators:
//! - 0 is the simplest choice; lists of alternatives go from simple to complex;
//! - a list is drawn by [`Choices::many`], never by drawing its length;
//! - what belongs together stands in a [`Choices::span`];
//! - parts of a schema, and parts of an object, have streams of their own, keyed by their schema path ([`Choices::part`],
//!   [`Choices::keyed`]): dropping a property drops its draws, in the schema and in all objects, and shifts no other.

mod random;
mod recording;
mod shrinker;
mod source;
mod streams;
mod tape;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use random::case_seed;
pub use recording::{Recording, Span};
pub use shrinker::{ShrinkOutcome, Shrinker, shrink};
pub use tape::Tape;

use random::SplitMix;
use recording::NameChoice;
use source::Source;
use streams::{Key, Streams};
use tape::escaped;

/// How many elements [`Choices::many`] has above its minimum, in the mean, when its maximum leaves room: most defects need one
/// or two elements, and the cost of a case grows with each.
pub const AVERAGE_LENGTH: u64 = 2;

/// A source of bounded choices that records everything that is drawn.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
    streams: Streams,
    /// The stream that draws come from.
    current: usize,
    /// Where keyed streams hang: the current stream, or an element within it.
    scope: usize,
    /// How many spans of the current stream are open.
    depth: usize,
    spans: Vec<OpenSpan>,
    addresses: Vec<Arc<str>>,
    bases: Vec<(usize, Arc<str>)>,
    names: Vec<OpenName>,
    alternatives: Vec<(usize, usize)>,
    discarded: Option<&'static str>,
    productions: BTreeMap<&'static str, u32>,
    log: Vec<(u64, u64)>,
    origin: Option<u64>,
}

#[derive(Clone, Debug)]
struct OpenSpan {
    label: &'static str,
    stream: usize,
    start: usize,
    end: usize,
    depth: usize,
    element: Option<usize>,
    address: Arc<str>,
    scope: usize,
}

#[derive(Clone, Debug)]
struct OpenName {
    stream: usize,
    position: usize,
    table: &'static [&'static str],
    address: Arc<str>,
}

impl Choices {
    /// The random source of a seed (`SplitMix64`): the same seed gives the same choices for ever.
    pub fn random(seed: u64) -> Self {
        Self::new(Source::Random(SplitMix::new(seed)), Streams::new(), None)
    }

    /// Choices from a fuzzer's bytes; total: where they run out, every choice is the simplest.
    pub fn bytes(data: &[u8]) -> Self {
        Self::new(
            Source::Bytes {
                data: data.to_vec(),
                used: 0,
            },
            Streams::new(),
            None,
        )
    }

    /// The recorded choices again; total: where a stream ends, and where a choice is above its bound, the simplest is drawn.
    pub fn replay(tape: &Tape) -> Self {
        Self::new(
            Source::Tape,
            Streams::replaying(tape),
            Some(tape.fingerprint()),
        )
    }

    fn new(source: Source, streams: Streams, origin: Option<u64>) -> Self {
        Self {
            source,
            streams,
            current: 0,
            scope: 0,
            depth: 0,
            spans: Vec::new(),
            addresses: vec![Arc::from("")],
            bases: Vec::new(),
            names: Vec::new(),
            alternatives: Vec::new(),
            discarded: None,
            productions: BTreeMap::new(),
            log: Vec::new(),
            origin,
        }
    }

    /// A number in `0..=max`, 0 being the simplest. With `max` 0 there is no choice, and nothing is recorded.
    pub fn draw(&mut self, max: u64) -> u64 {
        self.decide(max, max, |raw| raw, |value| value, |value| value)
    }

    /// A number in `low..=high`, `low` being the simplest; `low` if the bounds are crossed.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high < low {
            return low;
        }
        let offset = self.draw(high.abs_diff(low));
        low.wrapping_add_unsigned(offset)
    }

    /// True with probability `numerator / denominator`; false is the simplest. A certain answer records nothing.
    ///
    /// What is recorded is the answer, 0 or 1, not the number it came from.
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

    /// As [`Choices::chance`] where `is_possible`, else false; recorded in any case, so that a place where the answer is settled draws
    /// as many choices as one where it is open.
    pub fn flag(&mut self, is_possible: bool, numerator: u64, denominator: u64) -> bool {
        if is_possible {
            return self.chance(numerator, denominator);
        }
        self.forced(0);
        false
    }

    /// Whether something is there that may have to be: true if it `must` be, else with probability `numerator / denominator`. Recorded in
    /// any case: when the demand goes away in shrinking, what was demanded is still there.
    pub fn present(&mut self, must: bool, numerator: u64, denominator: u64) -> bool {
        if must {
            self.forced(1);
            return true;
        }
        self.chance(numerator, denominator)
    }

    /// An amount in `0..=max`, 0 being the simplest: small mostly, sometimes of any size, sometimes one of `corners`. One choice is
    /// recorded, the amount.
    pub fn amount(&mut self, max: u64, corners: &[u64]) -> u64 {
        let Source::Random(random) = &mut self.source else {
            return self.draw(max);
        };
        // Small amounts find most defects and read best; large ones are for overflow, corners for what lies beside them.
        let drawn = match random.up_to(14) {
            0..=7 => random.up_to(max.min(8)),
            8..=11 => random.up_to(max.min(1_000)),
            12..=13 => random.up_to(max),
            _ => {
                let last = corners.len().saturating_sub(1) as u64;
                let index = usize::try_from(random.up_to(last)).unwrap_or(0);
                corners
                    .get(index)
                    .copied()
                    .filter(|&corner| corner <= max)
                    .unwrap_or(max)
            }
        };
        if max > 0 {
            self.log.push((drawn, max));
            self.streams.record(self.current, drawn);
        }
        drawn
    }

    /// One of the options, the first being the simplest.
    ///
    /// # Panics
    /// If there are no options: a generator that has nothing to pick from is a mistake in the generator.
    pub fn pick<'a, T>(&mut self, options: &'a [T]) -> &'a T {
        let last = options.len().saturating_sub(1);
        self.is_alternative();
        let index = self.draw(last as u64);
        &options[usize::try_from(index).unwrap_or(0).min(last)]
    }

    /// An index drawn with probability proportional to its weight, 0 being the simplest; an index of weight 0 is never
    /// drawn. The first index if all weights are 0.
    ///
    /// The index is recorded also when only one is possible, so that a place with fewer alternatives draws as many choices as one with
    /// more.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let Some(first) = weights.iter().position(|&weight| weight > 0) else {
            return 0;
        };
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let below = |index: usize| -> u64 {
            weights[..index]
                .iter()
                .map(|&weight| u64::from(weight))
                .sum()
        };
        let index_of = |raw: u64| {
            (0..weights.len())
                .rev()
                .find(|&index| weights[index] > 0 && below(index) <= raw)
                .unwrap_or(first)
        };
        if u64::from(weights[first]) == total {
            self.forced(first as u64);
            return first;
        }
        self.is_alternative();
        let last = weights.len() as u64 - 1;
        let possible = |value: u64| {
            let index = usize::try_from(value).unwrap_or(first);
            if weights.get(index).is_some_and(|&weight| weight > 0) {
                index
            } else {
                first
            }
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

    /// The name of a part: one from a table that no part at the current address has yet, the drawn one, else the next free one
    /// behind it. `None` when the table is used up.
    ///
    /// The choice is recorded as a name: the shrinker moves the streams that are keyed by it when it changes the choice. For
    /// names that key no streams there is [`Choices::free_name`].
    pub fn part_name(
        &mut self,
        table: &'static [&'static str],
        is_taken: impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        if table.len() > 1 {
            let position = self.streams.position(self.current);
            self.names.push(OpenName {
                stream: self.current,
                position,
                table,
                address: self.address(),
            });
        }
        self.free_name(table, is_taken)
    }

    /// A name from a table that is not taken: the drawn one, else the next free one behind it; `None` when the table is used up.
    pub fn free_name(
        &mut self,
        table: &'static [&'static str],
        is_taken: impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        let count = table.len();
        self.is_alternative();
        let drawn = usize::try_from(self.draw(count.saturating_sub(1) as u64)).unwrap_or(0);
        (0..count)
            .map(|step| table[(drawn + step) % count])
            .find(|name| !is_taken(name))
    }

    /// Marks the draws in `f` as one part: the shrinker drops, simplifies or replaces it as a whole.
    pub fn span<T>(&mut self, label: &'static str, f: impl FnOnce(&mut Self) -> T) -> T {
        let span = self.open(label, None);
        let value = f(self);
        self.close(span);
        value
    }

    /// Generates the part of a schema that has this key (a property's name, `*` for the elements of lists and maps): its draws
    /// come from a stream of its own, and its address is known to the shrinker, so that what objects draw for the part moves
    /// with it when it is renamed, or takes the place of the part around it.
    pub fn part<T>(&mut self, key: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let address = Arc::from(format!("{}/{}", self.address(), escaped(key)));
        self.addresses.push(address);
        let value = self.keyed(key, f);
        self.addresses.pop();
        value
    }

    /// Says that the streams below the current one are keyed by the addresses of a schema, from the current address on: what a
    /// generator of a schema, and one that walks along a schema, says once at its beginning.
    pub fn based<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.bases.push((self.scope, self.address()));
        f(self)
    }

    /// Draws in `f` come from a stream of their own, addressed by the path of keys around it. So dropping a property drops its
    /// draws and shifts no other. The same path again goes on in the same stream.
    pub fn keyed<T>(&mut self, key: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let stream = self.streams.child(self.scope, Key::Name(key.into()));
        self.within(stream, f)
    }

    /// A list of `min..=max` elements, [`AVERAGE_LENGTH`] above the minimum in the mean; the shortest list is the simplest.
    ///
    /// Each element starts with one choice that says that it is there, inside the element's span: so dropping the span drops
    /// the element. Keyed draws inside an element have streams of their own per element; the others come from the
    /// stream around the list. For elements with many draws there is [`Choices::many_parts`].
    pub fn many<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), AVERAGE_LENGTH, false, f)
    }

    /// As [`Choices::many`], with another mean of elements above the minimum (a little less where `max` cuts).
    pub fn many_average<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        average: u64,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), average, false, f)
    }

    /// As [`Choices::many`], with all draws of an element in a stream of its own: an element that draws more or less than before
    /// shifts nothing behind it.
    pub fn many_parts<T>(
        &mut self,
        label: &'static str,
        min: usize,
        max: usize,
        f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        self.elements(label, (min, max), AVERAGE_LENGTH, true, f)
    }

    /// Says that no case can be made from these choices; the first reason is kept. The generator goes on and returns
    /// something, which nobody uses.
    pub fn discard(&mut self, reason: &'static str) {
        self.discarded.get_or_insert(reason);
    }

    /// Whether the case was given up.
    pub fn is_discarded(&self) -> bool {
        self.discarded.is_some()
    }

    /// Counts that a production was used.
    pub fn reached(&mut self, production: &'static str) {
        *self.productions.entry(production).or_default() += 1;
    }

    /// How many of a fuzzer's bytes were used; 0 for other sources.
    pub fn used_bytes(&self) -> usize {
        match self.source {
            Source::Bytes { used, .. } => used,
            _ => 0,
        }
    }

    /// The record of all draws.
    pub fn finish(self) -> Recording {
        let paths = self.streams.paths();
        let streams = &self.streams;
        let spans = self
            .spans
            .into_iter()
            .map(|span| Span {
                label: span.label,
                stream: paths[span.stream].clone(),
                start: span.start,
                end: span.end,
                depth: span.depth,
                is_element: span.element.is_some(),
                index: span.element.unwrap_or(0),
                address: span.address,
                scope: (span.element.is_some() && streams.is_used(span.scope))
                    .then(|| paths[span.scope].clone()),
            })
            .collect();
        let names = self
            .names
            .into_iter()
            .map(|name| NameChoice {
                stream: paths[name.stream].clone(),
                position: name.position,
                table: name.table,
                address: name.address,
            })
            .collect();
        let mut bases: Vec<_> = self
            .bases
            .into_iter()
            .map(|(base, address)| (paths[base].clone(), address))
            .collect();
        bases.sort();
        bases.dedup();
        Recording {
            bases,
            alternatives: self
                .alternatives
                .into_iter()
                .map(|(stream, at)| (paths[stream].clone(), at))
                .collect(),
            tape: self.streams.into_tape(&paths),
            spans,
            discarded: self.discarded,
            productions: self.productions,
            names,
            log: self.log,
            origin: self.origin,
        }
    }

    fn elements<T>(
        &mut self,
        label: &'static str,
        (min, max): (usize, usize),
        average: u64,
        has_own_streams: bool,
        mut f: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        let mut elements = Vec::new();
        let around = self.scope;
        loop {
            let index = elements.len();
            self.scope = self.streams.child(around, Key::Index(index));
            let span = self.open(label, Some(index));
            // A geometric series with p = a / (a + 1) has the mean a.
            let is_there = if index >= max {
                self.flag(false, 1, 1)
            } else {
                self.present(index < min, average, average + 1)
            };
            if !is_there {
                self.abandon(span);
                break;
            }
            let element = if has_own_streams {
                self.within(self.scope, |c| f(c, index))
            } else {
                f(self, index)
            };
            elements.push(element);
            self.close(span);
        }
        self.scope = around;
        elements
    }

    fn within<T>(&mut self, stream: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        let around = (self.current, self.scope, self.depth);
        (self.current, self.scope, self.depth) = (stream, stream, 0);
        let value = f(self);
        (self.current, self.scope, self.depth) = around;
        value
    }

    /// Records a choice that is settled: nothing is drawn for it.
    fn forced(&mut self, value: u64) {
        self.streams.record(self.current, value);
    }

    /// Says of the next choice that it is one of alternatives, of which each may be tried.
    fn is_alternative(&mut self) {
        self.alternatives
            .push((self.current, self.streams.position(self.current)));
    }

    /// The one place where a choice is made. `value_max` bounds what is recorded, `raw_max` what the source gives;
    /// `value_of` and `raw_of` lead from one to the other, `nearest` from a recorded value to a possible one.
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
        let (raw, value) = if let Source::Tape = self.source {
            let value = nearest(self.streams.planned(self.current, value_max));
            (raw_of(value), value)
        } else {
            let value = value_of(self.source.up_to(raw_max));
            // What is noted is the least number that gives this value, so that a replay notes the same.
            (raw_of(value), value)
        };
        self.log.push((raw, raw_max));
        self.streams.record(self.current, value);
        value
    }

    fn address(&self) -> Arc<str> {
        self.addresses.last().cloned().unwrap_or_default()
    }

    fn open(&mut self, label: &'static str, element: Option<usize>) -> usize {
        let start = self.streams.position(self.current);
        let span = OpenSpan {
            label,
            stream: self.current,
            start,
            end: start,
            depth: self.depth,
            element,
            address: self.address(),
            scope: self.scope,
        };
        self.spans.push(span);
        self.depth += 1;
        self.spans.len() - 1
    }

    fn close(&mut self, span: usize) {
        self.depth -= 1;
        self.spans[span].end = self.streams.position(self.current);
    }

    /// Takes back the span of an element that is not there; nothing was opened behind it.
    fn abandon(&mut self, span: usize) {
        self.depth -= 1;
        self.spans.truncate(span);
    }
}
