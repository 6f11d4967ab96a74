//! Room for recursion.
//!
//! The parser limits how deep each construct nests, not the sum of all: macros and chains of `||` multiply, so a text
//! of 100,000 characters can become a tree of thousands of levels. That is more than the stack of a small thread has.

/// Before this much is left, a new piece of stack is taken.
const LEFT: usize = 512 << 10;
/// The size of a new piece.
const PIECE: usize = 4 << 20;

/// Does one level of a recursion over a tree, on a new piece of stack if little is left.
#[inline]
pub(crate) fn deep<R>(level: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(LEFT, PIECE, level)
}
