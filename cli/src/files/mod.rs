//! What is read from files and written to them.

pub(crate) mod corpus;
pub(crate) mod counterexamples;
pub(crate) mod implementation;
pub(crate) mod journal;
pub(crate) mod known;
mod recorder;
mod reproduction;
pub(crate) mod saved;

pub(crate) use corpus::Corpus;
pub(crate) use recorder::Recorder;
pub(crate) use reproduction::{Reproduction, ReproductionArgs};
