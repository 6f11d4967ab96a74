//! Real definitions and objects with known answers, replayed through the semantics and through the embedded server.
//!
//! The corpus is data of other projects and no part of this one. `CRDIBLE_CORPUS` tells where it is; without, `../shared/corpus`
//! beside the workspace is tried, and where nothing is found each test says so and ends. Figures that a test asserts are those of
//! the corpus as it stood when the test was written; they say how much of it is really looked at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod data;
mod definitions;
mod model;
mod objects;
mod openshift;
mod ratcheting;
#[path = "../support/mod.rs"]
mod support;
