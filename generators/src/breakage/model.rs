//! The model of a breakage: the rows of the tables.

use crdible_semantics::{Reason, Schema};
use serde_json::Value;

use crate::choice::Choices;

/// A way to break a rule.
pub(super) struct Breakage {
    pub(super) requirement: &'static str,
    pub(super) edge: Option<u16>,
    pub(super) how: How,
}

/// Causes: what follows the path of the broken part, and the reason.
pub(super) type Causes = &'static [(&'static str, Reason)];

pub(super) enum How {
    /// Adds this schema (as JSON text) anywhere in the structural part.
    Node(&'static str, Causes),
    /// The same, but only as a property: elsewhere a null schema means an absent one.
    Property(&'static str, Causes),
    /// Adds this branch (as JSON text) anywhere in a quantifier below the root.
    Branch(&'static str, Causes),
    /// Applies this merge patch (as JSON text) to the root, if the root allows it.
    Root(&'static str, fn(&Schema) -> bool, Causes),
    /// Anything else.
    Made(fn(&mut Choices, &Schema) -> Option<Broken>),
}

/// The result of a breakage: the broken schema and its causes.
pub(super) type Broken = (Value, Vec<(String, Reason)>);

/// The prefix of all field paths.
pub(super) const ROOT: &str = "openAPIV3Schema";

/// A row of a table.
pub(super) const fn breakage(requirement: &'static str, edge: Option<u16>, how: How) -> Breakage {
    Breakage { requirement, edge, how }
}

/// Parses JSON from a table. The tables hold JSON as text, which is easiest to read; a test parses all of it.
pub(super) fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
