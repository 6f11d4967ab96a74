//! Lowers single choices: to 0 first, then by binary search. When a choice of a name changes, the streams that are
//! keyed by the name move along.

use super::addresses::{self, NameFate};
use crate::choice::{Recording, Tape};

/// The state of the pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    /// The stream (level and path), and the position in it.
    at: Option<((usize, String), usize)>,
    /// The least value that may still fail: all tried values below it passed.
    low: u64,
    /// Whether the next lower value was tried.
    tried_neighbour: bool,
    /// The value that was proposed last.
    tried: Option<u64>,
}

/// Amounts up to this value are tried one by one.
const FEW: u64 = 3;

impl Cursor {
    pub(super) fn propose(&mut self, best: &Recording) -> Option<Tape> {
        if let Some(tried) = self.tried.take() {
            // It passed, so the least failing value is above it.
            self.low = tried + 1;
        }
        loop {
            let (stream, position) = self.position(best)?;
            let value = best.tape.stream(&stream.1)[position];
            if self.low >= value {
                self.at = Some((stream, position + 1));
                (self.low, self.tried_neighbour) = (0, false);
                continue;
            }
            // 0 first. Then alternatives one by one; amounts by trying the next lower value, which usually passes and
            // ends the search, and by halving if it fails.
            let is_alternative = || best.alternatives.iter().any(|(path, at)| **path == *stream.1 && *at == position);
            let target = if self.low == 0 || value <= FEW || is_alternative() {
                self.low
            } else if self.tried_neighbour {
                self.low + (value - self.low) / 2
            } else {
                self.tried_neighbour = true;
                value - 1
            };
            self.at = Some((stream.clone(), position));
            self.tried = Some(target);
            return Some(lowered(best, &stream.1, position, target));
        }
    }

    pub(super) fn accepted(&mut self) {
        self.tried = None;
    }

    /// The current position, or the next one that exists.
    fn position(&self, best: &Recording) -> Option<((usize, String), usize)> {
        let Some((stream, position)) = &self.at else {
            return streams(&best.tape).into_iter().next().map(|stream| (stream, 0));
        };
        if *position < best.tape.stream(&stream.1).len() {
            return Some((stream.clone(), *position));
        }
        streams(&best.tape).into_iter().find(|other| other > stream).map(|stream| (stream, 0))
    }
}

fn streams(tape: &Tape) -> Vec<(usize, String)> {
    let mut streams: Vec<(usize, String)> =
        tape.streams().map(|(path, _)| (path.matches('/').count(), path.to_owned())).collect();
    streams.sort();
    streams
}

fn lowered(best: &Recording, stream: &str, position: usize, target: u64) -> Tape {
    let mut tape = best.tape.clone();
    tape.edit(stream, |values| values[position] = target);
    let name = best.names.iter().find(|name| &*name.stream == stream && name.position == position);
    if let Some(name) = name {
        let names = addresses::changed_names(best, &name.address, |other, at| {
            if other == stream && at == position { NameFate::Instead(target) } else { NameFate::Same }
        });
        if !names.is_empty() {
            tape = addresses::with_names(best, &tape, &name.address, &names);
        }
    }
    tape
}
