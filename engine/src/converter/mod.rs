//! A conversion webhook as the target: asked by reviews, without any API server.
//!
//! [`Asker`] runs the scenarios of [reviews](crdible_scenario::reviews) over a [`ConverterTransport`]. It is the
//! [`Examiner`](crate::run::Examiner) of a [run](crate::run::run).

mod asker;
mod execute;
mod transport;

pub use asker::{Asker, replay};
pub use transport::{Answering, ConverterTransport, Reply, Unanswered};
