//! A conversion webhook as the target: asked by reviews, without any API server.
//!
//! [`Asker`] runs the scenarios of [reviews](crdible_scenario::reviews) over a [`ConverterTransport`]. It is the
//! [`Examiner`](crate::run::Examiner) of a [run](crate::run::run).

mod asker;
mod estimate;
mod execute;
mod pace;
mod transport;
mod vary;

pub use asker::{Asker, Reached, replay};
pub use estimate::requests_of_a_case;
pub use transport::{Answering, ConverterTransport, Reply, Unanswered};
pub use vary::vary;
