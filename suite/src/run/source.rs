//! Where scenarios come from.

use crdible_generators::choice::Choices;

use crate::{
    explore::Exploration,
    properties::{Capability, Edge, Property},
    scenario::Scenario,
};

/// The source of scenarios: a property, whose checks are judged, or an exploration, whose answers are only compared.
#[derive(Clone, Copy, Debug)]
pub enum ScenarioSource {
    /// A property.
    Property(&'static Property),
    /// An exploration.
    Exploration(&'static Exploration),
}

impl ScenarioSource {
    /// Its ID.
    pub fn id(self) -> &'static str {
        match self {
            Self::Property(property) => property.id,
            Self::Exploration(exploration) => exploration.id,
        }
    }

    /// What its checks assert: nothing for an exploration.
    pub fn asserts(self) -> &'static [&'static str] {
        match self {
            Self::Property(property) => property.asserts,
            Self::Exploration(_) => &[],
        }
    }

    /// The capabilities that a target needs.
    pub fn needs(self) -> &'static [Capability] {
        match self {
            Self::Property(property) => property.needs,
            Self::Exploration(exploration) => exploration.needs,
        }
    }

    /// Its hand-made scenarios, which run before the random ones.
    pub fn edges(self) -> &'static [Edge] {
        match self {
            Self::Property(property) => property.edges,
            Self::Exploration(_) => &[],
        }
    }

    /// Whether a scenario without checks is useful: two targets can still answer it differently.
    pub fn needs_no_checks(self) -> bool {
        matches!(self, Self::Exploration(_))
    }

    /// Plans one scenario: a pure function of the choices.
    pub fn plan(self, choices: &mut Choices) -> Scenario {
        match self {
            Self::Property(property) => (property.plan)(choices),
            Self::Exploration(exploration) => (exploration.plan)(choices),
        }
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
