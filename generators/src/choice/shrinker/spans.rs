//! Deletes parts, simplifies them, or replaces them by parts that they contain.
//!
//! Spans are visited stream by stream and level by level, from last to first: so a cursor stays valid when a later span
//! is deleted, and a part is deleted before its own parts are tried.

use std::cmp::Reverse;

use super::addresses::{self, NameFate};
use crate::choice::tape::is_at_or_below;
use crate::choice::{Recording, Span, Tape};

/// The order in which spans are tried: outer streams first, outer levels first, last spans first.
type Key = (usize, String, usize, Reverse<usize>, Reverse<usize>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ShrinkStep {
    /// Deletes an element, and the `run - 1` elements before it.
    Delete {
        run: usize,
    },
    /// Sets all its choices to the simplest.
    Zero,
    /// Replaces it by the `nth` largest part with the same label inside it.
    Hoist {
        nth: usize,
    },
    Done,
}

/// Where the pass is.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    at: Option<(Key, ShrinkStep)>,
    /// How many elements the last step deleted together; the next run is twice as long.
    run: usize,
}

impl Cursor {
    pub(super) fn propose(&mut self, best: &Recording) -> Option<Tape> {
        let mut spans: Vec<(Key, &Span)> =
            best.spans.iter().filter(|span| span.end > span.start).map(|span| (key(span), span)).collect();
        spans.sort_by(|a, b| a.0.cmp(&b.0));
        loop {
            let (index, step) = match &self.at {
                None => (0, first_step(self.run)),
                Some((key, step)) => {
                    let index = spans.partition_point(|(other, _)| other < key);
                    let is_same = spans.get(index).is_some_and(|(other, _)| other == key);
                    (index, if is_same { *step } else { first_step(self.run) })
                }
            };
            let (key, span) = spans.get(index)?;
            if step == ShrinkStep::Done {
                let (key, _) = spans.get(index + 1)?;
                self.at = Some((key.clone(), first_step(self.run)));
                continue;
            }
            let (tape, next) = candidate(best, span, step);
            if !matches!(next, ShrinkStep::Delete { .. }) {
                self.run = 0;
            }
            self.at = Some((key.clone(), next));
            if let Some(tape) = tape {
                if let ShrinkStep::Delete { run } = step {
                    self.run = run;
                }
                return Some(tape);
            }
        }
    }

    pub(super) fn accepted(&mut self) {
        self.run *= 2;
    }
}

fn first_step(run: usize) -> ShrinkStep {
    ShrinkStep::Delete { run: run.max(1) }
}

fn key(span: &Span) -> Key {
    let level = span.stream.matches('/').count();
    (level, span.stream.to_string(), span.depth, Reverse(span.start), Reverse(span.end))
}

/// The candidate of a step, if it has one, and the next step if the candidate passes.
fn candidate(best: &Recording, span: &Span, step: ShrinkStep) -> (Option<Tape>, ShrinkStep) {
    match step {
        ShrinkStep::Delete { .. } if !span.is_element => (None, ShrinkStep::Zero),
        ShrinkStep::Delete { run } => {
            (deleted(best, span, run), if run > 1 { ShrinkStep::Delete { run: 1 } } else { ShrinkStep::Zero })
        }
        ShrinkStep::Zero => (zeroed(best, span), ShrinkStep::Hoist { nth: 0 }),
        ShrinkStep::Hoist { nth } => match hoisted(best, span, nth) {
            Some(tape) => {
                (Some(tape), if nth < MOST_HOISTS { ShrinkStep::Hoist { nth: nth + 1 } } else { ShrinkStep::Done })
            }
            None => (None, ShrinkStep::Done),
        },
        ShrinkStep::Done => (None, ShrinkStep::Done),
    }
}

/// At most this many parts are tried as a replacement of one, largest first: they contain the others.
const MOST_HOISTS: usize = 3;

/// Deletes an element and the `run - 1` elements of the same list before it.
fn deleted(best: &Recording, span: &Span, run: usize) -> Option<Tape> {
    let mut deleted_spans: Vec<&Span> = vec![span];
    while deleted_spans.len() < run {
        let first = deleted_spans[deleted_spans.len() - 1];
        let before = best.spans.iter().find(|other| {
            other.is_element
                && other.label == first.label
                && other.stream == first.stream
                && other.depth == first.depth
                && other.end == first.start
                && other.index + 1 == first.index
        });
        match before {
            Some(before) => deleted_spans.push(before),
            // Shorter runs were tried before.
            None => return None,
        }
    }
    let mut tape = best.tape.clone();
    for element in &deleted_spans {
        let (start, end) = (element.start, element.end);
        tape.edit(&element.stream, |values| {
            values.drain(start..end);
        });
        if let Some(scope) = &element.scope {
            tape.drop_below(scope);
            tape.rename(|path| addresses::shifted(path, scope));
        }
    }
    let is_deleted = |stream: &str, position: usize| {
        deleted_spans
            .iter()
            .any(|element| *element.stream == *stream && (element.start..element.end).contains(&position))
    };
    let names = addresses::changed_names(best, &span.address, |stream, position| {
        if is_deleted(stream, position) { NameFate::Dropped } else { NameFate::Same }
    });
    if !names.is_empty() {
        tape = addresses::with_names(best, &tape, &span.address, &names);
    }
    Some(tape)
}

/// Sets all choices of a part to the simplest; an element stays present.
fn zeroed(best: &Recording, span: &Span) -> Option<Tape> {
    let values = best.tape.stream(&span.stream).get(span.start..span.end)?;
    // The first choice of an element decides that it exists.
    let kept = usize::from(span.is_element && values.first() == Some(&1));
    if values.iter().skip(kept).all(|&value| value == 0) {
        return None;
    }
    let mut tape = best.tape.clone();
    tape.edit(&span.stream, |values| {
        values[span.start + kept..span.end].fill(0);
    });
    Some(tape)
}

/// Replaces a part, and everything drawn for it, by the `nth` largest part with the same label inside it or next to it.
fn hoisted(best: &Recording, span: &Span, nth: usize) -> Option<Tape> {
    let is_within = |inner: &&Span| {
        let is_same_stream = inner.stream == span.stream && inner.depth > span.depth;
        let is_smaller =
            inner.start >= span.start && inner.end <= span.end && inner.end - inner.start < span.end - span.start;
        // A part with its own stream is all of that stream.
        let has_own_stream = inner.address != span.address && inner.depth == 0 && span.depth == 0;
        let is_below = is_below(&inner.stream, &span.stream);
        let is_sibling = !is_below && parent(&inner.stream) == parent(&span.stream);
        inner.label == span.label
            && !inner.is_element
            && ((is_same_stream && is_smaller) || (has_own_stream && (is_below || is_sibling)))
    };
    let mut inner: Vec<&Span> = best.spans.iter().filter(is_within).collect();
    let size = |inner: &Span| {
        if inner.stream == span.stream {
            inner.end - inner.start
        } else {
            best.tape
                .streams()
                .filter(|(path, _)| is_at_or_below(path, &inner.stream))
                .map(|(_, values)| values.len())
                .sum()
        }
    };
    inner.sort_by_cached_key(|inner| Reverse(size(inner)));
    let inner = *inner.get(nth)?;
    if inner.stream == span.stream {
        let mut tape = best.tape.clone();
        tape.edit(&span.stream, |values| {
            let replacement = values[inner.start..inner.end].to_vec();
            values.splice(span.start..span.end, replacement);
        });
        return Some(tape);
    }
    let fate = |path: &str| addresses::hoisted(best, path, &inner.address, &span.address);
    Some(addresses::moved(&best.tape, fate))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn is_below(path: &str, around: &str) -> bool {
    path.len() > around.len() && is_at_or_below(path, around)
}
