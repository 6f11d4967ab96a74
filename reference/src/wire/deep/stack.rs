//! A stack that is large enough for the deepest value.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

use corosensei::on_stack;
use corosensei::stack::{DefaultStack, Stack as _};
use crdible_semantics::rules::on_stack_down_to;

/// Enough for 10,000 levels of 20 KB each; debug builds need less per level. Only the pages that are used are touched.
const STACK_SIZE: usize = 256 << 20;

/// How often a thread uses its large stack before it unmaps it. To map one for each use costs more than most requests
/// do; unmapping gives back the pages that deep values have touched.
const MOST_USES: u32 = 100;

/// A large stack, and how often it has been used.
struct Large {
    stack: DefaultStack,
    uses: u32,
}

thread_local! {
    /// The large stack that this thread keeps for its next use; none while it runs on it.
    static SPARE: Cell<Option<Large>> = const { Cell::new(None) };
    /// The lowest address of the large stack that this thread runs on.
    static LIMIT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Whether this thread's stack can hold the deepest value: it runs on a large one, which is less than half full.
pub(super) fn can_hold_any() -> bool {
    remaining() > STACK_SIZE / 2
}

/// How many bytes of the large stack are left; 0 if this thread runs on none.
fn remaining() -> usize {
    let here = 0_u8;
    let here = std::ptr::from_ref(&here).addr();
    LIMIT.get().map_or(0, |limit| here.saturating_sub(limit))
}

/// Runs `work` on a large stack; `None` if its memory cannot be allocated, or if `work` panics.
///
/// If the caller runs on a large stack already, `work` gets another one.
pub(crate) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> Option<T> {
    let new = || DefaultStack::new(STACK_SIZE).ok().map(|stack| Large { stack, uses: 0 });
    // A thread that is ending has none, and keeps none: a server may be dropped by the destructor of a thread-local.
    let spare = SPARE.try_with(Cell::take).ok().flatten();
    let Some(mut large) = spare.or_else(new) else {
        // What it owns may be too deep to be dropped on this stack.
        std::mem::forget(work);
        return None;
    };
    let limit = large.stack.limit().get();
    let outer = LIMIT.replace(Some(limit));
    let work = || on_stack_down_to(limit, work);
    let done = panic::catch_unwind(AssertUnwindSafe(|| on_stack(&mut large.stack, work))).ok();
    LIMIT.set(outer);
    large.uses += 1;
    if large.uses < MOST_USES {
        let _ = SPARE.try_with(|spare| spare.set(Some(large)));
    }
    done
}

/// Unmaps the large stack that this thread keeps: it was used for a deep value, or will not be needed for long.
pub(crate) fn give_back() {
    drop(SPARE.try_with(Cell::take));
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::mpsc::{self, Sender};
    use std::thread;

    use super::*;

    /// Does something where three fifths of a large stack are in use.
    fn deeply<T>(work: &dyn Fn() -> T) -> T {
        let used = std::hint::black_box([0_u8; 1024]);
        let done = if remaining() < STACK_SIZE / 5 * 2 { work() } else { deeply(work) };
        std::hint::black_box(used);
        done
    }

    #[test]
    fn each_use_has_a_whole_stack() {
        for _ in 0..2 {
            assert_eq!(on_deep_stack(|| deeply(&|| on_deep_stack(|| deeply(&|| 7)))), Some(Some(7)));
            assert_eq!(on_deep_stack(|| deeply(&|| panic!("on purpose"))), None::<()>);
        }
    }

    #[test]
    fn what_is_left_of_a_stack_is_known() {
        let seen =
            on_deep_stack(|| (can_hold_any(), deeply(&can_hold_any), on_deep_stack(can_hold_any), can_hold_any()));
        assert_eq!(seen, Some((true, false, Some(true), true)));
        assert!(!can_hold_any());
    }

    /// How often the large stack that this thread keeps has been used.
    fn uses() -> Option<u32> {
        let spare = SPARE.take();
        let uses = spare.as_ref().map(|large| large.uses);
        SPARE.set(spare);
        uses
    }

    #[test]
    fn a_thread_keeps_a_stack_for_many_uses() {
        let used = || on_deep_stack(|| ()).and(uses());
        let counts: Vec<Option<u32>> = thread::spawn(move || {
            let counts = (0..=MOST_USES).map(|_| used()).collect();
            give_back();
            assert_eq!(uses(), None);
            counts
        })
        .join()
        .expect("no panic");
        assert_eq!(counts[..3], [Some(1), Some(2), Some(3)]);
        assert_eq!(counts[MOST_USES as usize - 2..], [Some(MOST_USES - 1), None, Some(1)]);
    }

    /// Works on a large stack when it is dropped, as a server with deep values does.
    struct Last(Sender<Option<u8>>);

    impl Drop for Last {
        fn drop(&mut self) {
            let _ = self.0.send(on_deep_stack(|| 7));
        }
    }

    thread_local! {
        static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    }

    #[test]
    fn a_thread_that_ends_still_gets_a_stack() {
        let (sender, receiver) = mpsc::channel();
        let ending = thread::spawn(move || {
            // Its destructor runs after that of the large stack, which is registered later.
            LAST.replace(Some(Last(sender)));
            on_deep_stack(|| ())
        });
        assert_eq!(ending.join().expect("no panic"), Some(()));
        assert_eq!(receiver.recv(), Ok(Some(7)));
    }
}
