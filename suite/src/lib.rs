//! Conformance suite for servers of Kubernetes CustomResourceDefinitions.
//!
//! This crate names what its users need of three others, whose borders `ARCHITECTURE.md` of the project describes:
//!
//! | modules | |
//! |---|---|
//! | [`scenario`], [`transcript`], [`expect`], [`judge`] | scenarios as data, the answers to them, and the verdict |
//! | [`properties`], [`explore`], [`reviews`] | what scenarios are generated |
//! | [`connection`], [`execute`], [`webhook`], [`run`], [`cells`], [`fuzz`] | the engine: runs scenarios on a target, confirms and shrinks what fails |
//! | [`compare`] | two targets instead of one |
//! | [`converter`] | a conversion webhook instead of an API server |
//! | [`profile`] | which promises are asserted |
//! | [`doctor`], [`created`], [`marks`] | what a target supports, and what earlier runs left on it |
//! | [`harness`] | `cargo test` against a target |

pub use crdible_engine::{
    cells, compare, connection, converter, created, doctor, execute, fuzz, marks, profile, webhook,
};
pub use crdible_properties::explore;
pub use crdible_scenario::{self as scenario, expect, judge, transcript};

#[cfg(feature = "harness")]
pub mod harness;

/// What an API server promises.
pub mod properties {
    pub use crdible_properties::{all, exclusions, find};
    pub use crdible_scenario::{
        Capability, Edge, Property,
        capabilities::{API_SERVER, CAUSES_OF_DEFINITIONS, CapabilityTest, MissingIf},
    };
}

/// What a conversion webhook owes, and the verdict on it.
pub mod reviews {
    pub use crdible_properties::reviews::{all, as_stored, find};
    pub use crdible_scenario::reviews::{ReviewProperty, Subject, has_rules, judge, sent};
}

/// A run: which scenarios are executed, by how many workers, for how long, and how failures are investigated.
pub mod run {
    pub use crdible_engine::run::*;
    pub use crdible_properties::generator_digest;
    pub use crdible_scenario::{Case, ScenarioSource, is_promised, unpromised};
}

/// The code of the guide compiles.
#[cfg(all(doctest, feature = "harness"))]
#[doc = include_str!("../../docs/cargo-test.md")]
mod guide {}
