//! Where scenarios come from.

mod case;
mod property;
mod releases;

use crdible_generators::choice::Choices;
use crdible_semantics::Release;

pub use self::{
    case::Case,
    property::{Edge, Exploration, Property},
    releases::{is_promised, keep_promised, unpromised},
};
use crate::{
    capabilities::Capability,
    reviews::{ReviewProperty, Subject},
    scenario::{AnyScenario, Plan},
};

/// The source of scenarios: a property, whose checks are judged, or an exploration, whose answers are only compared.
#[derive(Clone, Copy, Debug)]
pub enum ScenarioSource {
    /// A property.
    Property(&'static Property),
    /// An exploration.
    Exploration(&'static Exploration),
    /// A property of converters, and the converter.
    Review(&'static ReviewProperty, &'static Subject),
}

impl ScenarioSource {
    /// Its ID.
    pub fn id(self) -> &'static str {
        match self {
            Self::Property(property) => property.id,
            Self::Exploration(exploration) => exploration.id,
            Self::Review(property, _) => property.id,
        }
    }

    /// The promise, in one sentence; an exploration makes none.
    pub fn title(self) -> &'static str {
        match self {
            Self::Property(property) => property.title,
            Self::Exploration(_) => "",
            Self::Review(property, _) => property.title,
        }
    }

    /// What its checks assert: nothing for an exploration.
    pub fn asserts(self) -> &'static [&'static str] {
        match self {
            Self::Property(property) => property.asserts,
            Self::Exploration(_) => &[],
            Self::Review(property, _) => property.asserts,
        }
    }

    /// The capabilities that a target needs.
    pub fn needs(self) -> &'static [Capability] {
        match self {
            Self::Property(property) => property.needs,
            Self::Exploration(exploration) => exploration.needs,
            Self::Review(..) => &[],
        }
    }

    /// How many times the cases of others it gets; at least 1.
    pub fn times(self) -> u64 {
        match self {
            Self::Property(property) => property.times.max(1),
            Self::Exploration(_) | Self::Review(..) => 1,
        }
    }

    /// How many hand-made scenarios it has.
    pub fn edge_count(self) -> usize {
        match self {
            Self::Property(property) => property.edges.len(),
            Self::Review(property, subject) if (property.sample)(subject, 0).is_some() => subject.sample_trips(),
            Self::Exploration(_) | Self::Review(..) => 0,
        }
    }

    /// Whether a scenario without checks is useful: two targets can still answer it differently.
    pub fn needs_no_checks(self) -> bool {
        matches!(self, Self::Exploration(_))
    }

    /// Plans one scenario: a pure function of the choices. Its checks are those that the release of the
    /// choices promises.
    pub fn plan(self, choices: &mut Choices) -> AnyScenario {
        let mut scenario = match self {
            Self::Property(property) => Plan::scenario(|plan| (property.plan)(plan, choices)),
            Self::Exploration(exploration) => Plan::scenario(|plan| (exploration.plan)(plan, choices)),
            Self::Review(property, subject) => return (property.plan)(choices, subject).into(),
        };
        keep_promised(&mut scenario, choices.release());
        scenario.into()
    }

    /// Its hand-made scenario at this position, with the checks that the release promises. They run before the
    /// random ones.
    pub fn edge(self, position: usize, release: Release) -> Option<AnyScenario> {
        let mut scenario = match self {
            Self::Property(property) => Plan::scenario(property.edges.get(position)?.plan),
            Self::Exploration(_) => return None,
            Self::Review(property, subject) => return (property.sample)(subject, position).map(Into::into),
        };
        keep_promised(&mut scenario, release);
        Some(scenario.into())
    }

    /// Whether a release promises something that it asserts.
    pub fn applies_to(self, release: Release) -> bool {
        self.needs_no_checks() || self.asserts().iter().any(|reference| is_promised(reference, release))
    }
}

impl From<&'static Property> for ScenarioSource {
    fn from(property: &'static Property) -> Self {
        Self::Property(property)
    }
}

impl From<&'static Exploration> for ScenarioSource {
    fn from(exploration: &'static Exploration) -> Self {
        Self::Exploration(exploration)
    }
}
