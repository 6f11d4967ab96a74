//! Draws legal definitions with one or two places varied.

use crdible_semantics::Cause;
use serde_json::Value;

use super::legal::definition;
use super::variation::{Part, Variation, VariedDefinition};
use super::variations::variations;
use crate::choice::Choices;

/// A definition that violates rules, and the expected answer.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenDefinition {
    /// The document.
    pub document: Value,
    /// The variations that were applied.
    pub variations: Vec<&'static Variation>,
    /// All expected causes, in any order.
    pub causes: Vec<Cause>,
}

/// Draws a legal definition and applies one of these variations.
pub fn varied(c: &mut Choices, among: &[&'static Variation]) -> VariedDefinition {
    let variation = *c.pick(among);
    let document = definition(c);
    let version = some_version(c, &document);
    variation.of(document, version)
}

/// Draws a legal definition and breaks one rule. Rules are equally likely, however many ways there are to break them.
pub fn broken(c: &mut Choices) -> BrokenDefinition {
    let variation = breakage(c, |_| true);
    let mut document = definition(c);
    let causes = vary(c, &mut document, variation);
    BrokenDefinition { document, variations: vec![variation], causes }
}

/// Draws a legal definition and breaks two rules, in independent parts.
pub fn twice_broken(c: &mut Choices) -> BrokenDefinition {
    let first = breakage(c, |variation| variation.part != Part::Alone);
    let second = breakage(c, |variation| variation.part != Part::Alone && variation.part != first.part);
    let mut document = definition(c);
    let mut causes = vary(c, &mut document, first);
    causes.extend(vary(c, &mut document, second));
    BrokenDefinition { document, variations: vec![first, second], causes }
}

/// Draws a way to break a rule, among the allowed ones: first the requirement, then the way.
fn breakage(c: &mut Choices, is_allowed: impl Fn(&Variation) -> bool) -> &'static Variation {
    let is_candidate = |variation: &&Variation| variation.is_refused() && is_allowed(variation);
    let mut requirements: Vec<&str> = variations().filter(is_candidate).map(Variation::requirement).collect();
    requirements.dedup();
    let requirement = *c.pick(&requirements);
    let candidates: Vec<&'static Variation> =
        variations().filter(is_candidate).filter(|variation| variation.requirement() == requirement).collect();
    let variation = *c.pick(&candidates);
    c.reached(variation.requirement());
    variation
}

fn vary(c: &mut Choices, document: &mut Value, variation: &'static Variation) -> Vec<Cause> {
    let version = some_version(c, document);
    variation.apply(document, version)
}

/// Draws the index of one of the definition's versions.
fn some_version(c: &mut Choices, document: &Value) -> usize {
    c.index(document["spec"]["versions"].as_array().map_or(0, Vec::len))
}
