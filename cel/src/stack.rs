//! Room for recursion.
//!
//! The parser limits how deep each construct nests, not the sum of all: macros and chains of `||` multiply, so a text
//! of 100,000 characters can become a tree of thousands of levels. That is more than the stack of a small thread has.

use std::cell::Cell;

/// Before this much is left, a new piece of stack is taken.
const LEFT: usize = 512 << 10;
/// The size of a new piece.
const PIECE: usize = 4 << 20;

thread_local! {
    /// The lowest address of the stack that this thread runs on, if its host made it; else the system knows.
    static LOWEST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Does `work`, which runs on a stack that its host made: it reaches down to the address `lowest`.
///
/// The system knows nothing of such a stack, so without this each step with an expression takes a new one, which costs
/// more than the step. Nothing else changes.
pub fn on_stack_down_to<R>(lowest: usize, work: impl FnOnce() -> R) -> R {
    with_lowest(Some(lowest), work)
}

/// Does one level of a recursion over a tree, on a new piece of stack if little is left.
#[inline]
pub(crate) fn deep<R>(level: impl FnOnce() -> R) -> R {
    match LOWEST.get() {
        None => stacker::maybe_grow(LEFT, PIECE, level),
        Some(lowest) if here().saturating_sub(lowest) >= LEFT => level(),
        Some(_) => stacker::grow(PIECE, || with_lowest(None, level)),
    }
}

/// Does `work` with what is known of its stack, and restores what was known, even after a panic.
fn with_lowest<R>(lowest: Option<usize>, work: impl FnOnce() -> R) -> R {
    /// What was known before.
    struct Outer(Option<usize>);

    impl Drop for Outer {
        fn drop(&mut self) {
            LOWEST.set(self.0);
        }
    }

    let _outer = Outer(LOWEST.replace(lowest));
    work()
}

/// An address within the stack that this thread runs on.
#[inline]
fn here() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far apart the stacks of two levels are, when `lowest` is the end of the first.
    fn distance(lowest: usize) -> usize {
        let outer = here();
        on_stack_down_to(lowest, || deep(here)).abs_diff(outer)
    }

    #[test]
    fn a_stack_with_room_is_used_and_one_without_is_not() {
        assert!(distance(here() - 2 * LEFT) < LEFT);
        assert!(distance(here() - LEFT / 2) > LEFT);
    }

    #[test]
    fn on_a_new_piece_nothing_is_known_of_the_old_stack() {
        let lowest = here() - LEFT / 2;
        on_stack_down_to(lowest, || {
            assert_eq!(deep(|| LOWEST.get()), None);
            assert_eq!(LOWEST.get(), Some(lowest));
        });
        assert_eq!(LOWEST.get(), None);
    }
}
