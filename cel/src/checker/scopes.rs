//! The variables of comprehensions.

use crate::ast::Name;
use crate::types::Type;

/// The variables that can be seen, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    variables: Vec<(Name, Type)>,
    /// How many there were when each scope began.
    starts: Vec<usize>,
}

impl Scopes {
    /// Begins a scope with these variables.
    pub(super) fn enter<'a>(&mut self, variables: impl IntoIterator<Item = (&'a Name, Type)>) {
        self.starts.push(self.variables.len());
        self.variables.extend(variables.into_iter().map(|(name, of)| (Name::clone(name), of)));
    }

    /// Ends the innermost scope.
    pub(super) fn leave(&mut self) {
        let start = self.starts.pop().expect("each scope ends once");
        self.variables.truncate(start);
    }

    /// The type of the innermost variable of this name.
    pub(super) fn find(&self, name: &str) -> Option<&Type> {
        self.variables.iter().rev().find(|(known, _)| **known == *name).map(|(_, of)| of)
    }
}
