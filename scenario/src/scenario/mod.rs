//! A scenario: a whole experiment as data.
//!
//! [`Scenario`] is an experiment on an API server, [`ReviewScenario`] one on a converter, which may be a conversion
//! webhook. Each has types of its own for what is done and what must hold, so that no experiment is about both.
//! [`AnyScenario`] is one of the two.
//!
//! A [`Scenario`] holds the definitions to install, the requests to send, and the expected answers. Nothing in it has a
//! real name: definitions and objects are numbers. The executor generates names for one execution and removes them from
//! the answers. So a scenario can be written to a file, sent to any server, shrunk and replayed, and judging it needs
//! no server.

mod any;
mod body;
mod content;
mod contract;
mod declarations;
mod definition;
mod expectation;
mod expected;
mod line;
mod merge_patch;
mod named;
mod operation;
mod plan;
mod references;
mod request;
mod review;
mod review_scenario;
mod slice;
mod stored;
mod webhook;

pub use any::{AnyScenario, ScenarioKind};
pub use body::{Body, Edit, Form, Head};
pub use content::Content;
pub use contract::{Contract, ContractError, ContractVersion};
pub use crdible_semantics::Cause;
pub use declarations::{Loss, Refusal};
pub use definition::{Definition, Domain, Scope, Tenancy, Version, storage_version};
pub use expectation::{Check, Expectation};
pub use merge_patch::merged;
pub use named::{
    Event, Happened, ModelPart, NamedCheck, Place, RoutePart, RowObject, Seen, StorageHash, TableEvent, TableRow,
};
pub use operation::{Act, Operation};
pub use plan::{Plan, StepId};
pub use request::{Action, Document, Method, QueryFromAnswer, Request, Resource, Step, Until};
pub use review::{Change, Demand, PointEdit, Review, Reviewed};
pub use review_scenario::{Asked, Demanded, ReviewCheck, ReviewScenario, ReviewStep};
pub use slice::Reads;
pub use webhook::{Conversion, Endpoint, Webhook};

use serde::{Deserialize, Serialize};

/// A whole experiment on an API server. Indices in steps and checks refer to positions in these lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The definitions that requests refer to; each is installed before the first step, unless it is
    /// [`Tenancy::Uninstalled`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Definition>,
    /// What is done, in this order, except that some steps are sent together.
    pub steps: Vec<Step>,
    /// What must hold of the answers.
    pub checks: Vec<Check>,
    /// How many generated objects, updates or version lists the checks judge.
    pub cases: u32,
}

impl Scenario {
    /// The steps that are sent together with this one, itself included.
    pub fn group_of(&self, step: usize) -> std::ops::Range<usize> {
        group_of(step, self.steps.len(), |number| self.steps[number].concurrent)
    }

    /// Whether two right servers may answer this step differently, because steps that are sent together take effect in
    /// any order.
    pub fn varies(&self, step: usize) -> bool {
        self.group_of(step).len() > 1 || self.steps.get(step).is_some_and(|step| step.varies)
    }

    /// Whether a request is about objects of this definition.
    pub fn touches_objects_of(&self, definition: usize) -> bool {
        self.steps.iter().any(|step| match &step.action {
            Action::Install { .. } | Action::Convert { .. } => false,
            Action::Send(request) => matches!(
                &request.resource,
                Resource::Objects { definition: named, .. }
                    | Resource::Object { definition: named, .. }
                    | Resource::Subresource { definition: named, .. }
                    | Resource::Path { definition: named, .. }
                    if *named == definition
            ),
        })
    }
}

/// The steps, of this number, that are sent together with this one, itself included: it or those after it are
/// `concurrent` with the step before them.
fn group_of(step: usize, count: usize, is_concurrent: impl Fn(usize) -> bool) -> std::ops::Range<usize> {
    let joins = |number: usize| number < count && is_concurrent(number);
    let start = (0..=step).rev().find(|&number| number == 0 || !joins(number)).unwrap_or(step);
    let end = step + 1 + (step + 1..count).take_while(|&number| joins(number)).count();
    start..end
}
