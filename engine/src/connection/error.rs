//! Why a target cannot be used, and the exit code.

use crdible_journal::ExitCode;

use super::kubeconfig::KubeconfigError;
use super::launch::LaunchError;
use super::transport::TransportError;

/// Why a target cannot be used. Each message says what happened, where, and what to do.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// Options contradict each other, or have an invalid value.
    #[error("{0}")]
    Usage(String),
    /// The file of an option cannot be used.
    #[error("cannot use {file} ({option}): {detail}")]
    File {
        /// The option that names it.
        option: &'static str,
        /// The path as given.
        file: String,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// The kubeconfig cannot be used.
    #[error(transparent)]
    Kubeconfig(#[from] KubeconfigError),
    /// The launched command started no server.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The server did not respond.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The HTTP client cannot be created from the options and files.
    #[error("cannot prepare the connection to {address}: {detail}")]
    Client {
        /// The server's address.
        address: String,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// 401: the credentials are not accepted.
    #[error("{address} does not accept the credentials (401 at {request}): {message}; {advice}")]
    Unauthorized {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// The message of the server.
        message: String,
        /// What to do.
        advice: &'static str,
    },
    /// 403: permissions are missing.
    #[error(
        "{address} forbids {request} (403): {message}; grant the user of this run the \
         permissions of the manifest that comes with crdible, or use other credentials"
    )]
    Forbidden {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// The message of the server.
        message: String,
    },
    /// The server is not a Kubernetes API server.
    #[error("the server at {address} is not a Kubernetes API server: {request} returned {seen}; {advice}")]
    NotKubernetes {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What was received instead.
        seen: String,
        /// What to do.
        advice: String,
    },
    /// The server has no CustomResourceDefinitions.
    #[error(
        "{address} serves no CustomResourceDefinitions: {request} returned {seen}; crdible needs \
         apiextensions.k8s.io/v1, so check that the server has it and has finished starting"
    )]
    NoApiextensions {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What was received instead.
        seen: String,
    },
    /// An unexpected response.
    #[error("unexpected response from {address}: {request} returned {seen}; check the log of the server")]
    Unexpected {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What was received instead.
        seen: String,
    },
    /// The run to clean up after is still alive.
    #[error("run {run} may be running until {until}; stop it first, or try again after that time if it was killed")]
    RunAlive {
        /// The run's identifier.
        run: String,
        /// In RFC 3339, in UTC.
        until: String,
    },
    /// What was deleted still exists.
    #[error(
        "still present after {waited} s: {names}; the server has not finished deleting them (because of finalizers or \
         its controllers), so run the clean-up again later"
    )]
    StillThere {
        /// Names, separated by commas.
        names: String,
        /// Seconds waited.
        waited: u64,
    },
}

impl TargetError {
    /// Whether a server that is still starting, or a proxy before it, may be the reason.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Transport(error) => !matches!(error, TransportError::Tls { .. } | TransportError::Unsendable { .. }),
            // The users and roles of a server may come after it answers.
            Self::NoApiextensions { .. }
            | Self::Unexpected { .. }
            | Self::NotKubernetes { .. }
            | Self::Unauthorized { .. }
            | Self::Forbidden { .. } => true,
            _ => false,
        }
    }

    /// The exit code of a command that ends because of this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            // An invalid file is a mistake of the command line, like an invalid flag.
            Self::Usage(_) | Self::File { .. } | Self::Kubeconfig(_) => ExitCode::USAGE,
            Self::RunAlive { .. } | Self::StillThere { .. } => ExitCode::INCOMPLETE,
            _ => ExitCode::UNUSABLE,
        }
    }
}
