//! What is read from files and written to them.

pub(crate) mod corpus;
pub(crate) mod counterexamples;
pub(crate) mod implementation;
pub(crate) mod journal;
pub(crate) mod known;
pub(crate) mod recorder;
pub(crate) mod reproduction;
pub(crate) mod saved;
