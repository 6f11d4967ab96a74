//! Shrinking of recorded choices.
//!
//! [`Shrinker`] is pure: it holds the best case so far and proposes smaller tapes. Its driver runs the generator on
//! them, runs the cases, and reports which one still fails. Several candidates may be pending in parallel: each is
//! proposed on the assumption that those before it passed, and when one is accepted, the passes continue from where it
//! was proposed.
//!
//! Passes, in order: drop objects and other whole parts ([`streams`]); delete, simplify or hoist parts of the schema
//! ([`spans`]); lower single choices by binary search ([`values`]). They repeat until nothing changes. A pass continues
//! where it was when a candidate is accepted; it does not start again.

mod addresses;
mod run;
mod spans;
mod streams;
mod values;

use std::collections::{HashSet, VecDeque};

use super::{Choices, Recording, Tape};

pub use run::{ShrinkOutcome, shrink};

/// A pass and its state.
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

    /// The next pass; `None` after the last.
    fn next(&self) -> Option<Self> {
        match self {
            Self::Streams(_) => Some(Self::Spans(spans::Cursor::default())),
            Self::Spans(_) => Some(Self::Values(values::Cursor::default())),
            Self::Values(_) => None,
        }
    }

    /// The next candidate, assuming that the last one passed; `None` at the end of the pass.
    fn propose(&mut self, best: &Recording) -> Option<Tape> {
        match self {
            Self::Streams(cursor) => cursor.propose(best),
            Self::Spans(cursor) => cursor.propose(best),
            Self::Values(cursor) => cursor.propose(best),
        }
    }

    /// Records that the last candidate was accepted.
    fn accepted(&mut self) {
        match self {
            // The dropped streams no longer exist.
            Self::Streams(_) => {}
            Self::Spans(cursor) => cursor.accepted(),
            Self::Values(cursor) => cursor.accepted(),
        }
    }
}

/// A candidate whose result is not known yet.
#[derive(Clone, Debug)]
struct Pending {
    fingerprint: u64,
    pass: Pass,
}

/// The state of a shrink.
#[derive(Clone, Debug)]
pub struct Shrinker {
    best: Recording,
    pass: Pass,
    /// Whether a candidate was accepted in this round of passes.
    has_changed: bool,
    is_done: bool,
    /// Fingerprints of the proposed tapes.
    proposed: HashSet<u64>,
    /// Fingerprints of the recorded tapes: many proposals make the same case.
    recorded: HashSet<u64>,
    pending: VecDeque<Pending>,
}

impl Shrinker {
    /// Starts from a failing case.
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

    /// Up to `count` candidates, the most promising first: each is strictly smaller than the best case and was not
    /// proposed before. Empty if nothing is left to try.
    ///
    /// Candidates that were proposed earlier and not accepted count as passed.
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

    /// Up to `count` candidates that are worth running, with the generated case: skips a candidate that makes a case
    /// seen before, that is not smaller than the best, or that the generator discards. Empty if nothing is left to try.
    ///
    /// Drivers should prefer this over [`Shrinker::propose`]: generating costs microseconds, running costs requests.
    pub fn next_cases<T>(&mut self, count: usize, generate: impl Fn(&mut Choices) -> T) -> Vec<(T, Recording)> {
        self.pending.clear();
        let mut cases = Vec::new();
        while cases.len() < count {
            let Some(tape) = self.next_candidate() else {
                break;
            };
            let mut choices = Choices::replay(&tape).at(self.best.release);
            let case = generate(&mut choices);
            let recording = choices.finish();
            if self.is_worthwhile(&recording) {
                cases.push((case, recording));
            }
        }
        cases
    }

    /// Whether a candidate is worth running: smaller than the best case, not seen before, not discarded. Marks it as
    /// seen.
    pub fn is_worthwhile(&mut self, recording: &Recording) -> bool {
        recording.discarded.is_none()
            && recording.tape < self.best.tape
            && self.recorded.insert(recording.tape.fingerprint())
    }

    /// Accepts a candidate that still fails, with its recording. It becomes the best case if it is smaller.
    ///
    /// If several candidates were proposed together, accept the first failing one in the order of the proposal: then
    /// the result does not depend on which answer arrived first. Candidates after it may be proposed again.
    pub fn accept(&mut self, recording: Recording) {
        let index = self.pending.iter().position(|pending| Some(pending.fingerprint) == recording.origin);
        self.recorded.insert(recording.tape.fingerprint());
        if recording.tape >= self.best.tape {
            return;
        }
        if let Some(index) = index {
            for dropped in self.pending.drain(index + 1..) {
                self.proposed.remove(&dropped.fingerprint);
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

    /// The smallest failing case so far.
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
                self.pending.push_back(Pending { fingerprint, pass: self.pass.clone() });
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of numbers; the case fails if their sum is above 100.
    fn numbers(c: &mut Choices) -> Vec<u64> {
        c.many("number", 0, 20, |c, _| c.draw(1_000))
    }

    fn fails(numbers: &[u64]) -> bool {
        numbers.iter().sum::<u64>() > 100
    }

    fn failing(seed: u64) -> Recording {
        (seed..)
            .find_map(|seed| {
                let mut choices = Choices::random(seed);
                let is_failing = fails(&numbers(&mut choices));
                is_failing.then(|| choices.finish())
            })
            .unwrap_or_default()
    }

    /// Shrinks with `at_once` candidates pending; results after the first failure are lost.
    fn shrunk(first: Recording, at_once: usize) -> (Vec<u64>, usize) {
        let mut shrinker = Shrinker::new(first);
        let mut rounds = 0;
        loop {
            let tapes = shrinker.propose(at_once);
            if tapes.is_empty() {
                return (numbers(&mut Choices::replay(&shrinker.best().tape)), rounds);
            }
            rounds += 1;
            for tape in &tapes {
                assert!(*tape < shrinker.best().tape);
            }
            let recordings = tapes.iter().map(|tape| {
                let mut choices = Choices::replay(tape);
                (numbers(&mut choices), choices.finish())
            });
            if let Some((_, recording)) = recordings.into_iter().find(|(numbers, _)| fails(numbers)) {
                shrinker.accept(recording);
            }
        }
    }

    #[test]
    fn every_batch_size_ends_at_the_smallest_case() {
        for seed in [1, 50, 900] {
            let mut rounds = Vec::new();
            for at_once in [1, 2, 4, 8, 16] {
                let (numbers, taken) = shrunk(failing(seed), at_once);
                assert_eq!(numbers, [101], "{at_once} at once");
                rounds.push(taken);
            }
            assert!(rounds[3] < rounds[0], "batches of eight take fewer rounds: {rounds:?}");
        }
    }

    #[test]
    fn a_larger_case_is_not_accepted() {
        let first = failing(1);
        let mut shrinker = Shrinker::new(first.clone());
        let mut larger = Choices::random(7);
        for _ in 0..200 {
            larger.draw(9);
        }
        shrinker.accept(larger.finish());
        assert_eq!(*shrinker.best(), first);
    }

    #[test]
    fn a_smaller_case_that_was_not_proposed_is_accepted() {
        let mut shrinker = Shrinker::new(failing(1));
        let mut choices = Choices::replay(&Tape::from_streams([(String::new(), vec![1, 102])]));
        numbers(&mut choices);
        let smaller = choices.finish();
        shrinker.accept(smaller.clone());
        assert_eq!(*shrinker.best(), smaller);
        assert!(!shrinker.propose(1).is_empty());
    }

    #[test]
    fn no_tape_is_proposed_twice() {
        let mut shrinker = Shrinker::new(failing(3));
        let mut seen = HashSet::new();
        loop {
            let tapes = shrinker.propose(3);
            if tapes.is_empty() {
                break;
            }
            for tape in tapes {
                assert!(seen.insert(tape));
            }
        }
        assert!(seen.len() > 10);
    }

    #[test]
    fn discarded_cases_are_skipped() {
        let mut shrinker = Shrinker::new(failing(1));
        let cases = shrinker.next_cases(5, |c| {
            numbers(c);
            c.discard("always");
        });
        assert!(cases.is_empty());
    }
}
