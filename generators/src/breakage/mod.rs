//! Schemas that break exactly one rule of chapter 2, with the causes that the specification demands.
//!
//! What must be reported is written down beside each breakage, from the text of the rule; nothing of it is computed by the functions
//! that are to be judged. Causes are as without the status subresource (CRDVAL-040 adds its own for the root).

mod plant;
mod quantifiers;
mod root;
mod rules;
mod topology;

use crdible_semantics::{Reason, Schema};
use serde_json::Value;

use crate::choice::Choices;
use crate::schema::{self, SchemaShape};

/// A schema that breaks exactly one rule of chapter 2.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenSchema {
    /// The schema as it goes into the definition.
    pub json: Value,
    /// The rule (`STRUCT-008`).
    pub requirement: &'static str,
    /// Which `Edge` line of the rule tells this case, counted from 1 over all its `Edge` lines; `None` for the rule's own text.
    pub edge: Option<u16>,
    /// All causes that the server must report, in any order: the field from `openAPIV3Schema` on (CRDVAL-024), and the reason.
    pub violations: Vec<(String, Reason)>,
    /// The valid schema that was broken.
    pub whole: Schema,
}

/// One way to break one rule.
struct Breakage {
    requirement: &'static str,
    edge: Option<u16>,
    how: How,
}

/// Causes: what stands behind the path of the broken part, and the reason.
type Causes = &'static [(&'static str, Reason)];

enum How {
    /// This schema (as JSON text) somewhere in the structural part.
    Node(&'static str, Causes),
    /// The same, but only as a property: what is null elsewhere is absent.
    Property(&'static str, Causes),
    /// This branch (as JSON text) somewhere in a quantifier below the root.
    Branch(&'static str, Causes),
    /// A merge patch of the root, if the root is fit for it.
    Root(&'static str, fn(&Schema) -> bool, Causes),
    /// Anything else.
    Made(fn(&mut Choices, &Schema) -> Option<Broken>),
}

/// The outcome of a breakage: the JSON and the causes.
type Broken = (Value, Vec<(String, Reason)>);

/// The prefix of all fields.
const ROOT: &str = "openAPIV3Schema";

fn breakages() -> impl Iterator<Item = &'static Breakage> {
    root::BREAKAGES.iter().chain(&rules::BREAKAGES).chain(&quantifiers::BREAKAGES).chain(&topology::BREAKAGES)
}

/// A valid schema with exactly one rule broken at a random place.
pub fn broken_schema(c: &mut Choices, shape: &SchemaShape) -> BrokenSchema {
    // Rules are equally likely, however many ways there are to break them.
    let requirements = requirements();
    let requirement = *c.pick(&requirements);
    make(c, shape, requirement)
}

/// A valid schema with the given rule broken at a random place; `None` if the rule is none that can be broken (it only allows
/// something, or it is a quirk).
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
    let whole = schema::schema(c, shape);
    let candidates: Vec<&Breakage> = breakages().filter(|breakage| breakage.requirement == requirement).collect();
    c.keyed("@breakage", |c| {
        let first = usize::try_from(c.draw(candidates.len() as u64 - 1)).unwrap_or(0);
        // Not every way fits every schema: the next one that does.
        for step in 0..candidates.len() {
            let breakage = candidates[(first + step) % candidates.len()];
            if let Some((json, violations)) = apply(c, &whole, &breakage.how) {
                c.reached(breakage.requirement);
                let edge = breakage.edge;
                return BrokenSchema { json, requirement, edge, violations, whole: whole.clone() };
            }
        }
        c.discard("no way to break the rule in this schema");
        BrokenSchema { json: whole.to_json(), requirement, edge: None, violations: Vec::new(), whole: whole.clone() }
    })
}

fn apply(c: &mut Choices, whole: &Schema, how: &How) -> Option<Broken> {
    match how {
        How::Node(node, causes) => plant::anywhere(c, whole, parsed(node)?, causes),
        How::Property(node, causes) => plant::as_property(c, whole, parsed(node)?, causes),
        How::Branch(branch, causes) => plant::in_quantifier(c, whole, parsed(branch)?, causes),
        How::Root(patch, is_fit, causes) if is_fit(whole) => {
            let mut json = whole.to_json();
            plant::merge(&mut json, &parsed(patch)?);
            Some((json, plant::fields(ROOT, causes)))
        }
        How::Root(..) => None,
        How::Made(make) => make(c, whole),
    }
}

/// The tables hold JSON as text, which reads best; a test parses all of it.
fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
