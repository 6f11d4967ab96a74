//! Scenarios as data, the answers to them, and the verdict: all that a counterexample needs, and nothing that talks to
//! a server.
//!
//! From the bottom up:
//!
//! | module | |
//! |---|---|
//! | `scenario` | a plan of requests and checks, as data; its types stand at the root of the crate |
//! | [`transcript`] | the answers to a scenario, without generated names |
//! | [`expect`] | whether an answer is as expected |
//! | [`plans`] | pieces of plans that many scenarios have: definitions, schemas, watches |
//! | [`capabilities`] | what a target can do at all: a row with a tiny scenario for each capability |
//! | [`judge`] | scenario and transcript → verdict |
//! | [`reviews`] | the same for a conversion webhook: what is wrong with its answers, and the verdict on it |
//! | `source` | where scenarios come from: properties, explorations, and the case of a seed and an index; at the root, too |
//! | [`fnv`] | a short digest of what is generated |

pub mod capabilities;
pub mod expect;
pub mod fnv;
pub mod judge;
pub mod plans;
pub mod reviews;
mod scenario;
mod source;
pub mod transcript;

pub use capabilities::Capability;
pub use scenario::*;
pub use source::{Case, Edge, Exploration, Property, ScenarioSource, is_promised, keep_promised, unpromised};
