//! Replays real definitions and objects with known results through the semantics and through the embedded server.
//!
//! The corpus belongs to other projects and is not part of this one, so the tests are ignored by default:
//! `CRDIBLE_CORPUS=FOLDER cargo test -p crdible-reference --test all -- --ignored corpus::`. The numbers that tests
//! assert are those of the corpus when the test was written; they show how much of it is checked.
#![allow(clippy::print_stdout)]

mod data;
mod definitions;
mod model;
mod objects;
mod openshift;
mod ratcheting;
