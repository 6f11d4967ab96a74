//! Simplifies whole parts: drops a stream and all streams below it, outer parts first.

use crate::choice::{Recording, Tape};

/// The state of the pass: the depth and the path of the subtree that was tried last.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    last: Option<(usize, String)>,
}

impl Cursor {
    pub(super) fn propose(&mut self, best: &Recording) -> Option<Tape> {
        let next =
            subtrees(&best.tape).into_iter().find(|subtree| self.last.as_ref().is_none_or(|last| subtree > last))?;
        let mut tape = best.tape.clone();
        tape.drop_below(&next.1);
        self.last = Some(next);
        Some(tape)
    }
}

/// The paths of all streams and of all their parents, top first.
fn subtrees(tape: &Tape) -> Vec<(usize, String)> {
    let mut found = std::collections::BTreeSet::new();
    for (stream, _) in tape.streams() {
        let mut end = stream.len();
        while end > 0 {
            let path = &stream[..end];
            found.insert((path.matches('/').count(), path.to_owned()));
            end = path.rfind('/').unwrap_or(0);
        }
    }
    found.into_iter().collect()
}
