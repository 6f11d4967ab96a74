//! Why a target cannot be used, and which exit code that means.

use crdible_reports::ExitCode;

use super::kubeconfig::KubeconfigError;
use super::launch::LaunchError;
use super::transport::TransportError;

/// Why a target cannot be used. Each message says what, where, and what to do.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// Options that contradict each other, or a value that cannot be read.
    #[error("{0}")]
    Usage(String),
    /// A file that an option names cannot be used.
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
    /// The launched command gave no server.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The server gave no answer.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The HTTP client could not be made of what was given.
    #[error("cannot prepare the connection to {address}: {detail}")]
    Client {
        /// The server's address.
        address: String,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// 401: who we are is not believed.
    #[error("{address} does not accept the credentials (401 at {request}): {message}; {advice}")]
    Unauthorized {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What the server said.
        message: String,
        /// What to do.
        advice: &'static str,
    },
    /// 403: we may not.
    #[error(
        "{address} forbids {request} (403): {message}; grant the user of this run the permissions of the manifest that comes with crdible, or use other credentials"
    )]
    Forbidden {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What the server said.
        message: String,
    },
    /// Something answers, but no Kubernetes API server.
    #[error("what answers at {address} is no Kubernetes API server: {request} gave {seen}; {advice}")]
    NotKubernetes {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What came instead.
        seen: String,
        /// What to do.
        advice: String,
    },
    /// A Kubernetes API server that serves no definitions.
    #[error(
        "{address} serves no CustomResourceDefinitions: {request} gave {seen}; crdible needs apiextensions.k8s.io/v1, so check that the server has it and has finished starting"
    )]
    NoApiextensions {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What came instead.
        seen: String,
    },
    /// An answer that a Kubernetes API server should not give there.
    #[error("unexpected answer from {address}: {request} gave {seen}; look into the server's log")]
    Unexpected {
        /// The server's address.
        address: String,
        /// Method and path.
        request: String,
        /// What came instead.
        seen: String,
    },
    /// The run whose remains should be removed is alive.
    #[error("run {run} is alive until {until} at least; stop it first, or try again after that time if it was killed")]
    RunAlive {
        /// The run's identifier.
        run: String,
        /// RFC 3339 in UTC.
        until: String,
    },
    /// Definitions that were deleted are still there.
    #[error(
        "still there after {waited} s: {names}; the server has not finished deleting (their finalizers or its controllers hold them back), so look again later and run the same clean-up once more"
    )]
    StillThere {
        /// Names, separated by commas.
        names: String,
        /// Seconds waited.
        waited: u64,
    },
}

impl TargetError {
    /// The exit code of a command that ends because of this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            // A file that is wrong is as much a mistake of the command line as a flag.
            Self::Usage(_) | Self::File { .. } | Self::Kubeconfig(_) => ExitCode::USAGE,
            Self::RunAlive { .. } | Self::StillThere { .. } => ExitCode::INCOMPLETE,
            _ => ExitCode::UNUSABLE,
        }
    }
}
