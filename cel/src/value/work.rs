//! Bounds for work and memory that upstream does not charge for.
//!
//! A list may hold one value twice, and a list of that list again. Such a value is small in memory, and takes 2^100
//! steps to compare. Upstream would go on for years, at a cost of 1; here, an evaluation ends with an error.

use std::cell::Cell;

use super::EvaluationError;

/// One evaluation compares, measures and prints at most this many parts of values: about a second.
const MOST_PARTS: u64 = 1 << 24;
/// A text that is made has at most this many bytes.
const LARGEST_TEXT: usize = 1 << 27;
/// A list that is made has at most this many elements; to make it one by one would cost more than a rule may spend.
const LARGEST_LIST: usize = 1 << 22;

thread_local! {
    /// How many parts the evaluation on this thread may still look at. Lists of the host compare their elements
    /// themselves, so this cannot be an argument.
    static LEFT: Cell<u64> = const { Cell::new(MOST_PARTS) };
}

/// Begins an evaluation.
pub(crate) fn begin() {
    LEFT.set(MOST_PARTS);
}

/// Looks at one more part of a value.
///
/// Errors: the evaluation has looked at too many.
pub(crate) fn look() -> Result<(), EvaluationError> {
    let left = LEFT.get();
    if left == 0 {
        return Err(EvaluationError::new("too many parts of values are compared"));
    }
    LEFT.set(left - 1);
    Ok(())
}

/// Whether the evaluation has looked at too many parts.
pub(crate) fn is_exhausted() -> bool {
    LEFT.get() == 0
}

/// That a text of so many bytes may be made.
///
/// Errors: it may not.
pub(crate) fn may_have_bytes(size: usize) -> Result<(), EvaluationError> {
    at_most(size, LARGEST_TEXT)
}

/// That a list of so many elements may be made.
///
/// Errors: it may not.
pub(crate) fn may_have_elements(size: usize) -> Result<(), EvaluationError> {
    at_most(size, LARGEST_LIST)
}

fn at_most(size: usize, largest: usize) -> Result<(), EvaluationError> {
    if size > largest {
        return Err(EvaluationError::new(format!("a result of size {size} is too large")));
    }
    Ok(())
}
