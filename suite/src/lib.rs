//! Conformance suite for servers of Kubernetes CustomResourceDefinitions.
//!
//! `ARCHITECTURE.md` of the project describes the modules, and what may depend on what. From the bottom up:
//!
//! | module | |
//! |---|---|
//! | [`scenario`] | a plan of requests and checks, as data |
//! | [`transcript`] | the answers to a scenario, without generated names |
//! | [`expect`] | whether an answer is as expected |
//! | [`reviews`] | what a conversion webhook owes, and the verdict on it |
//! | [`webhook`] | the conversion webhooks that crdible serves to its target |
//! | [`connection`] | how a target is reached |
//! | [`execute`] | runs a scenario on a target: scenario → transcript |
//! | [`judge`] | scenario and transcript → verdict |
//! | [`properties`], [`explore`] | what scenarios are generated |
//! | [`run`] | which scenarios, how many at once; confirming and shrinking failures |
//! | [`cells`] | what scenarios send, counted by keyword, position and class of value |
//! | [`fuzz`] | cases that learn: a corpus of choices that reached something new |
//! | [`compare`] | two targets instead of one |
//! | [`converter`] | a conversion webhook instead of an API server |
//! | [`doctor`] | what a target supports, and what earlier runs left on it |
//! | [`harness`] | `cargo test` against a target |

pub mod cells;
pub mod compare;
pub mod connection;
pub mod converter;
pub mod doctor;
pub mod execute;
pub mod expect;
pub mod explore;
mod fnv;
pub mod fuzz;
#[cfg(feature = "harness")]
pub mod harness;
pub mod judge;
pub mod marks;
pub mod properties;
pub mod reviews;
pub mod run;
pub mod scenario;
pub mod transcript;
pub mod webhook;

/// The code of the guide compiles.
#[cfg(all(doctest, feature = "harness"))]
#[doc = include_str!("../../docs/cargo-test.md")]
mod guide {}
