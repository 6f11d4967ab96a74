//! Deep values on a deep stack.
//!
//! Bodies may nest 10,000 deep (REST-007), and everything that walks a value does so by recursion. A request that is
//! deeper than usual, and from then on every request of that server, runs on a stack for the worst case.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};

/// Nesting that fits any stack on which a server may be called.
const USUAL_NESTING: usize = 100;

/// Enough for 10,000 levels at 20 KB each, which the walks of a debug build stay below. The pages are touched only when used.
const STACK_SIZE: usize = 256 << 20;

/// Whether a server has seen a deep value.
#[derive(Debug, Default)]
pub(crate) struct Depth(AtomicBool);

impl Depth {
    /// Takes note of a body with this nesting.
    pub(crate) fn note(&self, nesting: usize) {
        if nesting > USUAL_NESTING {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    /// Runs the work on a stack that bears what was noted; nothing comes back if the machine has no memory for one.
    ///
    /// A new stack and not a new thread: it is mapped for each request, and a thread would cost ten times as much.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        if !self.0.load(Ordering::Relaxed) {
            return Some(work());
        }
        panic::catch_unwind(AssertUnwindSafe(|| stacker::grow(STACK_SIZE, work))).ok()
    }
}
