//! Shrinking on the record of choices.
//!
//! [`Shrinker`] is pure: it holds the best case so far and proposes smaller tapes; whoever drives it runs the generator on
//! them, tries the case, and says which one still fails. Several candidates may be under way at once: they are proposed as if
//! each failed to fail, and when one is accepted the passes go on from where that one was made.
//!
//! Passes, in order: objects away ([`streams`]), parts of the schema away, simplified or replaced by what is in them
//! ([`spans`]), single choices lowered by binary search ([`values`]), names. They go round until nothing changes; a pass goes on
//! where it was when a candidate is accepted, it does not start again.

mod addresses;
#[cfg(test)]
mod quality;
mod run;
mod spans;
mod streams;
mod values;

use std::collections::{HashSet, VecDeque};

use super::{Choices, Recording, Tape};

pub use run::{ShrinkOutcome, shrink};

/// The passes, each with its place in the work.
#[derive(Clone, Debug)]
enum Pass {
    Streams(streams::Cursor),
    Spans(spans::Cursor),
    Values(values::Cursor),
}

impl Pass {
    fn first() -> Self {
        Self::Streams(streams::Cursor::default())
    }

    /// The pass behind this one; `None` behind the last.
    fn next(&self) -> Option<Self> {
        match self {
            Self::Streams(_) => Some(Self::Spans(spans::Cursor::default())),
            Self::Spans(_) => Some(Self::Values(values::Cursor::default())),
            Self::Values(_) => None,
        }
    }

    /// The next candidate, taking it that the last one did not fail; `None` at the end of the pass.
    fn propose(&mut self, best: &Recording) -> Option<Tape> {
        match self {
            Self::Streams(cursor) => cursor.propose(best),
            Self::Spans(cursor) => cursor.propose(best),
            Self::Values(cursor) => cursor.propose(best),
        }
    }

    /// Says that the last candidate was accepted.
    fn accepted(&mut self) {
        match self {
            Self::Streams(cursor) => cursor.accepted(),
            Self::Spans(cursor) => cursor.accepted(),
            Self::Values(cursor) => cursor.accepted(),
        }
    }
}

/// What was proposed and not answered yet.
#[derive(Clone, Debug)]
struct Pending {
    fingerprint: u64,
    pass: Pass,
}

/// The state of one shrink.
#[derive(Clone, Debug)]
pub struct Shrinker {
    best: Recording,
    pass: Pass,
    /// Whether a candidate was accepted since the passes last began.
    has_changed: bool,
    is_done: bool,
    /// Tapes that were proposed.
    proposed: HashSet<u64>,
    /// Tapes that were recorded: many proposals come to the same case.
    recorded: HashSet<u64>,
    pending: VecDeque<Pending>,
}

impl Shrinker {
    /// Starts from a case that fails.
    pub fn new(first: Recording) -> Self {
        let fingerprint = first.tape.fingerprint();
        Self {
            best: first,
            pass: Pass::first(),
            has_changed: false,
            is_done: false,
            proposed: HashSet::from([fingerprint]),
            recorded: HashSet::from([fingerprint]),
            pending: VecDeque::new(),
        }
    }

    /// Up to `count` candidates, the most promising first: all strictly smaller than the best case, none proposed before.
    /// Empty when there is nothing left to try.
    ///
    /// Everything proposed earlier and not accepted counts as having passed.
    pub fn propose(&mut self, count: usize) -> Vec<Tape> {
        self.pending.clear();
        let mut candidates = Vec::new();
        while candidates.len() < count {
            let Some(tape) = self.next_candidate() else {
                break;
            };
            candidates.push(tape);
        }
        candidates
    }

    /// Up to `count` candidates that are worth trying, generated: what comes to a case that was seen before, is not smaller than
    /// the best, or is discarded by the generator is left out. Empty when there is nothing left to try.
    ///
    /// This is how a driver should ask, since generating costs microseconds and trying costs requests.
    pub fn next_cases<T>(
        &mut self,
        count: usize,
        generate: impl Fn(&mut Choices) -> T,
    ) -> Vec<(T, Recording)> {
        self.pending.clear();
        let mut cases = Vec::new();
        while cases.len() < count {
            let Some(tape) = self.next_candidate() else {
                break;
            };
            let mut choices = Choices::replay(&tape);
            let case = generate(&mut choices);
            let recording = choices.finish();
            if self.is_worthwhile(&recording) {
                cases.push((case, recording));
            }
        }
        cases
    }

    /// Whether what a candidate recorded is worth a try: smaller than the best, not seen before, not discarded. Asking marks
    /// it as seen.
    pub fn is_worthwhile(&mut self, recording: &Recording) -> bool {
        recording.discarded.is_none()
            && recording.tape < self.best.tape
            && self.recorded.insert(recording.tape.fingerprint())
    }

    /// Says that a candidate still fails, and what running it recorded. It becomes the best case if it is smaller.
    ///
    /// Of several candidates that were proposed together, accept the first that fails in the order of the proposal: then the
    /// result does not depend on which answer came first. What was proposed behind it may be proposed again.
    pub fn accept(&mut self, recording: Recording) {
        let index = self
            .pending
            .iter()
            .position(|pending| Some(pending.fingerprint) == recording.origin);
        self.recorded.insert(recording.tape.fingerprint());
        if recording.tape >= self.best.tape {
            return;
        }
        if let Some(index) = index {
            for unanswered in self.pending.drain(index + 1..) {
                self.proposed.remove(&unanswered.fingerprint);
            }
            if let Some(Pending { mut pass, .. }) = self.pending.pop_back() {
                pass.accepted();
                self.pass = pass;
            }
        } else {
            self.pass = Pass::first();
        }
        self.pending.clear();
        self.has_changed = true;
        self.is_done = false;
        self.best = recording;
    }

    /// The smallest case that fails so far.
    pub fn best(&self) -> &Recording {
        &self.best
    }

    fn next_candidate(&mut self) -> Option<Tape> {
        while !self.is_done {
            let Some(tape) = self.pass.propose(&self.best) else {
                self.next_pass();
                continue;
            };
            let fingerprint = tape.fingerprint();
            if tape < self.best.tape && self.proposed.insert(fingerprint) {
                self.pending.push_back(Pending {
                    fingerprint,
                    pass: self.pass.clone(),
                });
                return Some(tape);
            }
        }
        None
    }

    fn next_pass(&mut self) {
        match self.pass.next() {
            Some(pass) => self.pass = pass,
            None if self.has_changed => {
                self.has_changed = false;
                self.pass = Pass::first();
            }
            None => self.is_done = true,
        }
    }
}
