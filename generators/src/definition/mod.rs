//! Whole definitions (chapter 1): legal ones, and ones that were varied in exactly one place, with what the specification says
//! of that.
//!
//! What must be answered is written down beside each variation, from the text of the requirement; nothing of it is computed by the
//! functions that are to be judged. Quirks and what a `Defect:` line describes are never made.

mod approval;
mod conversion;
mod defaults;
mod edits;
mod identity;
mod legal;
mod parts;
mod schemas;
mod variation;
mod versions;

use crdible_semantics::Reason;
use serde_json::Value;

use crate::choice::Choices;

pub use defaults::with_defaults;
pub use legal::{definition, plain};
pub use variation::{Outcome, Part, Variation};

/// A definition that breaks rules, and what must be answered.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenDefinition {
    /// The document.
    pub document: Value,
    /// The variations that broke it.
    pub variations: Vec<&'static Variation>,
    /// All causes, in any order: field and reason.
    pub causes: Vec<(String, Reason)>,
}

/// All variations, in the order of the requirements.
pub fn variations() -> impl Iterator<Item = &'static Variation> {
    [
        identity::VARIATIONS,
        versions::VARIATIONS,
        schemas::VARIATIONS,
        parts::VARIATIONS,
        conversion::VARIATIONS,
        approval::VARIATIONS,
    ]
    .into_iter()
    .flatten()
}

/// The variations of a requirement.
pub fn variations_of(requirement: &str) -> Vec<&'static Variation> {
    variations().filter(|variation| variation.requirement() == requirement).collect()
}

/// A legal definition with one place varied.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedDefinition {
    /// The document.
    pub document: Value,
    /// What was varied.
    pub variation: &'static Variation,
    /// The index of the version that was varied, if it is about one.
    pub version: usize,
    /// The causes that must be answered; none unless it is refused with causes.
    pub causes: Vec<(String, Reason)>,
}

/// A legal definition with one place varied by one of these.
pub fn varied(c: &mut Choices, among: &[&'static Variation]) -> VariedDefinition {
    let variation = *c.pick(among);
    let document = definition(c);
    let count = document["spec"]["versions"].as_array().map_or(0, Vec::len) as u64;
    let version = usize::try_from(c.draw(count.saturating_sub(1))).unwrap_or(0);
    variation.of(document, version)
}

/// A legal definition that breaks exactly one rule. Rules are equally likely, however many ways there are to break them.
pub fn broken(c: &mut Choices) -> BrokenDefinition {
    let variation = breakage(c, |_| true);
    let mut document = definition(c);
    let causes = vary(c, &mut document, variation);
    BrokenDefinition { document, variations: vec![variation], causes }
}

/// A legal definition that breaks two rules in parts that have nothing to do with each other.
pub fn twice_broken(c: &mut Choices) -> BrokenDefinition {
    let first = breakage(c, |variation| variation.part != Part::Alone);
    let second = breakage(c, |variation| variation.part != Part::Alone && variation.part != first.part);
    let mut document = definition(c);
    let mut causes = vary(c, &mut document, first);
    causes.extend(vary(c, &mut document, second));
    BrokenDefinition { document, variations: vec![first, second], causes }
}

/// A way to break a rule, among those that fit: first which requirement, then how.
fn breakage(c: &mut Choices, fits: impl Fn(&Variation) -> bool) -> &'static Variation {
    let fits = |variation: &&Variation| variation.is_refused() && fits(variation);
    let mut requirements: Vec<&str> = variations().filter(fits).map(Variation::requirement).collect();
    requirements.dedup();
    let requirement = *c.pick(&requirements);
    let candidates: Vec<&'static Variation> =
        variations().filter(fits).filter(|variation| variation.requirement() == requirement).collect();
    let variation = *c.pick(&candidates);
    c.reached(variation.requirement());
    variation
}

fn vary(c: &mut Choices, document: &mut Value, variation: &'static Variation) -> Vec<(String, Reason)> {
    let count = document["spec"]["versions"].as_array().map_or(0, Vec::len) as u64;
    let version = usize::try_from(c.draw(count.saturating_sub(1))).unwrap_or(0);
    variation.apply(document, version)
}
