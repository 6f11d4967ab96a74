//! Schemas that violate exactly one rule of chapter 2, with the causes that the specification requires.
//!
//! Each breakage lists its expected causes, which come from the text of the rule; none is computed by the functions
//! under test. They are the causes without the status subresource (CRDVAL-040 adds its own for the root).

mod lists;
mod model;
mod nodes;
mod plant;
mod quantifiers;
mod root;

use crdible_semantics::{Reason, Schema};
use serde_json::Value;

use self::model::{Breakage, Broken, How, ROOT, parsed};
use crate::choice::Choices;
use crate::schema::{self, SchemaShape};

/// A schema that violates exactly one rule of chapter 2.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenSchema {
    /// The schema as sent in the definition.
    pub json: Value,
    /// The rule (`STRUCT-008`).
    pub requirement: &'static str,
    /// Which `Edge` line of the rule describes this case, counted from 1 over all its `Edge` lines; `None` for the
    /// rule's own text.
    pub edge: Option<u16>,
    /// All causes that the server must report, in any order: the field path from `openAPIV3Schema` (CRDVAL-024), and
    /// the reason.
    pub violations: Vec<(String, Reason)>,
    /// The valid schema that it was made from.
    pub valid: Schema,
}

fn breakages() -> impl Iterator<Item = &'static Breakage> {
    [root::BREAKAGES, nodes::BREAKAGES, quantifiers::BREAKAGES, lists::BREAKAGES].into_iter().flatten()
}

/// Draws a valid schema and breaks one rule at a random place.
pub fn broken_schema(c: &mut Choices, shape: &SchemaShape) -> BrokenSchema {
    // Rules are equally likely, however many ways there are to break them.
    let requirements = requirements();
    let requirement = *c.pick(&requirements);
    make(c, shape, requirement)
}

/// Draws a valid schema and breaks the given rule at a random place; `None` if the rule cannot be broken, because it
/// only allows something or is a quirk.
pub fn broken_schema_of(c: &mut Choices, shape: &SchemaShape, requirement: &str) -> Option<BrokenSchema> {
    let requirement = requirements().into_iter().find(|known| *known == requirement)?;
    Some(make(c, shape, requirement))
}

/// The rules that can be broken, in order.
pub fn requirements() -> Vec<&'static str> {
    let mut requirements: Vec<&'static str> = breakages().map(|breakage| breakage.requirement).collect();
    requirements.sort_unstable();
    requirements.dedup();
    requirements
}

/// All rules and edges that are covered, in order.
pub fn coverage() -> Vec<(&'static str, Option<u16>)> {
    let mut covered: Vec<_> = breakages().map(|breakage| (breakage.requirement, breakage.edge)).collect();
    covered.sort_unstable();
    covered.dedup();
    covered
}

fn make(c: &mut Choices, shape: &SchemaShape, requirement: &'static str) -> BrokenSchema {
    let valid = schema::schema(c, shape);
    let candidates: Vec<&Breakage> = breakages().filter(|breakage| breakage.requirement == requirement).collect();
    c.keyed("@breakage", |c| {
        let first = c.index(candidates.len());
        // Not every breakage applies to every schema, so try the following ones too.
        for step in 0..candidates.len() {
            let breakage = candidates[(first + step) % candidates.len()];
            if let Some((json, violations)) = apply(c, &valid, &breakage.how) {
                c.reached(breakage.requirement);
                let edge = breakage.edge;
                return BrokenSchema { json, requirement, edge, violations, valid: valid.clone() };
            }
        }
        c.discard("no way to break the rule in this schema");
        BrokenSchema { json: valid.to_json(), requirement, edge: None, violations: Vec::new(), valid: valid.clone() }
    })
}

fn apply(c: &mut Choices, valid: &Schema, how: &How) -> Option<Broken> {
    match how {
        How::Node(node, causes) => plant::anywhere(c, valid, parsed(node)?, causes),
        How::Property(node, causes) => plant::as_property(c, valid, parsed(node)?, causes),
        How::Branch(branch, causes) => plant::in_quantifier(c, valid, parsed(branch)?, causes),
        How::Root(patch, applies, causes) if applies(valid) => {
            let mut json = valid.to_json();
            plant::merge(&mut json, &parsed(patch)?);
            Some((json, plant::fields(ROOT, causes)))
        }
        How::Root(..) => None,
        How::Made(make) => make(c, valid),
    }
}
