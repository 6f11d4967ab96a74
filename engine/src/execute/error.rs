//! Why a scenario could not be run to its end.

use std::time::Duration;

use crdible_scenario::transcript::summary;
use thiserror::Error;

use super::wire::Exchange;
use crate::{connection::TransportError, webhook::ListenerError};

/// Why a scenario could not be run to its end. It is never a verdict on the target.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExecutionError {
    /// The exchange failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server does not permit a request that every run needs.
    #[error(
        "the target forbids what a run does: {request} returned {answer}; \
         a run needs the permissions in `deploy/guest.yaml` of the project"
    )]
    Forbidden {
        /// Method and path.
        request: String,
        /// Status and message.
        answer: String,
    },
    /// The state of a definition is unknown: a gateway error, or a definition that is gone.
    #[error("the state of a definition is unknown: {0}")]
    DefinitionLost(String),
    /// The deadline passed before the definition was served.
    #[error("{what} after {} s; the last answer was: {last}", waited.as_secs())]
    NeverServed {
        /// What was waited for.
        what: String,
        /// How long.
        waited: Duration,
        /// The last answer in a few words.
        last: String,
        /// The last request and its answer.
        exchanges: Vec<Exchange>,
    },
    /// Webhooks cannot be served.
    #[error(transparent)]
    Webhook(#[from] ListenerError),
    /// A deliberately wrong webhook cannot be provided where the target would look for it.
    #[error("a webhook with this endpoint cannot be provided on this host: {0}")]
    Unreachable(String),
    /// The run is ending.
    #[error("the run is ending")]
    Closing,
    /// The scenario refers to something missing.
    #[error("the scenario is invalid: {0}")]
    InvalidScenario(String),
}

impl ExecutionError {
    /// The error for a request that the server refused because of who sent it. No permission depends on the query.
    pub(crate) fn forbidden(Exchange { method, path, status, response, .. }: &Exchange) -> Self {
        let path = path.split('?').next().unwrap_or_default();
        Self::Forbidden { request: format!("{method} {path}"), answer: summary(*status, response) }
    }

    /// Whether a wait reached its deadline: an immediate retry would only take as long again.
    pub(crate) fn is_of_waiting(&self) -> bool {
        matches!(self, Self::Transport(TransportError::Timeout { .. }) | Self::NeverServed { .. })
    }
}
