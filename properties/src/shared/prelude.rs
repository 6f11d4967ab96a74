//! What properties and the modules that they share name: choices and what is generated from them, the parts of a
//! scenario, and JSON. Properties use [`crate::prelude`], which has more.

pub(crate) use crdible_generators::{
    choice::Choices,
    json::Json,
    schema::{self, SchemaShape},
    value,
};
pub(crate) use crdible_scenario::{
    Body, Capability, Cause, Content, Definition, Edge, Edit, Expectation, Method, NamedCheck, Plan, Property, Request,
    Resource, StepId, Version,
};
pub(crate) use crdible_semantics::{Reason, RowCause, Schema, pointer};
pub(crate) use serde_json::{Map, Value, json};
