//! A scenario: a whole experiment as data.
//!
//! It holds the definitions to install, the requests to send, and the expected answers. Nothing in it has a real name:
//! definitions and objects are numbers. The executor generates names for one execution and removes them from the
//! answers. So a scenario can be written to a file, sent to any server, shrunk and replayed, and judging it needs no
//! server.

mod body;
mod capability;
mod content;
mod contract;
mod definition;
mod expectation;
mod merge_patch;
mod named;
mod needs;
mod operation;
mod plan;
mod references;
mod request;
mod review;
mod slice;
mod webhook;

pub use body::{Body, Edit, Form, Head};
pub use capability::Capability;
pub use content::Content;
pub use contract::{Contract, ContractError, ContractVersion, Loss};
pub use crdible_semantics::Cause;
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
pub use slice::Reads;
pub use webhook::{Conversion, Endpoint, Webhook};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A whole experiment. Indices in steps and checks refer to positions in these lists.
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
    /// What the converter is for that the scenario is about, if it is about a converter and not about an API server:
    /// then all its steps are reviews, and it has no definitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Arc<Contract>>,
}

impl Scenario {
    /// The steps that are sent together with this one, itself included.
    pub fn group_of(&self, step: usize) -> std::ops::Range<usize> {
        let is_concurrent = |number: usize| self.steps.get(number).is_some_and(|step| step.concurrent);
        let start = (0..=step).rev().find(|&number| number == 0 || !is_concurrent(number)).unwrap_or(step);
        let end = step + 1 + (step + 1..self.steps.len()).take_while(|&number| is_concurrent(number)).count();
        start..end
    }

    /// Whether two right servers may answer this step differently, because steps that are sent together take effect in
    /// any order.
    pub fn varies(&self, step: usize) -> bool {
        self.group_of(step).len() > 1 || self.steps.get(step).is_some_and(|step| step.varies)
    }

    /// Whether a request is about objects of this definition.
    pub fn touches_objects_of(&self, definition: usize) -> bool {
        self.steps.iter().any(|step| match &step.action {
            Action::Install { .. } | Action::Convert { .. } | Action::Review(_) => false,
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

    /// Whether running it changes no stored state: only dry runs and reads, on pooled definitions.
    pub fn is_neutral(&self) -> bool {
        self.definitions.iter().all(|definition| definition.tenancy != Tenancy::Own)
            && self.steps.iter().all(|step| match &step.action {
                Action::Install { .. } => false,
                Action::Convert { .. } | Action::Review(_) => true,
                Action::Send(request) => !request.writes(),
            })
    }
}
