//! Single choices lowered: to 0, then by binary search. A choice of a name takes the streams keyed by it along.

use super::addresses::{self, Drawn};
use crate::choice::{Recording, Tape};

/// Where the pass is: the stream, the position from its front, and the least value that is not known to pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    /// The stream (its level and path) and the position.
    at: Option<((usize, String), usize)>,
    /// Below this nothing fails, as far as was tried.
    low: u64,
    /// Whether the value one below was tried.
    tried_neighbour: bool,
    /// What was proposed last.
    tried: Option<u64>,
}

/// Amounts up to this are tried one by one.
const FEW: u64 = 3;

impl Cursor {
    pub(super) fn propose(&mut self, best: &Recording) -> Option<Tape> {
        if let Some(tried) = self.tried.take() {
            // It did not fail: the least failing value is above it.
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
            // 0 first; then alternatives in turn; of amounts the lower neighbour, which mostly passes and ends the search, and
            // halves if it does not.
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

    /// The place, or the next one that is there.
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
            if other == stream && at == position { Drawn::Instead(target) } else { Drawn::Same }
        });
        if !names.is_empty() {
            tape = addresses::with_names(best, &tape, &name.address, &names);
        }
    }
    tape
}
