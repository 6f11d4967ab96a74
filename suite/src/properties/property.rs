//! What a property is.

use std::fmt;

use crdible_generators::choice::Choices;

use crate::scenario::Scenario;

/// A promise that is tried with generated scenarios: a pure plan, and what its checks assert.
#[derive(Debug)]
pub struct Property {
    /// Its name for flags and files: the first requirement in lower case and a few words, `prune-001-unknown-keys`.
    pub id: &'static str,
    /// What must hold, in one sentence.
    pub title: &'static str,
    /// Every requirement and edge that one of its checks asserts: `PRUNE-001`, `PRUNE-001/e1`. Each check names its own part.
    pub asserts: &'static [&'static str],
    /// What a target must be able to do before the property says anything.
    pub needs: &'static [Capability],
    /// Hand-made scenarios that run before the random ones: the corners that chance would take long to find.
    pub edges: &'static [Edge],
    /// Plans one scenario: a pure function of the choices.
    pub plan: fn(&mut Choices) -> Scenario,
}

impl Property {
    /// Whether it asserts nothing: its scenarios are for comparisons alone.
    pub fn is_exploration(&self) -> bool {
        self.asserts.is_empty()
    }
}

/// A hand-made scenario.
#[derive(Debug)]
pub struct Edge {
    /// What it is about, in a few words joined by dashes.
    pub name: &'static str,
    /// The scenario.
    pub plan: fn() -> Scenario,
}

/// Something that a whole group of properties stands on. A target that lacks one gets one finding for it, and the properties
/// that need it are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// A definition can be created as a dry run.
    DefinitionDryRun,
    /// A definition becomes served, and objects of it can be created as a dry run.
    Serving,
    /// Objects can be created, read, replaced and deleted.
    Storing,
    /// An undeclared field is pruned.
    Pruning,
    /// A default is filled in.
    Defaulting,
    /// A wrong type is refused with a cause.
    Validation,
    /// A schema without a type is refused.
    StructuralSchemas,
    /// The group is listed in discovery.
    Discovery,
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::DefinitionDryRun => "dry runs of definitions",
            Self::Serving => "serving of definitions",
            Self::Storing => "storing of objects",
            Self::Pruning => "pruning",
            Self::Defaulting => "defaulting",
            Self::Validation => "validation of values",
            Self::StructuralSchemas => "the demand for structural schemas",
            Self::Discovery => "discovery",
        })
    }
}
