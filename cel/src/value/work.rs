//! Bounds for work and memory that upstream does not charge for.
//!
//! A list may hold one value twice, and a list of that list again. Such a value is small in memory, and takes 2^100
//! steps to compare, or 2^100 bytes to print. Upstream would go on for years, or take all memory, at a cost of 1. Here
//! an evaluation has two budgets, and ends with an error once one of them is used up, whatever absorbs errors:
//!
//! - [`look`]: the parts of values that it compares, measures and prints. A long text is several parts.
//! - [`make`]: the bytes of the texts and lists that it makes, also of those that it drops again.
//!
//! They are for what upstream charges too little for: what costs by its size ends at the limit of the cost. What the
//! host does when it compares values of its own is not counted.

use std::cell::Cell;

use super::{EvaluationError, Value};

/// One evaluation compares, measures and prints at most this many parts of values: about a second.
const MOST_PARTS: u64 = 1 << 24;
/// This number of bytes of a text is looked at as quickly as one part.
const BYTES_OF_A_PART: usize = 1 << 10;
/// One evaluation makes at most this many bytes.
const MOST_BYTES: usize = 1 << 29;
/// A text that is made has at most this many bytes.
const LARGEST_TEXT: usize = 1 << 27;
/// A list that is made has at most this many elements; to make it one by one would cost more than a rule may spend.
const LARGEST_LIST: usize = 1 << 22;

/// What an evaluation may still do.
#[derive(Clone, Copy)]
struct Left {
    parts: u64,
    bytes: usize,
    /// Why it ends, once it has done too much.
    fault: Option<&'static str>,
}

const ALL: Left = Left { parts: MOST_PARTS, bytes: MOST_BYTES, fault: None };

thread_local! {
    /// What the evaluation on this thread may still do. Lists of the host compare their elements themselves, so this
    /// cannot be an argument.
    static LEFT: Cell<Left> = const { Cell::new(ALL) };
}

/// Begins an evaluation.
pub(crate) fn begin() {
    LEFT.set(ALL);
}

/// That the evaluation has not done too much.
///
/// Errors: it has.
pub(crate) fn check() -> Result<(), EvaluationError> {
    LEFT.get().fault.map_or(Ok(()), |fault| Err(EvaluationError::new(fault)))
}

/// Whether the evaluation has done too much.
pub(crate) fn is_exhausted() -> bool {
    LEFT.get().fault.is_some()
}

/// Looks at one more part of a value.
///
/// Errors: the evaluation has looked at too many.
pub(crate) fn look() -> Result<(), EvaluationError> {
    look_at(1)
}

/// Looks at this number of parts.
///
/// Errors: the evaluation has looked at too many.
pub(crate) fn look_at(parts: usize) -> Result<(), EvaluationError> {
    let left = LEFT.get();
    let parts = left.parts.checked_sub(parts as u64);
    take(left, parts.map(|parts| Left { parts, ..left }), "too many parts of values are compared")
}

/// Looks through a text of this number of bytes.
///
/// Errors: the evaluation has looked at too much.
pub(crate) fn look_through(bytes: usize) -> Result<(), EvaluationError> {
    look_at(bytes / BYTES_OF_A_PART)
}

/// Makes something of this number of bytes.
///
/// Errors: the evaluation has made too much.
pub(crate) fn make(bytes: usize) -> Result<(), EvaluationError> {
    let left = LEFT.get();
    let bytes = left.bytes.checked_sub(bytes);
    take(left, bytes.map(|bytes| Left { bytes, ..left }), "too large values are made")
}

/// Makes a text of this number of bytes.
///
/// Errors: it would be too large, or the evaluation has made too much.
pub(crate) fn make_text(bytes: usize) -> Result<(), EvaluationError> {
    at_most(bytes, LARGEST_TEXT)?;
    make(bytes)
}

/// A text that is being made.
#[derive(Debug, Default)]
pub(crate) struct Growing(String);

impl Growing {
    /// Adds a part.
    ///
    /// Errors: the text is too large, or the evaluation has made too much.
    pub(crate) fn push(&mut self, part: &str) -> Result<(), EvaluationError> {
        at_most(self.0.len().saturating_add(part.len()), LARGEST_TEXT)?;
        make(part.len())?;
        self.0.push_str(part);
        Ok(())
    }

    pub(crate) fn text(self) -> String {
        self.0
    }
}

/// Makes a list of this number of elements. A host calls it before it makes one for a sum.
///
/// # Errors
/// It would be too large, or the evaluation has made too much.
pub fn make_list(size: usize) -> Result<(), EvaluationError> {
    may_have_elements(size)?;
    make(size.saturating_mul(size_of::<Value>()))
}

/// That a list of this number of elements may be made, or walked through at once.
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

/// Goes on with what is left after something; nothing if that was too much.
fn take(before: Left, after: Option<Left>, fault: &'static str) -> Result<(), EvaluationError> {
    match (before.fault, after) {
        (None, Some(after)) => {
            LEFT.set(after);
            return Ok(());
        }
        (None, None) => LEFT.set(Left { fault: Some(fault), ..before }),
        (Some(_), _) => {}
    }
    check()
}
