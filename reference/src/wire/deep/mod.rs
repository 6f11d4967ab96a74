//! Deeply nested values: where a server has them, and a larger stack for them.
//!
//! Bodies may nest 10,000 levels deep (REST-007), and all code that walks values is recursive. A request with deeper
//! nesting than usual runs on a stack that is large enough for the worst case, and so does every later request that may
//! read what it stored.

mod stack;

use std::collections::HashSet;
use std::sync::RwLock;

pub(crate) use stack::{give_back, on_deep_stack};

use crate::base::locks::{read, write};
use crate::wire::json::nesting;
use stack::can_hold_any;

/// Nesting that any caller's stack can hold.
pub(crate) const USUAL_NESTING: usize = 100;

/// How many groups are tracked separately; with more deep groups, all count as deep.
const MAX_TRACKED_GROUPS: usize = 100;

/// Records where a server has deeply nested values.
#[derive(Debug, Default)]
pub(crate) struct Depth(RwLock<Deep>);

#[derive(Debug, Default)]
enum Deep {
    #[default]
    Nowhere,
    /// In definitions or objects of these groups.
    Groups(HashSet<String>),
    Anywhere,
}

impl Depth {
    /// Records that there is a deep value in a definition or object of this group; `None` if the group is not known.
    pub(crate) fn note(&self, group: Option<String>) {
        let mut deep = write(&self.0);
        match (&mut *deep, group) {
            (Deep::Nowhere, Some(group)) => *deep = Deep::Groups(HashSet::from([group])),
            (Deep::Groups(groups), Some(group)) if groups.len() < MAX_TRACKED_GROUPS => {
                groups.insert(group);
            }
            (_, None) | (Deep::Groups(_) | Deep::Anywhere, Some(_)) => *deep = Deep::Anywhere,
        }
    }

    /// Records the nesting of what a webhook answered, if it is deep. Returns whether this thread's stack can hold it;
    /// if not, it has to be read [`on_deep_stack`].
    pub(crate) fn note_answer(&self, answer: &[u8]) -> bool {
        if nesting(answer) <= USUAL_NESTING {
            return true;
        }
        *write(&self.0) = Deep::Anywhere;
        can_hold_any()
    }

    /// Whether a deep value may be among the objects of this group; `None` for everything.
    pub(crate) fn may_be_in(&self, group: Option<&str>) -> bool {
        match (&*read(&self.0), group) {
            (Deep::Nowhere, _) => false,
            (Deep::Groups(groups), Some(group)) => groups.contains(group),
            (Deep::Groups(_), None) | (Deep::Anywhere, _) => true,
        }
    }

    /// Whether a deep value may exist.
    pub(crate) fn is_somewhere(&self) -> bool {
        self.may_be_in(None)
    }
}
