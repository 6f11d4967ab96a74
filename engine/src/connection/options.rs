//! The options that select a target.

use std::path::PathBuf;
use std::time::Duration;

use crdible_semantics::Release;

use super::error::TargetError;
use super::secret::Secret;

/// The default time limit of a request. The slowest ordinary response of a real server is that to the first create
/// under a new definition (2 s); anything slower means overload.
pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The target of a run. Without options it is the embedded server, in process; never the current
/// context of a kubeconfig that happens to exist.
#[derive(Debug, Clone, Default)]
pub struct TargetOptions {
    /// `--server`: base URL of an API server, `http` or `https`, with an optional path.
    pub server: Option<String>,
    /// `--token`: bearer token, with `--server` or `--launch`.
    pub token: Option<Secret>,
    /// `--ca`: file with PEM certificates to trust instead of those of the system.
    pub ca: Option<PathBuf>,
    /// PEM file with the client's certificate (and its chain).
    pub client_certificate: Option<PathBuf>,
    /// PEM file with the client's key.
    pub client_key: Option<PathBuf>,
    /// `--insecure-skip-tls-verify`: skip TLS certificate verification.
    pub insecure: bool,
    /// `--kubeconfig`: file to take address and credentials from.
    pub kubeconfig: Option<PathBuf>,
    /// `--context`: context of the kubeconfig (of `--kubeconfig`, of `$KUBECONFIG`, or of
    /// `~/.kube/config`).
    pub context: Option<String>,
    /// `--launch`: shell command that starts a server for the run.
    pub launch: Option<String>,
    /// `--launch-log`: file to which the launched server's standard error is written.
    pub launch_log: Option<PathBuf>,
    /// How long a launched server may take until it prints where it is; `None` means that of
    /// [`LaunchTimes`](super::LaunchTimes).
    pub launch_patience: Option<Duration>,
    /// The release that the embedded server emulates.
    pub release: Release,
    /// The time limit of a request; `None` means [`DEFAULT_REQUEST_TIMEOUT`].
    pub request_timeout: Option<Duration>,
}

impl TargetOptions {
    /// Whether no option selects a target, which means the embedded server.
    ///
    /// A `--token` alone selects none; [`Self::check`] reports it.
    pub fn is_embedded(&self) -> bool {
        self.server.is_none() && self.kubeconfig.is_none() && self.context.is_none() && self.launch.is_none()
    }

    /// The time limit of a request.
    pub fn timeout(&self) -> Duration {
        self.request_timeout.unwrap_or(DEFAULT_REQUEST_TIMEOUT)
    }

    /// Checks for options that contradict each other or have no effect.
    ///
    /// # Errors
    /// [`TargetError::Usage`] with the names of the options, and what to do.
    pub fn check(&self) -> Result<(), TargetError> {
        let usage = |text: &str| Err(TargetError::Usage(text.to_owned()));
        let from_kubeconfig = self.kubeconfig.is_some() || self.context.is_some();
        if self.server.is_some() && self.launch.is_some() {
            return usage("--server and --launch select two targets: pass only one of them");
        }
        if self.server.is_some() && from_kubeconfig {
            return usage("--server and --kubeconfig/--context select two targets: pass only one of them");
        }
        if self.launch.is_some() && self.kubeconfig.is_some() {
            return usage(
                "--launch and --kubeconfig select two targets: pass only one of \
                 them (a launched server prints the path of its own kubeconfig)",
            );
        }
        if self.launch_log.is_some() && self.launch.is_none() {
            return usage("--launch-log is about a launched server: pass --launch COMMAND, too");
        }
        if let Some(option) = self.first_credential() {
            if from_kubeconfig && self.launch.is_none() {
                return Err(TargetError::Usage(format!(
                    "{option} cannot be used with --kubeconfig/--context: the kubeconfig contains the credentials"
                )));
            }
            if self.is_embedded() {
                return Err(TargetError::Usage(format!(
                    "{option} requires a server: pass --server URL, too (without it the embedded server is used)"
                )));
            }
        }
        if self.client_certificate.is_some() != self.client_key.is_some() {
            return usage("a client certificate requires its key, and vice versa: pass both files");
        }
        if self.ca.is_some() && self.insecure {
            return usage("--ca and --insecure-skip-tls-verify contradict each other: pass only one of them");
        }
        if self.request_timeout.is_some_and(|timeout| timeout.is_zero()) {
            return usage("the request timeout is 0: pass a longer one");
        }
        Ok(())
    }

    /// The name of the first credential option that is set.
    pub(super) fn first_credential(&self) -> Option<&'static str> {
        [
            (self.token.is_some(), "--token"),
            (self.ca.is_some(), "--ca"),
            (self.client_certificate.is_some(), "--client-certificate"),
            (self.client_key.is_some(), "--client-key"),
            (self.insecure, "--insecure-skip-tls-verify"),
        ]
        .into_iter()
        .find_map(|(set, option)| set.then_some(option))
    }
}
