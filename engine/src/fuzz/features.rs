//! What a case reached.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use crdible_generators::choice::Recording;
use crdible_scenario::{
    Action, AnyScenario, Body, Cause, Request,
    transcript::{Answer, Transcript},
};

use crate::cells::{Cell, Counter, Keyword, each_judged, keywords, schemas};

/// What is new about a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A keyword at a position with a class of value.
    Cell,
    /// Two keywords in one schema.
    Pair,
    /// A branch of the generator.
    Decision,
    /// A kind of request, or two that follow each other.
    Step,
    /// A kind of answer to a kind of request.
    Answer,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Cell, Self::Pair, Self::Decision, Self::Step, Self::Answer];

    /// How much a new feature of this kind says about possible faults. Most subtle faults of the table of planted
    /// faults affect one cell, and few depend on one branch of the generator.
    pub(super) fn weight(self) -> f64 {
        match self {
            Self::Cell | Self::Answer => 4.0,
            Self::Pair | Self::Decision | Self::Step => 1.0,
        }
    }
}

/// Something that a case reached, as a number; valid within one process. Two features
/// have the same number with a probability of 2^-60.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u64);

impl Feature {
    fn of(kind: Kind, what: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Self(hasher.finish() << 3 | kind as u64)
    }

    /// The feature of a cell.
    pub fn of_cell(cell: &Cell) -> Self {
        Self::of(Kind::Cell, cell)
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        // The last bits hold a kind's position.
        Kind::ALL[usize::try_from(self.0 & 7).unwrap_or(0).min(Kind::ALL.len() - 1)]
    }
}

/// The features of a scenario that are known before it is sent, each once.
pub(super) fn generated(scenario: &AnyScenario, recording: Option<&Recording>) -> Vec<Feature> {
    let mut features: Vec<Feature> = Vec::new();
    let Some(scenario) = scenario.server() else { return features };
    let mut counter = Counter::brief();
    each_judged(scenario, |schema, content| counter.count(schema, content));
    features.extend(counter.hit().iter().map(Feature::of_cell));
    for schema in schemas(scenario) {
        let found: Vec<Keyword> = keywords(schema).into_iter().collect();
        for (at, one) in found.iter().enumerate() {
            features.extend(found[at..].iter().map(|other| Feature::of(Kind::Pair, (one, other))));
        }
    }
    let decisions = recording.into_iter().flat_map(Recording::decisions);
    features.extend(decisions.map(|decision| Feature::of(Kind::Decision, decision)));
    let mut before = String::new();
    for step in &scenario.steps {
        let now = match &step.action {
            Action::Install { .. } => "install".to_owned(),
            Action::Convert { .. } => "convert".to_owned(),
            Action::Send(request) => request_kind(request),
        };
        features.push(Feature::of(Kind::Step, &now));
        features.push(Feature::of(Kind::Step, (&before, &now)));
        before = now;
    }
    distinct(features)
}

/// The features of the answers, each once.
pub(super) fn answered(scenario: &AnyScenario, transcript: &Transcript) -> Vec<Feature> {
    let mut features = Vec::new();
    let steps = scenario.server().map_or(&[][..], |scenario| &scenario.steps);
    for (step, answer) in steps.iter().zip(&transcript.answers) {
        if let (Action::Send(request), Some(answer)) = (&step.action, answer) {
            of_answer(&mut features, &request_kind(request), answer);
        }
    }
    if let Some(refusal) = &transcript.refusal {
        of_answer(&mut features, "definition", &refusal.answer);
    }
    distinct(features)
}

fn of_answer(features: &mut Vec<Feature>, kind: &str, answer: &Answer) {
    let reason = answer.reason();
    let head = (kind, answer.status, reason, answer.warnings.len().min(2));
    features.push(Feature::of(Kind::Answer, head));
    for Cause { field, reason, .. } in answer.causes() {
        features.push(Feature::of(Kind::Answer, (kind, answer.status, shape(&field), reason)));
    }
}

fn distinct(mut features: Vec<Feature>) -> Vec<Feature> {
    features.sort_unstable();
    features.dedup();
    features
}

/// A request without its generated parts.
fn request_kind(request: &Request) -> String {
    let Request { method, resource, dry_run, query, accept, content_type, body, .. } = request;
    let body = match body {
        Body::None => "",
        Body::Object { .. } => "object",
        Body::Definition { .. } => "definition",
        Body::Answer { .. } => "answer",
        Body::Json(_) => "json",
        Body::Text { .. } => "text",
    };
    let names: BTreeSet<&str> = query.iter().map(|(name, _)| name.as_str()).collect();
    format!("{method:?} {} {dry_run} {names:?} {accept:?} {content_type:?} {body}", resource.kind())
}

/// Longer paths of causes are not distinguished from this length on.
const LONGEST_SHAPE: usize = 8;

/// A field path without indices and generated names: `spec.a.list[3].x` is `spec.*.*[].*`.
fn shape(field: &str) -> String {
    let mut shape = String::new();
    for (position, part) in field.split('.').take(LONGEST_SHAPE).enumerate() {
        let (name, index) = part.split_once('[').map_or((part, ""), |(name, _)| (name, "[]"));
        let is_fixed = position == 0 || FIXED.split(' ').any(|fixed| fixed == name);
        shape.push_str(if is_fixed { name } else { "*" });
        shape.push_str(index);
        shape.push('.');
    }
    // A server may answer with anything.
    shape.truncate(shape.char_indices().nth(LONGEST_TEXT).map_or(shape.len(), |(at, _)| at));
    shape
}

/// The longest shape, in characters.
const LONGEST_TEXT: usize = 120;

/// Names in paths that say what a cause is about.
const FIXED: &str = "metadata apiVersion kind name versions names schema openAPIV3Schema properties items \
                     additionalProperties allOf anyOf oneOf not default conversion webhook status scope group type \
                     format required";

#[cfg(test)]
mod tests {
    use crdible_scenario::{Case, Expectation, Plan};
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case("spec.list[3].x", "spec.*[].*.")]
    #[case("spec.other[12].y", "spec.*[].*.")]
    #[case("metadata.name", "metadata.name.")]
    #[case("", ".")]
    fn paths_have_shapes(#[case] field: &str, #[case] expected: &str) {
        assert_eq!(shape(field), expected);
    }

    #[test]
    fn long_paths_of_hostile_servers_are_cut() {
        assert!(shape(&"ü".repeat(100_000)).len() <= 4 * LONGEST_TEXT);
        assert!(shape(&"a.".repeat(100_000)).len() < 40);
    }

    #[test]
    fn a_feature_knows_its_kind() {
        for kind in Kind::ALL {
            assert_eq!(Feature::of(kind, "x").kind(), kind);
        }
        assert_ne!(Feature::of(Kind::Pair, "x"), Feature::of(Kind::Step, "x"));
    }

    #[test]
    fn another_value_on_the_bound_is_another_feature() {
        let features = |value: i64| {
            let mut plan = Plan::new();
            let schema = json!({ "type": "object", "properties": { "a": { "type": "integer", "minimum": 5 } } });
            let definition = plan.define_schema(schema);
            let step = plan.try_create(definition, json!({ "a": value }));
            plan.check("c", &["VALUE-007"], step, Expectation::Accepted);
            generated(&plan.finish().into(), None)
        };
        let is_known = |feature: &Feature| features(7).contains(feature);
        assert!(features(8).iter().all(is_known), "7 and 8 are both inside");
        let new: Vec<Kind> = features(5).into_iter().filter(|feature| !is_known(feature)).map(Feature::kind).collect();
        assert_eq!(new, [Kind::Cell], "5 is on the bound");
    }

    #[test]
    fn every_property_has_features_before_it_is_sent() {
        for property in crdible_properties::all() {
            let first = property.edges.len() as u64;
            let case = (first..first + 20).find_map(|index| Case::plan(property, 1, index).ok());
            let Some(case) = case else { panic!("{} plans nothing", property.id) };
            assert!(!generated(&case.scenario, case.recording.as_ref()).is_empty(), "{}", property.id);
        }
    }
}
