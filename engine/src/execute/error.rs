//! Why a scenario could not be run to its end.

use std::time::Duration;

use crdible_scenario::transcript::{Silence, SilentEnd, summary};
use thiserror::Error;

use super::{execution::Execution, wire::Exchange};
use crate::{connection::TransportError, webhook::ListenerError};

/// Why a scenario could not be run to its end. It is never a verdict on the target.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExecutionError {
    /// The exchange failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// A step's request got no answer at all.
    #[error("{}", .0.error)]
    NoAnswer(Box<SilentStep>),
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

/// A step whose request got no answer at all.
#[derive(Clone, Debug)]
pub struct SilentStep {
    /// Which one, and how its request ended.
    pub silence: Silence,
    /// The error of the transport.
    pub error: TransportError,
    /// What came before it; the record ends with the request.
    pub execution: Execution,
}

impl ExecutionError {
    /// The error for a request that the server refused because of who sent it. No permission depends on the query.
    pub(crate) fn forbidden(Exchange { method, path, status, response, .. }: &Exchange) -> Self {
        let path = path.split('?').next().unwrap_or_default();
        Self::Forbidden { request: format!("{method} {path}"), answer: summary(*status, response) }
    }

    /// The error of a request of a step, which is the last of these exchanges. It has no answer if nothing came in
    /// time, if the server gave it up, or if the connection ended although the server had the whole request. Any other
    /// error says nothing of the server.
    pub(super) fn of_step(step: usize, error: TransportError, exchanges: Vec<Exchange>) -> Self {
        let end = match &error {
            TransportError::Timeout { after, .. } => SilentEnd::Waited(*after),
            TransportError::GaveUp { after, .. } => SilentEnd::GaveUp(*after),
            TransportError::Closed { is_received: true, .. } => SilentEnd::Closed,
            _ => return Self::Transport(error),
        };
        let silence = Silence { step, end };
        Self::NoAnswer(Box::new(SilentStep { silence, error, execution: Execution::of_exchanges(exchanges) }))
    }

    /// The same after these exchanges of steps that were sent together.
    pub(super) fn after(mut self, mut exchanges: Vec<Exchange>) -> Self {
        if let Self::NoAnswer(silent) = &mut self {
            let record = &mut silent.execution.record;
            exchanges.append(&mut record.exchanges);
            record.exchanges = exchanges;
        }
        self
    }

    /// Whether a wait reached its deadline: an immediate retry would only take as long again.
    pub(crate) fn is_of_waiting(&self) -> bool {
        let error = match self {
            Self::Transport(error) => error,
            Self::NoAnswer(silent) => &silent.error,
            _ => return matches!(self, Self::NeverServed { .. }),
        };
        matches!(
            error,
            TransportError::Timeout { .. } | TransportError::Unfinished { .. } | TransportError::GaveUp { .. }
        )
    }

    /// Whether nothing can be run on a target that answers like this.
    pub(crate) fn is_of_the_target(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::NoAnswer(_) | Self::Forbidden { .. })
    }
}
