//! A scenario of either kind, for what handles both alike.

use serde::Serialize;
use serde_json::Value;

use super::{ReviewScenario, Scenario};

/// A scenario of either kind. In files one of a converter is known by its contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnyScenario {
    /// An experiment on an API server.
    Server(Scenario),
    /// An experiment on a converter.
    Converter(ReviewScenario),
}

/// One of the two kinds.
pub trait ScenarioKind: Clone + PartialEq + Into<AnyScenario> + Send + Sync {
    /// The scenario, if it is of this kind.
    fn of(scenario: &AnyScenario) -> Option<&Self>;
}

impl AnyScenario {
    /// Whether the JSON of a scenario is about a converter. An error if it is partly about an API server.
    pub fn is_of_converter(json: &Value) -> Result<bool, String> {
        let is_of_converter = !json["contract"].is_null();
        if is_of_converter && json["definitions"].as_array().is_some_and(|definitions| !definitions.is_empty()) {
            return Err("it is about a converter, and has definitions of an API server".to_owned());
        }
        let is_review = |step: &Value| step["action"].get("review").is_some();
        let other = json["steps"].as_array().into_iter().flatten().position(|step| is_review(step) != is_of_converter);
        other.map_or(Ok(is_of_converter), |number| {
            Err(format!("step {number} and the scenario are not both about a converter"))
        })
    }

    /// The scenario, if it is about an API server.
    pub fn server(&self) -> Option<&Scenario> {
        Scenario::of(self)
    }

    /// The same, whole.
    pub fn into_server(self) -> Option<Scenario> {
        if let Self::Server(scenario) = self { Some(scenario) } else { None }
    }

    /// How many generated objects, updates or version lists the checks judge.
    pub fn cases(&self) -> u32 {
        match self {
            Self::Server(scenario) => scenario.cases,
            Self::Converter(scenario) => scenario.cases,
        }
    }

    /// What each check asserts, in the order of the checks.
    pub fn asserts(&self) -> Vec<&[String]> {
        match self {
            Self::Server(scenario) => scenario.checks.iter().map(|check| check.asserts.as_slice()).collect(),
            Self::Converter(scenario) => scenario.checks.iter().map(|check| check.asserts.as_slice()).collect(),
        }
    }

    /// Whether it has no checks.
    pub fn is_unchecked(&self) -> bool {
        match self {
            Self::Server(scenario) => scenario.checks.is_empty(),
            Self::Converter(scenario) => scenario.checks.is_empty(),
        }
    }

    /// Whether a step that a check depends on is repeated until something comes; see [`Scenario::waits_before`].
    pub fn waits_before(&self, check: usize) -> bool {
        self.server().is_some_and(|scenario| scenario.waits_before(check))
    }

    /// Whether a check depends on requests that were sent together; see [`Scenario::is_race`].
    pub fn is_race(&self, check: usize) -> bool {
        self.server().is_some_and(|scenario| scenario.is_race(check))
    }

    /// Checks all references to definitions and to earlier steps. The error names the part and what it refers to.
    pub fn check_references(&self) -> Result<(), String> {
        match self {
            Self::Server(scenario) => scenario.check_references(),
            Self::Converter(scenario) => scenario.check_references(),
        }
    }
}

impl ScenarioKind for Scenario {
    fn of(scenario: &AnyScenario) -> Option<&Self> {
        if let AnyScenario::Server(scenario) = scenario { Some(scenario) } else { None }
    }
}

impl ScenarioKind for ReviewScenario {
    fn of(scenario: &AnyScenario) -> Option<&Self> {
        if let AnyScenario::Converter(scenario) = scenario { Some(scenario) } else { None }
    }
}

impl From<Scenario> for AnyScenario {
    fn from(scenario: Scenario) -> Self {
        Self::Server(scenario)
    }
}

impl From<ReviewScenario> for AnyScenario {
    fn from(scenario: ReviewScenario) -> Self {
        Self::Converter(scenario)
    }
}
