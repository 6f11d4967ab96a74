//! What nearly every property names: the parts of a scenario, choices, and JSON.

pub(crate) use crdible_generators::choice::Choices;
pub(crate) use crdible_scenario::{
    Body, Capability, Cause, Content, Definition, Edge, Edit, Expectation, Method, NamedCheck, Plan, Property, Request,
    Resource, StepId, Version,
};
pub(crate) use serde_json::{Value, json};

pub(crate) use crate::shared::TryExamples;
