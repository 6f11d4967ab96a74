//! Changes of recorded choices, for cases that resemble an earlier one: what a fuzzer makes of its corpus.
//!
//! A changed tape is drawn from by [`Choices::varied`](super::Choices::varied), so any change is a case that the
//! generator can make: a choice that is impossible at its place, and every gap, is drawn anew. Streams are keyed by the
//! path of the part that draws from them, so a part can be exchanged with that of another tape, or drawn anew, without
//! changing the others.

use super::{
    random::SplitMix,
    tape::{Tape, is_at_or_below},
};

/// A choice that is above every bound but the largest: it is drawn anew.
const GAP: u64 = u64::MAX;

/// The most changes of one mutation: with more, little is left of what made the tape worth keeping.
const MOST_CHANGES: u64 = 3;
/// The longest run of choices that is removed, doubled or drawn anew.
const LONGEST_RUN: u64 = 6;

/// The tape once for each of its choices, with that choice to be drawn anew by
/// [`Choices::varied`](super::Choices::varied).
pub fn one_redrawn(tape: &Tape) -> impl Iterator<Item = Tape> + '_ {
    let choices = tape.streams().flat_map(|(path, values)| (0..values.len()).map(move |at| (path, at)));
    choices.map(|(path, at)| {
        let mut changed = tape.clone();
        changed.edit(path, |values| values[at] = GAP);
        changed
    })
}

/// Changes tapes at random.
#[derive(Clone, Debug)]
pub struct Mutation {
    random: SplitMix,
}

impl Mutation {
    /// Changes that follow from a seed.
    pub fn new(seed: u64) -> Self {
        Self { random: SplitMix::new(seed) }
    }

    /// The tape with a few changes. `other` is another tape of the same generator, of which parts may be taken.
    pub fn apply(&mut self, tape: &Tape, other: Option<&Tape>) -> Tape {
        let mut changed = tape.clone();
        for _ in 0..=self.random.up_to(MOST_CHANGES - 1) {
            self.change(&mut changed, other);
        }
        changed
    }

    fn change(&mut self, tape: &mut Tape, other: Option<&Tape>) {
        let own = 9;
        match (self.random.up_to(own + if other.is_some() { 4 } else { 0 }), other) {
            (0..=1, _) => self.at_a_choice(tape, |_, values, at| values[at] = GAP),
            (2, _) => self.at_a_choice(tape, |random, values, at| values[at] = nudged(random, values[at])),
            (3, _) => self.at_a_run(tape, |values, at, end| values[at..end].fill(GAP)),
            (4, _) => self.at_a_choice(tape, |_, values, at| values.truncate(at)),
            (5, _) => self.at_a_run(tape, |values, at, end| drop(values.drain(at..end))),
            (6, _) => self.at_a_run(tape, |values, at, end| {
                let run = values[at..end].to_vec();
                values.splice(at..at, run);
            }),
            (7..=8, _) => self.redraw_a_part(tape),
            (9, _) => self.move_a_part(tape),
            (10..=11, Some(other)) => self.take_a_part(tape, other),
            (12, Some(other)) => self.take_a_tail(tape, other),
            (_, Some(other)) => self.cross(tape, other),
            (_, None) => {}
        }
    }

    /// Changes a stream at one of its choices; all choices of the tape are equally likely.
    fn at_a_choice(&mut self, tape: &mut Tape, change: impl FnOnce(&mut SplitMix, &mut Vec<u64>, usize)) {
        let Some((path, at)) = self.choice(tape) else { return };
        tape.edit(&path, |values| change(&mut self.random, values, at));
    }

    /// Changes a run of choices, which ends with its stream at the latest.
    fn at_a_run(&mut self, tape: &mut Tape, change: impl FnOnce(&mut Vec<u64>, usize, usize)) {
        let length = self.below(LONGEST_RUN) + 1;
        self.at_a_choice(tape, |_, values, at| change(values, at, values.len().min(at + length)));
    }

    /// Lets a part be drawn anew, with all that is below it.
    fn redraw_a_part(&mut self, tape: &mut Tape) {
        if let Some(path) = self.part(tape) {
            tape.drop_below(&path);
        }
    }

    /// Puts the draws of one part where another of its depth was.
    fn move_a_part(&mut self, tape: &mut Tape) {
        let (Some(from), Some(to)) = (self.part(tape), self.part(tape)) else { return };
        if from.matches('/').count() == to.matches('/').count() {
            let source = tape.clone();
            take(tape, &source, &from, &to);
        }
    }

    /// Takes a part of another tape.
    fn take_a_part(&mut self, tape: &mut Tape, other: &Tape) {
        if let Some(path) = self.part(other) {
            take(tape, other, &path, &path);
        }
    }

    /// Takes what follows a choice in the same stream of another tape.
    fn take_a_tail(&mut self, tape: &mut Tape, other: &Tape) {
        let Some((path, at)) = self.choice(other) else { return };
        let tail = &other.stream(&path)[at..];
        tape.edit(&path, |values| {
            values.truncate(at);
            values.resize(at, GAP);
            values.extend_from_slice(tail);
        });
    }

    /// Takes about half of the outermost parts of another tape.
    fn cross(&mut self, tape: &mut Tape, other: &Tape) {
        let mut parts: Vec<String> = other.streams().filter_map(|(path, _)| outermost(path)).collect();
        parts.dedup();
        for part in parts {
            if self.random.up_to(1) == 1 {
                take(tape, other, &part, &part);
            }
        }
    }

    /// A choice of the tape: its stream and its position.
    fn choice(&mut self, tape: &Tape) -> Option<(String, usize)> {
        let mut left = self.below(tape.size() as u64);
        for (path, values) in tape.streams() {
            if left < values.len() {
                return Some((path.to_owned(), left));
            }
            left -= values.len();
        }
        None
    }

    /// The path of a part: that of a stream, or of a part around it.
    fn part(&mut self, tape: &Tape) -> Option<String> {
        let paths: Vec<&str> = tape.streams().map(|(path, _)| path).filter(|path| !path.is_empty()).collect();
        let path = paths.get(self.below(paths.len() as u64))?;
        let ends: Vec<usize> =
            path.match_indices('/').skip(1).map(|(at, _)| at).chain(std::iter::once(path.len())).collect();
        Some(path[..ends[self.below(ends.len() as u64)]].to_owned())
    }

    /// An index below a count; 0 if that is 0.
    fn below(&mut self, count: u64) -> usize {
        usize::try_from(self.random.up_to(count.saturating_sub(1))).unwrap_or(0)
    }
}

/// A value beside another, or one of those that are often a limit.
fn nudged(random: &mut SplitMix, value: u64) -> u64 {
    match random.up_to(4) {
        0 => value.saturating_add(1),
        1 => value.saturating_sub(1),
        2 => 0,
        3 => value.saturating_mul(2),
        _ => value / 2,
    }
}

/// Replaces the part at `to` by that of another tape at `from`.
fn take(tape: &mut Tape, other: &Tape, from: &str, to: &str) {
    tape.drop_below(to);
    for (path, values) in other.streams().filter(|(path, _)| is_at_or_below(path, from)) {
        tape.edit(&format!("{to}{}", &path[from.len()..]), |kept| values.clone_into(kept));
    }
}

/// The outermost part around a stream.
fn outermost(path: &str) -> Option<String> {
    let rest = path.strip_prefix('/')?;
    Some(path[..=rest.find('/').unwrap_or(rest.len())].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choices;

    fn tape(streams: &[(&str, &[u64])]) -> Tape {
        Tape::from_streams(streams.iter().map(|(path, values)| ((*path).to_owned(), values.to_vec())))
    }

    /// A number in the outer stream, and one in each of two parts.
    fn three(choices: &mut Choices) -> [u64; 3] {
        let first = choices.draw(1_000_000);
        ["a", "b"].iter().fold([first, 0, 0], |[first, _, last], key| {
            [first, last, choices.keyed(key, |choices| choices.draw(1_000_000))]
        })
    }

    #[test]
    fn what_a_tape_holds_is_kept_and_the_rest_is_drawn() {
        let kept = tape(&[("", &[7]), ("/b", &[GAP])]);
        let [first, a, b] = three(&mut Choices::varied(&kept, 5));
        assert_eq!(first, 7);
        assert!(a != 0 && b != 0 && a != b, "{a} {b}: a part that is missing and a gap are drawn");
        assert_eq!(three(&mut Choices::varied(&kept, 5)), [first, a, b], "the seed decides");
        assert_ne!(three(&mut Choices::varied(&kept, 6))[1], a);
    }

    #[test]
    fn a_varied_case_is_replayed_from_its_record() {
        for seed in 0..50 {
            let mut choices = Choices::varied(&tape(&[("", &[9]), ("/b", &[3, 4])]), seed);
            let drawn = (three(&mut choices), choices.amount(500, &[3]), choices.weighted(&[1, 0, 5]));
            let record = choices.finish().tape;
            let mut replayed = Choices::replay(&record);
            assert_eq!((three(&mut replayed), replayed.amount(500, &[3]), replayed.weighted(&[1, 0, 5])), drawn);
        }
    }

    #[test]
    fn each_choice_is_redrawn_alone() {
        let kept = tape(&[("", &[7]), ("/a", &[8]), ("/b", &[9])]);
        let drawn: Vec<[u64; 3]> = one_redrawn(&kept).map(|changed| three(&mut Choices::varied(&changed, 1))).collect();
        let changed: Vec<[bool; 3]> = drawn.iter().map(|[first, a, b]| [*first != 7, *a != 8, *b != 9]).collect();
        assert_eq!(changed, [[true, false, false], [false, true, false], [false, false, true]], "{drawn:?}");
    }

    #[test]
    fn parts_are_taken_with_all_that_is_below_them() {
        let other = tape(&[("", &[1]), ("/a", &[2]), ("/a/x", &[3]), ("/ab", &[4])]);
        let mut changed = tape(&[("", &[9]), ("/a/y", &[8]), ("/c", &[7])]);
        take(&mut changed, &other, "/a", "/a");
        assert_eq!(changed, tape(&[("", &[9]), ("/a", &[2]), ("/a/x", &[3]), ("/c", &[7])]));
        take(&mut changed, &other, "/a", "/c");
        assert_eq!(changed.stream("/c/x"), [3]);
        assert_eq!(outermost("/a/b/c").as_deref(), Some("/a"));
        assert_eq!(outermost("/a").as_deref(), Some("/a"));
        assert_eq!(outermost(""), None);
    }

    #[test]
    fn every_kind_of_change_happens_and_none_fails() {
        let one = tape(&[("", &[1, 2, 3, 4]), ("/a", &[5, 6]), ("/a/x", &[7]), ("/b/#0", &[8])]);
        let other = tape(&[("", &[11, 12]), ("/a", &[13]), ("/c", &[14])]);
        let results: std::collections::BTreeSet<Tape> =
            (0..500).map(|seed| Mutation::new(seed).apply(&one, Some(&other))).collect();
        assert!(results.len() > 200, "{}", results.len());
        let any = |is: &dyn Fn(&Tape) -> bool| results.iter().any(is);
        assert!(any(&|tape| tape.stream("/c") == [14]), "a part of the other tape");
        assert!(any(&|tape| tape.stream("").contains(&GAP)), "a gap");
        assert!(any(&|tape| tape.size() < one.size()) && any(&|tape| tape.size() > one.size()));
        assert!(any(&|tape| tape.stream("").starts_with(&[11])), "choices of the other tape");
        let nothing = Tape::default();
        assert_eq!(Mutation::new(1).apply(&nothing, None), nothing);
        assert_eq!(Mutation::new(1).apply(&one, None), Mutation::new(1).apply(&one, None), "the seed decides");
        for seed in 0..200 {
            Mutation::new(seed).apply(&nothing, Some(&nothing));
        }
    }
}
