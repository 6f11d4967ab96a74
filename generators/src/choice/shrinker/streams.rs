//! Parts simplified as a whole: the streams of a part are dropped with all below them, outer parts first.

use crate::choice::{Recording, Tape};

/// Where the pass is: the depth and the path of the last subtree that was tried.
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

/// The paths of all streams and of what lies around them, top first.
fn subtrees(tape: &Tape) -> Vec<(usize, String)> {
    let mut found = std::collections::BTreeSet::new();
    for (path, _) in tape.streams() {
        let mut end = path.len();
        while end > 0 {
            let around = &path[..end];
            found.insert((around.matches('/').count(), around.to_owned()));
            end = around.rfind('/').unwrap_or(0);
        }
    }
    found.into_iter().collect()
}
