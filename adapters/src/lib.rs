//! The generators as types of other crates: [`proptest`] strategies and [`arbitrary`] types.
//!
//! Both draw through [`crdible_generators::choice`], so there is only one copy of each generator.
//!
//! A crate of its own and no features of `crdible-generators`: `cargo test` would enable them, and build everything
//! that `cargo run` has built again.

pub mod arbitrary;
pub mod proptest;
