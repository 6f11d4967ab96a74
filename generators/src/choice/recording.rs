//! The record of a generator's draws.

use std::collections::BTreeMap;
use std::sync::Arc;

use crdible_semantics::Release;

use super::tape::Tape;

/// The record of one generated case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The choices: [`super::Choices::replay`] makes the same case from them.
    pub tape: Tape,
    /// Groups of choices that belong together, in the order in which the spans were opened.
    pub spans: Vec<Span>,
    /// Why the generator discarded the case, if it did: the first reason.
    pub discarded: Option<&'static str>,
    /// How often each production was used, for statistics.
    pub productions: BTreeMap<&'static str, u32>,
    /// Which streams are keyed by addresses of a schema: the path above those streams, and the address that it
    /// corresponds to.
    pub(crate) bases: Vec<(Arc<str>, Arc<str>)>,
    /// The choices that picked a name from a table: the shrinker renames the streams that are keyed by it.
    pub(crate) names: Vec<NameChoice>,
    /// The choices among alternatives: stream and position.
    pub(crate) alternatives: Vec<(Arc<str>, usize)>,
    /// Every draw in order, as the byte source must supply it: value and bound.
    pub(crate) log: Vec<(u64, u64)>,
    /// The fingerprint of the replayed tape, if there was one.
    pub(crate) origin: Option<u64>,
    /// The release for which it was generated.
    pub(crate) release: Release,
}

impl Recording {
    /// What was chosen among alternatives, and where: the label of the innermost part around the choice, its place
    /// within that, and the alternative. Two cases with the same one took the same branch of the generator.
    pub fn decisions(&self) -> impl Iterator<Item = (&'static str, usize, u64)> + '_ {
        self.alternatives.iter().map(|(stream, at)| {
            let around = self.spans.iter().filter(|span| {
                (span.start..span.end).contains(at) && (Arc::ptr_eq(&span.stream, stream) || span.stream == *stream)
            });
            let innermost = around.max_by_key(|span| span.depth);
            let (label, start) = innermost.map_or(("", 0), |span| (span.label, span.start));
            (label, at - start, self.tape.stream(stream).get(*at).copied().unwrap_or(0))
        })
    }
}

/// Consecutive choices of one stream that make one part of the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The kind of part (`property`, `node`): the shrinker may replace a part by another one with the same label.
    pub label: &'static str,
    /// The path of the stream that holds the choices.
    pub stream: Arc<str>,
    /// The position of the first choice.
    pub start: usize,
    /// The position after the last choice.
    pub end: usize,
    /// How many spans of the same stream enclose this one.
    pub depth: usize,
    /// Whether the part can be removed as a whole: it is an element of [`super::Choices::many`].
    pub is_element: bool,
    /// The index of the element; 0 for other parts.
    pub index: usize,
    /// The address of the part in the schema ([`super::Choices::part`]): a path of keys, `*` for any element.
    pub address: Arc<str>,
    /// The path of the streams that only this element uses.
    pub scope: Option<Arc<str>>,
}

/// A choice that picked a name from a fixed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameChoice {
    /// The path of the stream that holds the choice.
    pub(crate) stream: Arc<str>,
    /// The position in the stream.
    pub(crate) position: usize,
    /// The table; the choice is an index into it.
    pub(crate) table: &'static [&'static str],
    /// The address of the part that has the name, without the name.
    pub(crate) address: Arc<str>,
}
