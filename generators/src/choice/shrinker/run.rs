//! A whole shrink in one process.

use super::Shrinker;
use crate::choice::{Choices, Recording};

/// How a shrink went.
#[derive(Clone, Debug)]
pub struct ShrinkOutcome {
    /// The smallest case that fails.
    pub best: Recording,
    /// How many cases were tried.
    pub executions: usize,
    /// How many of them failed too, and became the best.
    pub accepted: usize,
    /// Whether nothing was left to try; else the limit ended it.
    pub is_complete: bool,
}

/// Shrinks a failing case: `generate` makes a case from choices, `still_fails` tries it; at most `limit` cases are tried.
pub fn shrink<T>(
    first: Recording,
    limit: usize,
    generate: impl Fn(&mut Choices) -> T,
    mut still_fails: impl FnMut(&T) -> bool,
) -> ShrinkOutcome {
    let mut shrinker = Shrinker::new(first);
    let (mut executions, mut accepted, mut is_complete) = (0, 0, false);
    while executions < limit {
        let Some((case, recording)) = shrinker.next_cases(1, &generate).pop() else {
            is_complete = true;
            break;
        };
        executions += 1;
        if still_fails(&case) {
            accepted += 1;
            shrinker.accept(recording);
        }
    }
    ShrinkOutcome { best: shrinker.best.clone(), executions, accepted, is_complete }
}
