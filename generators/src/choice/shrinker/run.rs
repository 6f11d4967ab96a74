//! A complete shrink in one process.

use super::Shrinker;
use crate::choice::{Choices, Recording};

/// The result of a shrink.
#[derive(Clone, Debug)]
pub struct ShrinkOutcome {
    /// The smallest case that fails.
    pub best: Recording,
    /// The number of cases that were tried.
    pub executions: usize,
    /// How many of them failed and became the best case.
    pub accepted: usize,
    /// Whether nothing was left to try; false if the limit ended the shrink.
    pub is_complete: bool,
}

/// Shrinks a failing case. `generate` makes a case from choices, `still_fails` runs it; at most `limit` cases are run.
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
