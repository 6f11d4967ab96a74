//! The catalogue of requirements as its users see it.
#![allow(clippy::unwrap_used)]

mod coverage;
mod embedded;
mod form;
mod lookups;
mod names;
