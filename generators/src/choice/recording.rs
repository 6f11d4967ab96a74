//! What a source wrote down while a generator drew from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Tape;

/// The record of one generated case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The choices; [`super::Choices::replay`] of them makes the same case again.
    pub tape: Tape,
    /// Which choices belong together, in the order in which the spans were opened.
    pub spans: Vec<Span>,
    /// Why the generator gave the case up, if it did: the first reason.
    pub discarded: Option<&'static str>,
    /// How often each production of a generator was reached, for statistics.
    pub productions: BTreeMap<&'static str, u32>,
    /// Which streams are keyed by the addresses of a schema: the path below which they are, and the address it stands for.
    pub(crate) bases: Vec<(Arc<str>, Arc<str>)>,
    /// The choices that picked a name from a table, so that the shrinker can rename what is keyed by it.
    pub(crate) names: Vec<NameChoice>,
    /// The choices among alternatives: stream and position.
    pub(crate) alternatives: Vec<(Arc<str>, usize)>,
    /// Every draw in order, as the byte source would have to give it: value and bound.
    pub(crate) log: Vec<(u64, u64)>,
    /// The fingerprint of the tape that was replayed, if one was.
    pub(crate) origin: Option<u64>,
}

impl Recording {
    /// The bytes that make [`super::Choices::bytes`] draw these choices.
    ///
    /// Every choice stands big-endian in the least number of bytes that holds its bound: what
    /// `arbitrary::Unstructured::int_in_range` takes from the front.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.log.len());
        for &(value, max) in &self.log {
            let width = (64 - max.leading_zeros()).div_ceil(8) as usize;
            bytes.extend_from_slice(&value.to_be_bytes()[8 - width..]);
        }
        bytes
    }
}

/// A run of choices in one stream that make one part of the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What the part is (`property`, `node`): parts of one label can stand for each other.
    pub label: &'static str,
    /// The path of the stream that holds the choices.
    pub stream: Arc<str>,
    /// The first choice.
    pub start: usize,
    /// Behind the last choice.
    pub end: usize,
    /// How many spans of the same stream lie around this one.
    pub depth: usize,
    /// Whether the part can be left out as a whole: an element of [`super::Choices::many`].
    pub is_element: bool,
    /// The index of an element.
    pub index: usize,
    /// Where the part is in the schema ([`super::Choices::part`]), as a path of keys, `*` for any element.
    pub address: Arc<str>,
    /// The path of the streams that belong to the element alone.
    pub scope: Option<Arc<str>>,
}

/// A choice that picked a name from a fixed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameChoice {
    /// The path of the stream that holds the choice.
    pub(crate) stream: Arc<str>,
    /// The position in the stream.
    pub(crate) position: usize,
    /// The table: the choice is the index.
    pub(crate) table: &'static [&'static str],
    /// The address of what carries the name, without the name.
    pub(crate) address: Arc<str>,
}
