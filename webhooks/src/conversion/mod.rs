//! Conversion webhooks: how objects of one version become those of another, and how a converter misbehaves.

mod behaviour;
mod chain;
mod converter;
mod place;
mod reshape;

pub use behaviour::{Behaviour, ListEdit, ObjectEdit, When, Which};
pub use chain::{Chain, Unconvertible};
pub use converter::Converter;
pub use place::Place;
pub use reshape::{Reshape, Step};
