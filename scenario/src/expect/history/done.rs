//! An operation that was answered.

use crate::{scenario::Operation, transcript::Answer};

/// An operation with its answer.
#[derive(Clone, Copy)]
pub(super) struct Done<'a> {
    pub(super) operation: &'a Operation,
    pub(super) answer: &'a Answer,
    /// What it refers to, if it does.
    pub(super) seen: Option<&'a Answer>,
}

impl Done<'_> {
    /// Whether it was answered before the other one was sent.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        self.answer.timing.received < other.answer.timing.sent
    }
}
