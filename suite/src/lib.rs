//! Conformance suite for servers of Kubernetes CustomResourceDefinitions.

pub mod cli;
pub mod compare;
pub mod execute;
pub mod explore;
pub mod harness;
pub mod judge;
pub mod properties;
pub mod run;
pub mod scenario;
pub mod target;
pub mod transcript;
