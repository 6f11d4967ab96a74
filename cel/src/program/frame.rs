//! What an evaluation knows and has spent.

use std::sync::Arc;

use super::Step;
use crate::Release;
use crate::ast::Name;
use crate::value::{Evaluated, EvaluationError};

/// What an evaluation has spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// In upstream's units.
    pub units: u64,
    /// Whether it ended since that was more than the limit.
    pub is_over_limit: bool,
}

/// A variable of a comprehension.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Empty,
    /// The accumulator, until it is asked for.
    Awaited(Arc<Step>),
    Known(Evaluated),
}

/// An evaluation.
pub(super) struct Frame<'a> {
    pub(super) release: Release,
    names: &'a [Name],
    resolve: &'a dyn Fn(&str) -> Option<Evaluated>,
    /// By the place of the variable; `None` until it is needed.
    variables: Vec<Option<Evaluated>>,
    /// The variables of comprehensions; `None` until they have a value.
    pub(super) slots: Vec<Slot>,
    units: u64,
    limit: u64,
}

impl<'a> Frame<'a> {
    pub(super) fn new(
        release: Release,
        names: &'a [Name],
        slots: usize,
        resolve: &'a dyn Fn(&str) -> Option<Evaluated>,
        limit: u64,
    ) -> Self {
        Self {
            release,
            names,
            resolve,
            variables: vec![None; names.len()],
            slots: vec![Slot::Empty; slots],
            units: 0,
            limit,
        }
    }

    pub(super) fn spend(&mut self, units: u64) {
        self.units = self.units.saturating_add(units);
    }

    /// Takes one unit back, also of none, as upstream does.
    pub(super) fn take_back(&mut self) {
        self.units = self.units.wrapping_sub(1);
    }

    /// Whether it has spent too much: then nothing more is evaluated.
    pub(super) fn is_over(&self) -> bool {
        self.units > self.limit
    }

    pub(super) fn spent(&self) -> Spent {
        Spent { units: self.units, is_over_limit: self.is_over() }
    }

    pub(super) fn variable(&mut self, place: usize) -> Evaluated {
        let name = &self.names[place];
        self.variables[place]
            .get_or_insert_with(|| {
                let missing = || Err(EvaluationError::new(format!("no such attribute(s): {name}")));
                (self.resolve)(name).unwrap_or_else(missing)
            })
            .clone()
    }
}
