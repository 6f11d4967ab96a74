//! A conversion webhook as the target: asked by reviews, without any API server.
//!
//! [`Asker`] runs the scenarios of [reviews](crdible_scenario::reviews) on a [`Way`] to a converter, and is what a [run](crate::run::run) needs.

mod asker;
mod execute;
mod way;

pub use asker::{Asker, replay};
pub use way::{Answering, Reply, Unanswered, Way};
