//! The generators as their users see them.
#![allow(clippy::unwrap_used)]

mod common;
mod conversion;
mod definition;
mod determinism;
mod rules;
mod shrinking;
mod statistics;
mod strings;
mod updates;
mod validity;
