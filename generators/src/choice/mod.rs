//! Choices: what generators draw from, and what shrinking works on.
//!
//! A generator is a plain function over [`Choices`]. It does not know where the choices come from: the random stream of
//! a seed, a fuzzer's bytes, a recorded [`Tape`], or a varied one ([`Mutation`]). Every draw is recorded, so a case can
//! be replayed. The [`Shrinker`] changes the recorded choices and runs the generator again, so every candidate is a
//! case that the generator can make.
//!
//! Rules for generators:
//! - 0 is the simplest choice; alternatives are listed from simple to complex;
//! - a list is drawn by [`Choices::many`], never by drawing its length first;
//! - draws that belong together are wrapped in a [`Choices::span`];
//! - each part of a schema, and each part of an object, draws from its own stream, keyed by schema path
//!   ([`Choices::part`], [`Choices::keyed`]): dropping a property drops its draws, in the schema and in all objects,
//!   and does not change any other draw.

mod bytes;
mod corpus;
mod draw;
mod many;
mod mutation;
mod random;
mod recording;
mod shrinker;
mod source;
mod streams;
mod tape;

use std::collections::BTreeMap;
use std::sync::Arc;

use crdible_semantics::Release;

pub use mutation::{Mutation, one_redrawn};
pub use random::case_seed;
pub use recording::{Recording, Span};
pub use shrinker::{ShrinkOutcome, Shrinker, shrink};
pub use tape::Tape;

use random::SplitMix;
use recording::NameChoice;
use source::Source;
use streams::{Key, Streams};
use tape::escaped;

/// The average number of elements that [`Choices::many`] adds to its minimum, if its maximum allows. Most defects need
/// one or two elements, and each element makes a case more expensive.
pub const AVERAGE_LENGTH: u64 = 2;

/// The average number of cases that [`Choices::cases`] adds to the first, if its maximum allows. A new schema costs a
/// server as much as twenty requests, so several objects share it.
pub const AVERAGE_CASES: u64 = 4;

/// The most cases of one schema.
pub const MOST_CASES: usize = 8;

/// A source of bounded choices that records every draw.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
    streams: Streams,
    /// The stream to draw from.
    current: usize,
    /// The parent of keyed streams: the current stream, or an element within it.
    scope: usize,
    /// The number of open spans in the current stream.
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
    release: Release,
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
    /// Choices from the random stream of a seed (`SplitMix64`): the same seed always gives the same choices.
    pub fn random(seed: u64) -> Self {
        Self::new(Source::Random(SplitMix::new(seed)), Streams::new(), None)
    }

    /// Choices from a fuzzer's bytes. Never fails: when the bytes run out, every choice is the simplest.
    pub fn bytes(data: &[u8]) -> Self {
        Self::new(Source::Bytes { data: data.to_vec(), used: 0 }, Streams::new(), None)
    }

    /// Choices from a recorded tape. Never fails: after the end of a stream, and for a value above its bound, the
    /// simplest is drawn.
    pub fn replay(tape: &Tape) -> Self {
        Self::new(Source::Tape, Streams::replaying(tape), Some(tape.fingerprint()))
    }

    /// Choices from a tape where it has one that is possible, and from the random stream of a seed elsewhere: after the
    /// end of a stream, in streams that it does not have, and where a [`Mutation`] left a gap.
    pub fn varied(tape: &Tape, seed: u64) -> Self {
        Self::new(Source::Varied(SplitMix::new(seed)), Streams::replaying(tape), Some(tape.fingerprint()))
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
            release: Release::BASELINE,
        }
    }

    /// The same choices for servers of another release: what it lacks is not generated.
    #[must_use]
    pub fn at(mut self, release: Release) -> Self {
        self.release = release;
        self
    }

    /// The release of the servers for which to generate; [`Release::BASELINE`] unless set by [`Choices::at`].
    pub fn release(&self) -> Release {
        self.release
    }

    /// Draws the name of a part from a table: the drawn name, or the next one in the table that is free. `None` if all
    /// are in use.
    ///
    /// The choice is recorded as a name: when the shrinker changes it, it also moves the streams that are keyed by the
    /// name. For names that do not key streams use [`Choices::free_name`].
    pub fn part_name(
        &mut self,
        table: &'static [&'static str],
        is_taken: impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        if table.len() > 1 {
            let position = self.streams.position(self.current);
            self.names.push(OpenName { stream: self.current, position, table, address: self.address() });
        }
        self.free_name(table, is_taken)
    }

    /// Draws a name from a table: the drawn name, or the next one in the table that is free. `None` if all are in use.
    pub fn free_name(
        &mut self,
        table: &'static [&'static str],
        is_taken: impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        let count = table.len();
        self.is_alternative();
        let drawn = self.index(count);
        (0..count).map(|step| table[(drawn + step) % count]).find(|name| !is_taken(name))
    }

    /// Marks the draws in `f` as one part, which the shrinker drops, simplifies or replaces as a whole.
    pub fn span<T>(&mut self, label: &'static str, f: impl FnOnce(&mut Self) -> T) -> T {
        let span = self.open(label, None);
        let value = f(self);
        self.close(span);
        value
    }

    /// Generates the part of a schema with this key (a property's name; `*` for the elements of lists and maps). It
    /// draws from its own stream. The shrinker knows its address: when the part is renamed, or replaces its parent, the
    /// draws of objects for it move with it.
    pub fn part<T>(&mut self, key: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let address = Arc::from(format!("{}/{}", self.address(), escaped(key)));
        self.addresses.push(address);
        let value = self.keyed(key, f);
        self.addresses.pop();
        value
    }

    /// Declares that streams below the current one are keyed by addresses of a schema, starting at the current address.
    /// Called once at the start by a generator of a schema, and by one that walks a schema.
    pub fn based<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.bases.push((self.scope, self.address()));
        f(self)
    }

    /// Draws in `f` come from their own stream, addressed by the path of keys around it: dropping a property drops its
    /// draws and does not change any other. Using the same path again continues the same stream.
    pub fn keyed<T>(&mut self, key: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let stream = self.streams.child(self.scope, Key::Name(key.into()));
        self.within(stream, f)
    }

    /// Discards the case, because no case can be made from these choices; the first reason is kept. The generator
    /// continues, and its result is ignored.
    pub fn discard(&mut self, reason: &'static str) {
        self.discarded.get_or_insert(reason);
    }

    /// Whether the case is discarded.
    pub fn is_discarded(&self) -> bool {
        self.discarded.is_some()
    }

    /// Counts a use of a production, for statistics.
    pub fn reached(&mut self, production: &'static str) {
        *self.productions.entry(production).or_default() += 1;
    }

    /// The number of a fuzzer's bytes that were used; 0 for other sources.
    pub fn used_bytes(&self) -> usize {
        match self.source {
            Source::Bytes { used, .. } => used,
            _ => 0,
        }
    }

    /// Ends generation and returns the record of all draws.
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
                scope: (span.element.is_some() && streams.is_used(span.scope)).then(|| paths[span.scope].clone()),
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
        let mut bases: Vec<_> = self.bases.into_iter().map(|(base, address)| (paths[base].clone(), address)).collect();
        bases.sort();
        bases.dedup();
        Recording {
            bases,
            alternatives: self.alternatives.into_iter().map(|(stream, at)| (paths[stream].clone(), at)).collect(),
            tape: self.streams.into_tape(&paths),
            spans,
            discarded: self.discarded,
            productions: self.productions,
            names,
            log: self.log,
            origin: self.origin,
            release: self.release,
        }
    }

    fn within<T>(&mut self, stream: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        let around = (self.current, self.scope, self.depth);
        (self.current, self.scope, self.depth) = (stream, stream, 0);
        let value = f(self);
        (self.current, self.scope, self.depth) = around;
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

    /// Removes the span of an element that does not exist; no span was opened after it.
    fn abandon(&mut self, span: usize) {
        self.depth -= 1;
        self.spans.truncate(span);
    }
}
